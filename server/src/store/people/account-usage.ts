/** The accounts of the server with their usage, in SQL: one statement for each thing that is counted. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { hourOf, monthOf } from '../../domain/people/plan.ts';
import type { AccountUsage, AccountReads } from './account-records.ts';
import { mebibyte } from './plan.ts';
import { toPlan } from './plan-record.ts';
import type { Tables } from '../engine/schema.ts';
import { containsText } from './scope.ts';

type UsageFilter = Parameters<AccountReads['listUsage']>[0];
type CountByAccount = ReadonlyMap<number, number>;

const accountsWithOwner = (db: Kysely<Tables>, search: string | undefined) => {
  const query = db
    .selectFrom('account')
    .innerJoin('member as owner', (join) =>
      join.onRef('owner.account_id', '=', 'account.account_id').on('owner.owner', '=', 1),
    );
  return search ? query.where(containsText('owner.email_folded', search)) : query;
};

export async function listAccountUsage(
  db: Kysely<Tables>,
  { search, offset, limit, now, sort, descending = false }: UsageFilter,
): Promise<{ total: number; accounts: AccountUsage[] }> {
  const { total } = await accountsWithOwner(db, search)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await accountsWithOwner(db, search)
    .select(['account.account_id', 'owner.email', 'account.create_time'])
    .select(['plan_computers', 'plan_invitations', 'plan_files', 'plan_requests', 'plan_recording_mb'])
    .$if(sort !== undefined, (query) => query.orderBy(sortTerm(sort!), descending ? 'desc' : 'asc'))
    .orderBy('account.account_id')
    .limit(limit)
    .offset(offset)
    .execute();
  const countsOf = await countAll(
    db,
    rows.map((row) => row.account_id),
    now,
  );
  return {
    total: Number(total),
    accounts: rows.map((row) => ({
      accountId: row.account_id,
      owner: row.email,
      createTime: row.create_time,
      plan: toPlan(row),
      ...countsOf(row.account_id),
    })),
  };
}

/** The value by which accounts are sorted. Databases may order punctuation in addresses differently; the order is total in both. */
const sortTerm = (sort: NonNullable<UsageFilter['sort']>): RawBuilder<unknown> =>
  ({
    owner: sql.ref('owner.email_folded'),
    since: sql.ref('account.create_time'),
    members: countedBy('member'),
    devices: countedBy('agent'),
  })[sort];

const countedBy = (table: 'member' | 'agent'): RawBuilder<unknown> =>
  sql`(select count(*) from ${sql.table(table)} as counted where counted.account_id = account.account_id)`;

/** Counts the usage of all these accounts at once. */
async function countAll(db: Kysely<Tables>, ids: readonly number[], now: number) {
  const members = await countIn(db, 'member', ids);
  const computers = await countIn(db, 'agent', ids);
  const files = await countIn(db, 'attached_file', ids);
  const online = await onlineIn(db, ids, now);
  const bytes = await recordedIn(db, ids);
  const invitations = await usedIn(db, ids, 'invitations', monthOf(now));
  const requests = await usedIn(db, ids, 'requests', hourOf(now));
  const of = (counts: CountByAccount, id: number): number => counts.get(id) ?? 0;
  return (id: number): Pick<AccountUsage, 'members' | 'online' | 'used'> => ({
    members: of(members, id),
    online: of(online, id),
    used: {
      computers: of(computers, id),
      invitations: of(invitations, id),
      files: of(files, id),
      requests: of(requests, id),
      recordingMb: Math.ceil(of(bytes, id) / mebibyte),
    },
  });
}

const toCounts = (rows: readonly { account_id: number; n: number }[]): CountByAccount =>
  new Map(rows.map(({ account_id: id, n }) => [id, Number(n)]));

const countIn = async (
  db: Kysely<Tables>,
  table: 'member' | 'agent' | 'attached_file',
  ids: readonly number[],
): Promise<CountByAccount> =>
  toCounts(
    ids.length === 0
      ? []
      : await db
          .selectFrom(table)
          .select((eb) => ['account_id', eb.fn.countAll<number>().as('n')])
          .where('account_id', 'in', ids)
          .groupBy('account_id')
          .execute(),
  );

const onlineIn = async (db: Kysely<Tables>, ids: readonly number[], now: number): Promise<CountByAccount> =>
  toCounts(
    ids.length === 0
      ? []
      : await db
          .selectFrom('presence')
          .select((eb) => ['account_id', eb.fn.countAll<number>().as('n')])
          .where('account_id', 'in', ids)
          .where('lease_until', '>', now)
          .groupBy('account_id')
          .execute(),
  );

const recordedIn = async (db: Kysely<Tables>, ids: readonly number[]): Promise<CountByAccount> =>
  toCounts(
    ids.length === 0
      ? []
      : await db
          .selectFrom('session')
          .select((eb) => ['account_id', eb.fn.coalesce(eb.fn.sum<number>('video_size'), eb.lit(0)).as('n')])
          .where('account_id', 'in', ids)
          .where('video_secret', 'is not', null)
          .groupBy('account_id')
          .execute(),
  );

const usedIn = async (
  db: Kysely<Tables>,
  ids: readonly number[],
  kind: 'invitations' | 'requests',
  period: number,
): Promise<CountByAccount> =>
  toCounts(
    ids.length === 0
      ? []
      : await db
          .selectFrom('usage')
          .select(['account_id', 'used as n'])
          .where('account_id', 'in', ids)
          .where('kind', '=', kind)
          .where('period', '=', period)
          .execute(),
  );
