/** Plans and their usage, in SQL. */
import { fault } from '@drawbridge/contract/faults';
import { chain, type MaybePromise } from '@drawbridge/contract/async/maybe-promise';
import type { Kysely } from 'kysely';
import { hourOf, monthOf, type Plan, type PlanState } from '../../domain/people/plan.ts';
import { planColumns, toPlan, type PlanColumns } from './plan-record.ts';
import { bumpRightsVersion } from './account-versions.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import type { Reader } from '../engine/database.ts';
import { prepared } from '../engine/prepared.ts';
import type { Tables } from '../engine/schema.ts';
import type { Reads } from '../store.ts';

async function planOf(db: Kysely<Tables>, accountId: number): Promise<Plan> {
  const [row] = await planRow(db, { accountId });
  if (!row) throw new Error('the account is gone');
  return toPlan(row);
}

const planRow = prepared<{ accountId: number }, PlanColumns>((db, parameter) =>
  db.selectFrom('account').select(planColumns).where('account_id', '=', parameter('accountId')),
);

const count = async (
  db: Kysely<Tables>,
  table: 'agent' | 'attached_file',
  accountId: number,
): Promise<number> => {
  const { total } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(total);
};

/** How many files can still be attached; negative when the account exceeds its plan, null without a limit. */
export async function filesLeft(db: Kysely<Tables>, accountId: number, plan?: Plan): Promise<number | null> {
  const { files } = plan ?? (await planOf(db, accountId));
  return files === null ? null : files - (await count(db, 'attached_file', accountId));
}

export const mebibyte = 1_048_576;

const recordedBytes = async (db: Kysely<Tables>, accountId: number): Promise<number> => {
  const { bytes } = await db
    .selectFrom('session')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('video_size'), eb.lit(0)).as('bytes'))
    .where('account_id', '=', accountId)
    .where('video_secret', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(bytes);
};

/** How many bytes of recordings can still be stored; negative when the account exceeds its plan, null without a limit. */
export async function recordingLeft(db: Kysely<Tables>, accountId: number): Promise<number | null> {
  const { recordingMb } = await planOf(db, accountId);
  return recordingMb === null ? null : recordingMb * mebibyte - (await recordedBytes(db, accountId));
}

/** Whether the account has more attached files than its plan allows. */
export const isOverFiles = async (db: Kysely<Tables>, accountId: number, plan?: Plan): Promise<boolean> =>
  ((await filesLeft(db, accountId, plan)) ?? 0) < 0;

async function lastWithin(
  db: Kysely<Tables>,
  accountId: number,
  computers: number | null,
): Promise<PlanState['lastWithin']> {
  if (computers === null) return 'all';
  if (computers === 0) return 'none';
  const row = await db
    .selectFrom('agent')
    .select(['link_time', 'id'])
    .where('account_id', '=', accountId)
    .orderBy('link_time')
    .orderBy('id')
    .limit(1)
    .offset(computers - 1)
    .executeTakeFirst();
  return row ? { linkTime: row.link_time, id: row.id } : 'all';
}

const readUsed = async (
  db: Kysely<Tables>,
  accountId: number,
  kind: string,
  period: number,
): Promise<number> => {
  const row = await db
    .selectFrom('usage')
    .select('used')
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('period', '=', period)
    .executeTakeFirst();
  return row?.used ?? 0;
};

const withinPlan: PlanState = Object.freeze({ lastWithin: 'all', overFiles: false });

const planState = (db: Kysely<Tables>, accountId: number, plan: Plan): MaybePromise<PlanState> =>
  plan.computers === null && plan.files === null ? withinPlan : readPlanState(db, accountId, plan);

const readPlanState = async (db: Kysely<Tables>, accountId: number, plan: Plan): Promise<PlanState> => ({
  lastWithin: await lastWithin(db, accountId, plan.computers),
  overFiles: await isOverFiles(db, accountId, plan),
});

