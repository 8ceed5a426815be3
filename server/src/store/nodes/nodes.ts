/** The servers that share the database, in SQL: each tells that it is alive, and what must be equal on all of them. */
import type { Kysely } from 'kysely';
import { migrations, readSchema } from '../engine/migrate.ts';
import type { Tables } from '../engine/schema.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import type { NodeEndpointRecord, NodeRecord } from './node-records.ts';

export const nodeChanges: ChangesOf<`nodes/${'join' | 'alive' | 'leave'}`> = {
  'nodes/join': async function ({ db, now }, { replaces, ...node }) {
    // Servers that start at the same moment wait for each other here, so that the later one sees the earlier one.
    await db
      .updateTable('server_identity')
      .set((eb) => ({ number: eb.ref('number') }))
      .execute();
    await db.deleteFrom('node').where('alive_until', '<=', now).execute();
    const own = await findOwn(db, node);
    const isTaken = own?.isOther && own.aliveUntil !== replaces;
    if (!isTaken) await enter(db, node);
    return { ...(await findAround(db, node.id, now)), ...(isTaken && { takenUntil: own.aliveUntil }) };
  },

  // A node that was frozen may have been removed: it enters itself again.
  'nodes/alive': async function ({ db, now }, node) {
    const own = await findOwn(db, node);
    if (!own?.isOther) await enter(db, node);
    const entry = own?.isOther ? 'taken' : own ? 'kept' : 'removed';
    return { ...(await findAround(db, node.id, now)), entry };
  },

  'nodes/leave': async function ({ db }, { id }) {
    await db.deleteFrom('node').where('id', '=', id).execute();
    return {};
  },
};

/** The entry under the name of the node, and whether another start of the program has made it. */
async function findOwn(db: Kysely<Tables>, { id, shared }: NodeRecord) {
  const row = await db
    .selectFrom('node')
    .select(['alive_until', 'shared'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row && { aliveUntil: row.alive_until, isOther: sharedOf(row)['start'] !== shared['start'] };
}

const findAround = async (db: Kysely<Tables>, id: string, now: number) => ({
  others: await findOthersAlive(db, id, now),
  required: (await readSchema(db)).required,
});

const sharedOf = (row: { shared: string }): NodeRecord['shared'] =>
  JSON.parse(row.shared) as NodeRecord['shared'];

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
    shared: sharedOf(row),
    ...(row.endpoint !== null && { endpoint: JSON.parse(row.endpoint) as NodeEndpointRecord }),
  }));
}
