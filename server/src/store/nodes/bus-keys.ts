/** The keys of messages between nodes, in SQL. They are replaced regularly, and a node that is away fetches them when it returns. */
import type { ChangesOf } from '../engine/transaction.ts';

/** After how long new messages are sealed with a new key. */
const newKeyAfterSeconds = 86_400;
/** How long a key is accepted. Longer than a node may work without having fetched the newer one. */
const keptSeconds = 2 * newKeyAfterSeconds;

export const busKeyChanges: ChangesOf<'bus/keys'> = {
  'bus/keys': async function ({ db, now }, { fresh }) {
    await db
      .deleteFrom('bus_key')
      .where('created_time', '<', now - keptSeconds)
      .execute();
    const newest = await db
      .selectFrom('bus_key')
      .select('id')
      .where('created_time', '>', now - newKeyAfterSeconds)
      .limit(1)
      .executeTakeFirst();
    // Two nodes may add a key at the same moment: both keys are valid then.
    if (!newest) await db.insertInto('bus_key').values({ secret: fresh, created_time: now }).execute();
    const rows = await db.selectFrom('bus_key').select(['id', 'secret']).orderBy('id').execute();
    return { keys: rows };
  },
};
