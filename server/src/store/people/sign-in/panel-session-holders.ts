/** People who are signed in to the panel with their grants, in SQL. */
import type { PanelSessionHolder } from '../../../domain/people/panel.ts';
import { grantsOf, toGrant, type KeyHolderRow } from '../grant-rows.ts';
import type { Reader } from '../../engine/database.ts';
import { toPlan } from '../plan-record.ts';
import { prepared } from '../../engine/prepared.ts';
import type { Flag } from '../../engine/schema.ts';
import type { Reads } from '../../store.ts';
import { rightsVersionAt } from '../account-versions.ts';

interface PanelSessionRow {
  id: number;
  account_id: number;
  member_id: number;
  create_time: number;
  seen_time: number;
  fresh_time: number;
  rights_version: number;
  provider_id: number | null;
  sso_sid: string;
}

const sessionOf = prepared<{ digest: string; now: number }, PanelSessionRow>((db, parameter) =>
  db
    .selectFrom('panel_session as session')
    .innerJoin('account', 'account.account_id', 'session.account_id')
    .select(['session.id', 'session.account_id', 'session.member_id', 'session.create_time'])
    .select(['session.seen_time', 'session.fresh_time', 'session.provider_id', 'session.sso_sid'])
    .select(rightsVersionAt(parameter('now')).as('rights_version'))
    .where('session.digest', '=', parameter('digest')),
);

type PersonRow = Pick<
  KeyHolderRow,
  'email' | 'owner' | 'owner_email' | keyof Parameters<typeof toPlan>[0]
> & {
  operator: Flag;
};

const personOf = prepared<{ accountId: number; memberId: number }, PersonRow>((db, parameter) =>
  db
    .selectFrom('member')
    .innerJoin('account', 'account.account_id', 'member.account_id')
    .innerJoin('member as owner', (join) =>
      join.onRef('owner.account_id', '=', 'member.account_id').on('owner.owner', '=', 1),
    )
    .select(['member.email', 'member.owner', 'member.operator', 'owner.email as owner_email'])
    .select(['plan_computers', 'plan_invitations', 'plan_files', 'plan_requests', 'plan_recording_mb'])
    .where('member.account_id', '=', parameter('accountId'))
    .where('member.id', '=', parameter('memberId'))
    .where('member.disabled', '=', 0),
);

/** The most people that are cached with their grants. */
const maxCachedPeople = 10_000;

type Person = Omit<PanelSessionHolder, 'session'>;

/** Sessions are read on every request, because they can end at any moment; the person's rights only after they changed. */
export function panelSessionHolders(reader: Reader, now: () => number): Reads['actors']['bySession'] {
  const cached = new Map<string, Person>();

  async function load(session: PanelSessionRow, time: number): Promise<Person | undefined> {
    const { account_id: accountId, member_id: memberId, rights_version: rightsVersion } = session;
    const [row] = await personOf(reader(accountId), { accountId, memberId });
    if (!row) return undefined;
    const grants = await grantsOf(reader(accountId), { accountId, memberId, now: time });
    const { provider_id: providerId, sso_sid: sid } = session;
    return {
      actor: {
        accountId,
        memberId,
        email: row.email,
        owner: row.owner === 1,
        grants: grants.map(toGrant),
        ...(providerId !== null && { signIn: { providerId, sid } }),
      },
      plan: toPlan(row),
      ownerEmail: row.owner_email,
      operator: row.operator === 1,
      rightsVersion,
    };
  }

  return async (digest) => {
    const time = now();
    const [row] = await sessionOf(reader('all'), { digest, now: time });
    if (!row) return void cached.delete(digest);
    const { id, create_time: createTime, seen_time: seenTime, fresh_time: freshTime } = row;
    const known = cached.get(digest);
    const isNew = known?.rightsVersion !== row.rights_version;
    const person = isNew ? await load(row, time) : known;
    if (!person) return void cached.delete(digest);
    if (cached.size >= maxCachedPeople) cached.clear();
    if (isNew) cached.set(digest, person);
    return { session: { id, createTime, seenTime, freshTime }, ...person };
  };
}
