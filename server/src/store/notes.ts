/** What people wrote down about devices, in SQL. */
import { fault } from '@drawbridge/contract/faults';
import type { ChangesOf } from './change.ts';

export const noteChanges: ChangesOf<'agents/notes'> = {
  async 'agents/notes'({ db }, { accountId, id, notes }) {
    const row = await db
      .updateTable('agent')
      .set({ notes })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    return row ? {} : fault('not_found');
  },
};
