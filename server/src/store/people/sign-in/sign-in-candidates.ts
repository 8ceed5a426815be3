/** People who sign in, and what they can prove their identity with, in SQL. */
import { sql, type Kysely } from 'kysely';
import type { Factors, MemberRef, SignInCandidate } from '../../../domain/people/panel.ts';
import { fold } from '../../../domain/text.ts';
import type { Reader } from '../../engine/database.ts';
import { signInDirectory } from '../directory/sign-in-directory.ts';
import { knownAt } from './known-networks.ts';
import type { PanelReads } from '../panel-records.ts';
import type { Tables } from '../../engine/schema.ts';
import type { Tx } from '../../engine/transaction.ts';

/** The most accounts that one password is checked against, because each check is expensive. */
const maxAccounts = 8;

const selectCandidates = (db: Kysely<Tables>) =>
  db
    .selectFrom('member')
    .innerJoin('member as owner', (join) =>
      join.onRef('owner.account_id', '=', 'member.account_id').on('owner.owner', '=', 1),
    )
    .leftJoin('totp', 'totp.member_id', 'member.id')
    .select(['member.account_id', 'member.id', 'member.email', 'member.password'])
    .select(['owner.email as owner_email', 'totp.confirm_time'])
    .where('member.disabled', '=', 0);

interface CandidateRow {
  account_id: number;
  id: number;
  email: string;
  password: string | null;
  owner_email: string;
  confirm_time: number | null;
}

async function toCandidate(reader: Reader, now: number, row: CandidateRow): Promise<SignInCandidate> {
  const memberRef = { accountId: row.account_id, memberId: row.id };
  const directory = await signInDirectory({ db: reader(row.account_id), now }, memberRef);
  return {
    ...memberRef,
    email: row.email,
    ownerEmail: row.owner_email,
    password: directory ? null : row.password,
    directory,
    totp: row.confirm_time !== null,
  };
}

interface FactorCounts {
  password: string | null;
  confirm_time: number | null;
  passkeys: number;
  codes: number;
}

const toFactors = (row: FactorCounts | undefined, directory: boolean): Factors => ({
  password: directory || (row?.password ?? null) !== null,
  directory,
  totp: (row?.confirm_time ?? null) !== null,
  passkeys: Number(row?.passkeys ?? 0),
  recoveryLeft: Number(row?.codes ?? 0),
});

async function factorsOf(tx: Tx, { accountId, memberId }: MemberRef): Promise<Factors> {
  const row = await tx.db
    .selectFrom('member')
    .leftJoin('totp', 'totp.member_id', 'member.id')
    .select(['member.password', 'totp.confirm_time'])
    .select((eb) => [
      eb
        .selectFrom('passkey')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('passkey.member_id', '=', 'member.id')
        .as('passkeys'),
      eb
        .selectFrom('recovery_code')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('recovery_code.member_id', '=', 'member.id')
        .as('codes'),
    ])
    .where('member.account_id', '=', accountId)
    .where('member.id', '=', memberId)
    .executeTakeFirst();
  const directory = await signInDirectory(tx, { accountId, memberId });
  return toFactors(row as FactorCounts | undefined, directory !== undefined);
}

async function sessionsOf(db: Kysely<Tables>, { accountId, memberId }: MemberRef) {
  const rows = await db
    .selectFrom('panel_session')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('member_id', '=', memberId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    createTime: row.create_time,
    seenTime: row.seen_time,
    freshTime: row.fresh_time,
    address: row.address,
    userAgent: row.user_agent,
  }));
}

export const panelReads = (reader: Reader, now: () => number): PanelReads => ({
  async byEmail(email) {
    const rows = await selectCandidates(reader('all'))
      .where('member.email_folded', '=', fold(email))
      .leftJoin('directory', 'directory.id', 'member.directory_id')
      .where((eb) => eb.or([eb('member.password', 'is not', null), eb('directory.sign_in', '=', 1)]))
      .orderBy('member.id')
      .limit(maxAccounts)
      .execute();
    const people = await Promise.all(rows.map((row) => toCandidate(reader, now(), row)));
    return people.filter(({ password, directory }) => password !== null || directory !== undefined);
  },

  async byLink(digest) {
    const row = await selectCandidates(reader('all'))
      .innerJoin('sign_in_link as link', 'link.member_id', 'member.id')
      .where('link.digest', '=', digest)
      .where('link.used_time', 'is', null)
      .executeTakeFirst();
    return row && toCandidate(reader, now(), row);
  },

  async find({ accountId, memberId }) {
    const row = await selectCandidates(reader(accountId))
      .where('member.account_id', '=', accountId)
      .where('member.id', '=', memberId)
      .executeTakeFirst();
    return row && toCandidate(reader, now(), row);
  },

  // Reads across accounts, because the account is not known yet.
  knownAt: (people, from) => knownAt(reader('all'), people, from),

  factors: (memberRef) => factorsOf({ db: reader(memberRef.accountId), now: now() }, memberRef),
  sessions: (memberRef) => sessionsOf(reader(memberRef.accountId), memberRef),
});
