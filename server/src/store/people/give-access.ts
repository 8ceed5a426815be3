/** Gives a role in SQL, within the rights of the person who gives it. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import type { Permission } from '@drawbridge/contract/permissions';
import type { Kysely } from 'kysely';
import { findUnheldTeamPermission, gainsRights } from '../../domain/people/escalation.ts';
import type { Done } from '../changes.ts';
import type { Tables } from '../engine/schema.ts';
import type { Tx } from '../engine/transaction.ts';
import { loadActor } from './actors.ts';
import { beyondOwnRights } from './roles.ts';

interface Giving {
  accountId: number;
  /** Who gives. */
  by: number;
  permissions: readonly Permission[];
  until: number | null;
}

/** The rights of the account must be locked. The caller rolls back when this returns a fault. */
export async function giveWithinRights(
  tx: Tx,
  { accountId, by, permissions, until }: Giving,
  give: () => Promise<unknown>,
): Promise<Done | Fault<'not_found' | 'forbidden'>> {
  const before = await loadActor(tx, accountId, by);
  if (!before) return fault('not_found');
  if (findUnheldTeamPermission(before, permissions, until) !== undefined)
    return fault('forbidden', beyondOwnRights);
  await give();
  const after = (await loadActor(tx, accountId, by))!;
  return gainsRights(before, after) ? fault('forbidden', beyondOwnRights) : {};
}

interface NewEntry {
  role_id: number;
  member_id: number | null;
  department_id: number | null;
  agent_id: number | null;
  group_id: number | null;
  until: number | null;
  request_id?: number;
}

export const addGrantEntry = (db: Kysely<Tables>, accountId: number, { until, ...row }: NewEntry) =>
  db
    .insertInto('access_entry')
    .values({ account_id: accountId, ...row, until_time: until })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
