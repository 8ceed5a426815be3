/** People with their grants, in SQL. */
import { chain, type MaybePromise } from '@drawbridge/contract/async/maybe-promise';
import type { Kysely } from 'kysely';
import type { Actor } from '../../domain/people/access.ts';
import { mayActAs } from '../../domain/people/escalation.ts';
import type { KeyHolder } from '../../domain/people/members.ts';
import type { MemberRef } from '../../domain/people/panel.ts';
import { fold } from '../../domain/text.ts';
import type { Reader } from '../engine/database.ts';
import { grantsOf, toGrant, type KeyHolderRow } from './grant-rows.ts';
import { toPlan } from './plan-record.ts';
import { prepared } from '../engine/prepared.ts';
import { panelSessionHolders } from './sign-in/panel-session-holders.ts';
import type { Tables } from '../engine/schema.ts';
import type { Tx } from '../engine/transaction.ts';
import type { Reads } from '../store.ts';
import { rightsVersionAt } from './account-versions.ts';

const keyHolderOf = prepared<{ digest: string; now: number }, KeyHolderRow>((db, parameter) =>
  db
    .selectFrom('api_key as key')
    .innerJoin('member', 'member.id', 'key.member_id')
    .innerJoin('account', 'account.account_id', 'key.account_id')
    .innerJoin('member as owner', (join) =>
      join.onRef('owner.account_id', '=', 'key.account_id').on('owner.owner', '=', 1),
    )
    .select(['key.id as key_id', 'key.account_id', 'key.member_id', 'key.expire_time', 'key.revoke_time'])
    .select([
      'key.networks',
      'key.last_used_time',
      'member.email',
      'member.owner',
      'owner.email as owner_email',
    ])
    .select(['plan_computers', 'plan_invitations', 'plan_files', 'plan_requests', 'plan_recording_mb'])
    .select(rightsVersionAt(parameter('now')).as('rights_version'))
    .where('key.digest', '=', parameter('digest'))
    .where('member.disabled', '=', 0),
);

const rightsVersion = prepared<{ accountId: number; now: number }, { rights_version: number }>(
  (db, parameter) =>
    db
      .selectFrom('account')
      .select(rightsVersionAt(parameter('now')).as('rights_version'))
      .where('account_id', '=', parameter('accountId')),
);

/** A person as the access rules see them, with their current grants; undefined if they are disabled. */
export async function loadActor(
  { db, now }: Tx,
  accountId: number,
  memberId: number,
): Promise<Actor | undefined> {
  const member = await db
    .selectFrom('member')
    .select(['email', 'owner'])
    .where('account_id', '=', accountId)
    .where('id', '=', memberId)
    .where('disabled', '=', 0)
    .executeTakeFirst();
  if (!member) return undefined;
  const grants = await grantsOf(db, { accountId, memberId, now });
  return { accountId, memberId, email: member.email, owner: member.owner === 1, grants: grants.map(toGrant) };
}

/** True when the person is a server administrator and the other person of the account is not. */
async function isOperatorUnlike(
  db: Kysely<Tables>,
  { accountId, memberId }: MemberRef,
  other: number,
): Promise<boolean> {
  const operators = await db
    .selectFrom('member')
    .select('id')
    .where('account_id', '=', accountId)
    .where('operator', '=', 1)
    .execute();
  const isOperator = (id: number): boolean => operators.some((each) => each.id === id);
  return isOperator(memberId) && !isOperator(other);
}

/**
 * True when the person holds any right that the other person of the account lacks, so that the other may not act as
 * them.
 */
export async function hasMoreRightsThan(tx: Tx, memberRef: MemberRef, other: number): Promise<boolean> {
  const { accountId, memberId } = memberRef;
  const [actor, otherActor] = [
    await loadActor(tx, accountId, memberId),
    await loadActor(tx, accountId, other),
  ];
  return !actor || !otherActor || !mayActAs(otherActor, actor) || isOperatorUnlike(tx.db, memberRef, other);
}

/** The most keys that are cached with their grants. */
const maxCachedKeys = 10_000;

async function loadKeyHolder(reader: Reader, digest: string, now: number): Promise<KeyHolder | undefined> {
  const [row] = await keyHolderOf(reader('all'), { digest, now });
  if (!row) return undefined;
  const { account_id: accountId, member_id: memberId } = row;
  const grants = await grantsOf(reader(accountId), { accountId, memberId, now });
  return {
    keyId: row.key_id,
    expireTime: row.expire_time,
    revoked: row.revoke_time !== null,
    networks: JSON.parse(row.networks) as string[],
    lastUsedTime: row.last_used_time,
    actor: { accountId, memberId, email: row.email, owner: row.owner === 1, grants: grants.map(toGrant) },
    plan: toPlan(row),
    ownerEmail: row.owner_email,
    rightsVersion: row.rights_version,
  };
}

/** Cached rights are used only while the account's rights version is unchanged. */
function cachedKeyHolders(reader: Reader, now: () => number): Reads['actors']['byKey'] {
  const cached = new Map<string, KeyHolder>();

  async function load(digest: string): Promise<KeyHolder | undefined> {
    cached.delete(digest);
    const loaded = await loadKeyHolder(reader, digest, now());
    if (!loaded) return undefined;
    if (cached.size >= maxCachedKeys) cached.clear();
    cached.set(digest, loaded);
    return loaded;
  }

  return (digest) => {
    const known = cached.get(digest);
    if (!known) return load(digest);
    return chain(isCurrent(reader, known, now()), (current) => (current ? known : load(digest)));
  };
}

function isCurrent(reader: Reader, holder: KeyHolder, now: number): MaybePromise<boolean> {
  const { accountId } = holder.actor;
  return chain(
    rightsVersion(reader(accountId), { accountId, now }),
    ([account]) => account?.rights_version === holder.rightsVersion,
  );
}

export const actorReads = (reader: Reader, now: () => number): Reads['actors'] => ({
  byKey: cachedKeyHolders(reader, now),

  bySession: panelSessionHolders(reader, now),

  byId: (accountId, memberId) => loadActor({ db: reader(accountId), now: now() }, accountId, memberId),

  async byEmail(accountId, email) {
    const member = await reader(accountId)
      .selectFrom('member')
      .select(['id', 'email'])
      .where('account_id', '=', accountId)
      .where('email_folded', '=', fold(email))
      .executeTakeFirst();
    if (!member) return undefined;
    const actor = await loadActor({ db: reader(accountId), now: now() }, accountId, member.id);
    // A disabled person has no rights.
    return actor ?? { accountId, memberId: member.id, email: member.email, owner: false, grants: [] };
  },
});
