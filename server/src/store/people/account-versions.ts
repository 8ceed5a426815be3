/** The versions of an account: of its rights, and of what its lists of devices show. */
import { chain, type MaybePromise } from '@drawbridge/contract/async/maybe-promise';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { prepared, preparedWrite } from '../engine/prepared.ts';
import type { Tables } from '../engine/schema.ts';
import { hasIdIn } from './scope.ts';

/**
 * Increments the version before rights, keys or the plan of an account change, so that cached copies are read again. A
 * change that checks rights calls this first, because it locks the account's row: two changes that only together give
 * too much are then serialized.
 */
export async function bumpRightsVersion(db: Kysely<Tables>, accountId: number): Promise<void> {
  await db
    .updateTable('account')
    .set((eb) => ({ rights_version: eb('rights_version', '+', 1) }))
    .where('account_id', '=', accountId)
    .execute();
}

/** More than the grants of an account that ended and are not removed yet. */
const endedPerVersion = 1_000_000;

/**
 * The version of an account's rights at this time: a grant that ends changes it, although nothing is written then. It
 * never decreases while the time does not, because every change that removes grants increments `rights_version`.
 */
export const rightsVersionAt = (now: number): RawBuilder<number> =>
  sql<number>`account.rights_version * ${sql.lit(endedPerVersion)} + (select count(*) from access_entry as ended where ended.account_id = account.account_id and ended.until_time <= ${now})`;

/** Locks the account's row, as every change of rights does, without saying that rights have changed. */
export async function lockRights(db: Kysely<Tables>, accountId: number): Promise<void> {
  await db
    .updateTable('account')
    .set((eb) => ({ rights_version: eb.ref('rights_version') }))
    .where('account_id', '=', accountId)
    .execute();
}

/**
 * Increments the number with which devices receive their policy, and the version of rights, because a policy limits
 * sessions. It locks the account's row, so that two changes of one policy are serialized.
 */
export async function bumpPolicyVersion(db: Kysely<Tables>, accountId: number): Promise<void> {
  await db
    .updateTable('account')
    .set((eb) => ({
      policy_version: eb('policy_version', '+', 1),
      rights_version: eb('rights_version', '+', 1),
    }))
    .where('account_id', '=', accountId)
    .execute();
}

/** The counters per account: devices that arrive at the same time seldom wait for each other. */
const shardCount = 16;

const bumpShard = preparedWrite<{ accountId: number; shard: number }>((db, parameter) =>
  db
    .insertInto('list_version')
    .values({ account_id: parameter('accountId'), shard: parameter('shard'), version: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'shard'])
        .doUpdateSet((eb) => ({ version: eb('list_version.version', '+', 1) })),
    ),
);

/**
 * Increments the version of what the lists of devices of an account show, so that kept lists are built again. Changes of
 * different `id`s use different counters. A transaction does this last, so that it holds no other changes up and no two
 * of them can wait for each other.
 */
export async function bumpListVersion(db: Kysely<Tables>, accountId: number, id = 0): Promise<void> {
  await bumpShard(db, { accountId, shard: id % shardCount });
}

/** The same for the accounts of these rows, in one order for all transactions. */
export async function bumpListVersions(
  db: Kysely<Tables>,
  rows: readonly { account_id: number }[],
): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('list_version')
    .columns(['account_id', 'shard', 'version'])
    .expression((eb) =>
      eb
        .selectFrom('account')
        .select(['account_id', eb.lit(0).as('shard'), eb.lit(1).as('version')])
        .where(
          hasIdIn(
            'account_id',
            rows.map((row) => row.account_id),
          ),
        )
        .orderBy('account_id'),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'shard'])
        .doUpdateSet((eb) => ({ version: eb('list_version.version', '+', 1) })),
    )
    .execute();
}

const sumOfShards = prepared<{ accountId: number }, { version: number | null }>((db, parameter) =>
  db
    .selectFrom('list_version')
    .select((eb) => eb.cast<number | null>(eb.fn.sum('version'), 'bigint').as('version'))
    .where('account_id', '=', parameter('accountId')),
);

export const listVersionOf = (db: Kysely<Tables>, accountId: number): MaybePromise<number> =>
  chain(sumOfShards(db, { accountId }), ([row]) => row?.version ?? 0);