export const planReads = (reader: Reader): Reads['plan'] => ({
  of: (accountId) => planOf(reader(accountId), accountId),

  state(accountId, known) {
    const db = reader(accountId);
    return chain(known ?? planOf(db, accountId), (plan) => planState(db, accountId, plan));
  },

  invitations: (accountId, now) => readUsed(reader(accountId), accountId, 'invitations', monthOf(now)),

  async usage(accountId, now) {
    const db = reader(accountId);
    return {
      computers: await count(db, 'agent', accountId),
      invitations: await readUsed(db, accountId, 'invitations', monthOf(now)),
      files: await count(db, 'attached_file', accountId),
      requests: await readUsed(db, accountId, 'requests', hourOf(now)),
      recordingMb: Math.ceil((await recordedBytes(db, accountId)) / mebibyte),
    };
  },
});

const countOne = prepared<
  { accountId: number; kind: string; period: number; limit: number },
  { used: number }
>((db, parameter) =>
  db
    .insertInto('usage')
    .values({
      account_id: parameter('accountId'),
      kind: parameter('kind'),
      period: parameter('period'),
      used: 1,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'kind', 'period'])
        .doUpdateSet((eb) => ({ used: eb('usage.used', '+', 1) }))
        .where('usage.used', '<', parameter('limit')),
    )
    .returning('used'),
);

/** Counts one more in a period, unless the limit is reached. One statement makes the count exact. */
async function consumeOne(
  db: Kysely<Tables>,
  { limit, ...counter }: Counter & { limit: number | null },
): Promise<number | undefined> {
  if (limit === 0) return undefined;
  const [row] = await countOne(db, { ...counter, limit: limit ?? Number.MAX_SAFE_INTEGER });
  return row?.used;
}

const countInvitation = prepared<{ accountId: number; period: number }, { used: number }>((db, parameter) =>
  db
    .insertInto('usage')
    .columns(['account_id', 'kind', 'period', 'used'])
    .expression((eb) =>
      eb
        .selectFrom('account')
        .select((each) => [
          'account_id',
          each.cast<string>(each.val('invitations'), 'text').as('kind'),
          each.cast<number>(each.val(parameter('period')), 'bigint').as('period'),
          each.lit(1).as('used'),
        ])
        .where('account_id', '=', parameter('accountId'))
        .where((each) => each(each.fn.coalesce('plan_invitations', each.lit(1)), '>', 0)),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'kind', 'period'])
        .doUpdateSet((eb) => ({ used: eb('usage.used', '+', 1) }))
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('account')
              .select('account_id')
              .whereRef('account.account_id', '=', 'usage.account_id')
              .where((each) =>
                each.or([
                  each('plan_invitations', 'is', null),
                  each('plan_invitations', '>', each.ref('usage.used')),
                ]),
              ),
          ),
        ),
    )
    .returning('used'),
);

/** Counts one more invitation in this month, unless the plan has no more. The plan is read by the same statement. */
export async function consumeInvitation(
  db: Kysely<Tables>,
  accountId: number,
  period: number,
): Promise<boolean> {
  const [row] = await countInvitation(db, { accountId, period });
  return row !== undefined;
}

/** What is counted, for which account, and in which hour or month. */
interface Counter {
  accountId: number;
  kind: 'requests';
  period: number;
}

export const planChanges: ChangesOf<'plan/set' | 'usage/request' | 'usage/sweep'> = {
  'plan/set': async function ({ db }, { accountId, plan }) {
    const set = {
      ...(plan.computers !== undefined && { plan_computers: plan.computers }),
      ...(plan.invitations !== undefined && { plan_invitations: plan.invitations }),
      ...(plan.files !== undefined && { plan_files: plan.files }),
      ...(plan.requests !== undefined && { plan_requests: plan.requests }),
      ...(plan.recordingMb !== undefined && { plan_recording_mb: plan.recordingMb }),
    };
    if (Object.keys(set).length > 0)
      await db.updateTable('account').set(set).where('account_id', '=', accountId).execute();
    await bumpRightsVersion(db, accountId);
    return {};
  },

  'usage/request': async function ({ db, now }, { accountId, limit }) {
    const used = await consumeOne(db, { accountId, kind: 'requests', period: hourOf(now), limit });
    return used === undefined ? fault('plan_exceeded') : { used };
  },

  'usage/sweep': async function ({ db }, { endedBefore }) {
    await db
      .deleteFrom('usage')
      .where('kind', '=', 'requests')
      .where('period', '<', hourOf(endedBefore))
      .execute();
    return {};
  },
};
