/** The servers that share the database, in SQL: each tells that it is alive, and what must be equal on all of them. */
import type { Kysely } from 'kysely';
import { migrations, readSchema } from '../engine/migrate.ts';
import type { Tables } from '../engine/schema.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import type { NodeEndpointRecord, NodeRecord } from './node-records.ts';

export const nodeChanges: ChangesOf<`nodes/${'join' | 'alive' | 'leave'}`> = {
  'nodes/join': async function ({ db, now }, node) {
    // Servers that start at the same moment wait for each other here, so that the later one sees the earlier one.
    await db
      .updateTable('server_identity')
      .set((eb) => ({ number: eb.ref('number') }))
      .execute();
    await db.deleteFrom('node').where('alive_until', '<=', now).execute();
    await enter(db, node);
    return { others: await findOthersAlive(db, node.id, now), required: (await readSchema(db)).required };
  },

  // A node that was frozen may have been removed: it enters itself again.
  'nodes/alive': async function ({ db, now }, node) {
    await enter(db, node);
    return { others: await findOthersAlive(db, node.id, now), required: (await readSchema(db)).required };
  },

  'nodes/leave': async function ({ db }, { id }) {
    await db.deleteFrom('node').where('id', '=', id).execute();
    return {};
  },
};

async function enter(
  db: Kysely<Tables>,
  { id, aliveUntil, hasBus, shared, endpoint }: NodeRecord & { aliveUntil: number },
): Promise<void> {
  const row = {
    alive_until: aliveUntil,
    has_bus: Number(hasBus),
    shared: JSON.stringify(shared),
    endpoint: endpoint ? JSON.stringify(endpoint) : null,
    schema: migrations.length,
  };
  await db
    .insertInto('node')
    .values({ id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

/** The nodes that are alive, besides one. */
export async function findOthersAlive(db: Kysely<Tables>, id: string, now: number): Promise<NodeRecord[]> {
  const rows = await db
    .selectFrom('node')
    .selectAll()
    .where('id', '!=', id)
    .where('alive_until', '>', now)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    hasBus: row.has_bus === 1,
    shared: JSON.parse(row.shared) as NodeRecord['shared'],
    ...(row.endpoint !== null && { endpoint: JSON.parse(row.endpoint) as NodeEndpointRecord }),
  }));
}
