/** The key that identifies the server to its devices, in SQL, so that every node and every backup has the same. */
import type { ChangesOf } from '../engine/transaction.ts';

export const identityChanges: ChangesOf<'server/identity' | 'server/probe'> = {
  'server/identity': async function ({ db }, { privateKey, publicKey }) {
    await db
      .insertInto('server_identity')
      .values({ number: 1, private_key: privateKey, public_key: publicKey })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const row = await db.selectFrom('server_identity').selectAll().executeTakeFirstOrThrow();
    return { privateKey: row.private_key, publicKey: row.public_key };
  },

  'server/probe': async function ({ db }) {
    await db
      .updateTable('server_identity')
      .set((eb) => ({ number: eb.ref('number') }))
      .execute();
    return {};
  },
};
