/** `account list`: lists the accounts of this server. */
import { stripHostileCharacters } from '../domain/text.ts';
import { accountReads } from '../store/people/accounts.ts';
import type { AdminCommand } from './command.ts';
import { withCurrentDatabase } from './store-access.ts';
import { timeText } from './values.ts';

export const accountList: AdminCommand = {
  name: 'account list',
  says: 'List the accounts of the server.',
  options: {},
  run: (_args, context) =>
    withCurrentDatabase(context, async (found) => {
      const list = await found.snapshot((db) => accountReads(() => db).list());
      const lines = list.map(({ accountId, email, createTime }) =>
        [String(accountId).padStart(6), timeText(createTime), stripHostileCharacters(email)].join('  '),
      );
      return {
        data: {
          accounts: list.map(({ accountId, email, createTime }) => ({
            account_id: accountId,
            email,
            create_time: createTime,
          })),
        },
        says: lines.length === 0 ? 'There are no accounts yet.' : lines.join('\n'),
      };
    }),
};
