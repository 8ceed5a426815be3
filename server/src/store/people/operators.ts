/** Server administrators, in SQL. */
import { fault } from '@drawbridge/contract/faults';
import { lockServer } from './accounts.ts';
import { bumpRightsVersion } from './account-versions.ts';
import type { ChangesOf } from '../engine/transaction.ts';

export const operatorChanges: ChangesOf<'operators/add' | 'operators/remove'> = {
  'operators/add': async function ({ db }, { member: { accountId, id } }) {
    const row = await db
      .updateTable('member')
      .set({ operator: 1 })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    await bumpRightsVersion(db, accountId);
    return row ? {} : fault('not_found');
  },

  'operators/remove': async function (tx, { member: { accountId, id }, evenLast }) {
    const { db } = tx;
    // Without the lock, two administrators removed at the same moment would each see the other.
    await lockServer(tx);
    const others = await db
      .selectFrom('member')
      .select('id')
      .where('operator', '=', 1)
      .where('id', '<>', id)
      .limit(1)
      .executeTakeFirst();
    if (!others && !evenLast) return fault('invalid', { code: 'last_operator' });
    const row = await db
      .updateTable('member')
      .set({ operator: 0 })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('operator', '=', 1)
      .returning('id')
      .executeTakeFirst();
    await bumpRightsVersion(db, accountId);
    return row ? {} : fault('not_found');
  },
};
