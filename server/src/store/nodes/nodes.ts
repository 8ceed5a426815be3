/** The servers that share the database, in SQL: each tells that it is alive, and what must be equal on all of them. */
import type { ChangesOf } from '../engine/transaction.ts';
import type { NodeRecord } from './node-records.ts';

export const nodeChanges: ChangesOf<`nodes/${'join' | 'alive' | 'leave'}`> = {
  'nodes/join': async function ({ db, now }, { id, aliveUntil, hasBus, shared }) {
    // Servers that start at the same moment wait for each other here, so that the later one sees the earlier one.
    await db
      .updateTable('server_identity')
      .set((eb) => ({ number: eb.ref('number') }))
      .execute();
    await db.deleteFrom('node').where('alive_until', '<=', now).execute();
    const row = { alive_until: aliveUntil, has_bus: Number(hasBus), shared: JSON.stringify(shared) };
    await db
      .insertInto('node')
      .values({ id, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
    const others = await db.selectFrom('node').selectAll().where('id', '!=', id).execute();
    return {
      others: others.map((other) => ({
        id: other.id,
        hasBus: other.has_bus === 1,
        shared: JSON.parse(other.shared) as NodeRecord['shared'],
      })),
    };
  },

  'nodes/alive': async function ({ db }, { id, aliveUntil }) {
    await db.updateTable('node').set({ alive_until: aliveUntil }).where('id', '=', id).execute();
    return {};
  },

  'nodes/leave': async function ({ db }, { id }) {
    await db.deleteFrom('node').where('id', '=', id).execute();
    return {};
  },
};
