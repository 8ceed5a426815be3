/** Which devices are online, in SQL: one lease per device, so that no device stays online after its server has died. */
import type { Kysely } from 'kysely';
import type { ChangesOf } from '../engine/transaction.ts';
import type { ObjectRef } from '../records.ts';
import type { Tables } from '../engine/schema.ts';
import { noteReturn } from '../notifications/causes.ts';
import { bumpListVersions } from '../people/account-versions.ts';

const refColumns = ['agent_id', 'account_id'] as const;
const toObjectRef = (row: { agent_id: number; account_id: number }): ObjectRef => ({
  accountId: row.account_id,
  id: row.agent_id,
});

/** Returns those of these devices that are already online. */
async function findLeased(db: Kysely<Tables>, ids: readonly number[], now: number): Promise<number[]> {
  const rows = await db
    .selectFrom('presence')
    .select('agent_id')
    .where('agent_id', 'in', [...ids])
    .where('lease_until', '>', now)
    .execute();
  return rows.map((row) => row.agent_id);
}

export const presenceChanges: ChangesOf<`presence/${'renew' | 'extend' | 'release' | 'end'}`> = {
  'presence/renew': async function ({ db, now }, { node, agents, leaseUntil }) {
    const ids = agents.map((agent) => agent.id);
    if (ids.length === 0) return { gone: [], came: [] };
    const held = new Set(await findLeased(db, ids, now));
    const rows = await db
      .insertInto('presence')
      .columns(['agent_id', 'account_id', 'node', 'lease_until', 'seen_time'])
      .expression((eb) =>
        eb
          .selectFrom('agent')
          .select(['agent.id', 'agent.account_id'])
          .select([
            eb.val(node).as('node'),
            eb.cast<number>(eb.val(leaseUntil), 'bigint').as('lease'),
            eb.cast<number>(eb.val(now), 'bigint').as('seen'),
          ])
          .where('agent.id', 'in', ids),
      )
      .onConflict((conflict) =>
        conflict.column('agent_id').doUpdateSet({ node, lease_until: leaseUntil, seen_time: now }),
      )
      .returning(refColumns)
      .execute();
    const existing = new Set(rows.map((row) => row.agent_id));
    const came = rows.filter((row) => !held.has(row.agent_id)).map(toObjectRef);
    await noteReturn(
      db,
      came.map(({ id }) => id),
      now,
    );
    await bumpListVersions(db, rows);
    return { gone: ids.filter((id) => !existing.has(id)), came };
  },

  'presence/extend': async function ({ db, now }, { node, leaseUntil }) {
    const rows = await db
      .updateTable('presence')
      .set({ lease_until: leaseUntil, seen_time: now })
      .where('node', '=', node)
      .where('lease_until', '>', now)
      .returning(refColumns)
      .execute();
    await bumpListVersions(db, rows);
    return { held: rows.map((row) => row.agent_id) };
  },

  'presence/end': async function ({ db, now }, { node, ids }) {
    if (ids.length === 0) return { left: [] };
    const rows = await db
      .updateTable('presence')
      .set({ lease_until: now, seen_time: now })
      .where('node', '=', node)
      .where('agent_id', 'in', [...ids])
      .returning(refColumns)
      .execute();
    await bumpListVersions(db, rows);
    return { left: rows.map(toObjectRef) };
  },

  'presence/release': async function ({ db }, { node }) {
    let query = db
      .updateTable('presence')
      .set((eb) => ({ lease_until: eb.ref('seen_time') }))
      .whereRef('lease_until', '>', 'seen_time');
    if (node !== 'all') query = query.where('node', '=', node);
    const rows = await query.returning(refColumns).execute();
    await bumpListVersions(db, rows);
    return { left: rows.map(toObjectRef) };
  },
};
