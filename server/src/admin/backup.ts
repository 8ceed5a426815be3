/** `backup FILE`: copies a snapshot of the database into one file while the server runs. */
import { resolve } from 'node:path';
import { isFault } from '@drawbridge/contract/faults';
import { backUp } from '../store/upkeep/backup.ts';
import type { OnCopied } from '../store/upkeep/copy-tables.ts';
import { failWith, type AdminCommand, type ProcessContext } from './command.ts';
import { withDatabase } from './store-access.ts';

export const backupCommand: AdminCommand = {
  name: 'backup',
  says: 'Copy the database into one file. The server can keep running.',
  operand: 'FILE',
  options: { force: { says: 'Overwrite an existing backup.' } },
  run: ({ operand, options }, context) =>
    withDatabase(context, async (found, { secretsKey }) => {
      const made = await backUp(found, resolve(context.folder, operand), {
        force: options['force'] !== undefined,
        ...(options['json'] === undefined && { onCopied: progress(context) }),
      });
      if (isFault(made)) return failWith(made.message!);
      const size = (made.bytes / 1_048_576).toFixed(1);
      return {
        data: made,
        says: `${made.file} holds ${countText(made.accounts, 'account')} in ${countText(made.rows, 'row')} (${size} MB).${keyAdvice(secretsKey?.file)}`,
      };
    }),
};

/** Anyone who has both can read the secrets, so the backup does not contain the key. */
const keyAdvice = (file: string | undefined): string =>
  file === undefined
    ? ''
    : `\nThe key of stored secrets is not in it: keep a copy of ${file} too, apart from the backup.`;

export const countText = (amount: number, noun: string): string =>
  `${amount.toLocaleString('en')} ${noun}${amount === 1 ? '' : 's'}`;

const progressEveryMs = 1_000;

/** Prints at most one line per second, so that a short backup prints none. */
function progress({ err }: ProcessContext): OnCopied {
  let last = performance.now();
  return (table, rows) => {
    if (performance.now() - last < progressEveryMs) return;
    last = performance.now();
    err(`copying ${table}: ${countText(rows, 'row')}\n`);
  };
}
