/** The e-mail addresses of people and the names that they give themselves, in SQL. */
import { fault } from '@drawbridge/contract/faults';
import { fold } from '../../domain/text.ts';
import type { Reader } from '../engine/database.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import type { Reads } from '../store.ts';

export const memberNameReads = (reader: Reader): Pick<Reads['members'], 'addresses' | 'names'> => ({
  async addresses(accountId, ids) {
    if (ids.length === 0) return new Map();
    const rows = await reader(accountId)
      .selectFrom('member')
      .select(['id', 'email'])
      .where('account_id', '=', accountId)
      .where('id', 'in', [...ids])
      .execute();
    return new Map(rows.map(({ id, email }) => [id, email]));
  },

  async names(accountId, emails) {
    if (emails.length === 0) return [];
    return reader(accountId)
      .selectFrom('member')
      .select(['email', 'name'])
      .where('account_id', '=', accountId)
      .where('email_folded', 'in', [...new Set(emails.map(fold))])
      .where('name', '<>', '')
      .orderBy('id')
      .execute();
  },
});

export const memberNameChanges: ChangesOf<'members/name'> = {
  'members/name': async function ({ db }, { accountId, memberId, name }) {
    const changed = await db
      .updateTable('member')
      .set({ name })
      .where('account_id', '=', accountId)
      .where('id', '=', memberId)
      .returning('id')
      .executeTakeFirst();
    return changed ? {} : fault('not_found');
  },
};
