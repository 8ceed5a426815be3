/** Notes about devices in SQL. */
import { fault } from '@drawbridge/contract/faults';
import type { ChangesOf } from '../engine/transaction.ts';

const changedMeanwhile = fault('invalid', {
  code: 'changed_meanwhile',
  field: 'before',
  message: 'Someone else has changed the notes in the meantime.',
});

export const noteChanges: ChangesOf<'agents/notes'> = {
  'agents/notes': async function ({ db }, { accountId, id, notes, before }) {
    const row = await db
      .updateTable('agent')
      .set({ notes })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .$if(before !== undefined, (update) => update.where('notes', '=', before!))
      .returning('id')
      .executeTakeFirst();
    if (row) return {};
    if (before === undefined) return fault('not_found');
    const agent = await db
      .selectFrom('agent')
      .select('id')
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst();
    return agent ? changedMeanwhile : fault('not_found');
  },
};
