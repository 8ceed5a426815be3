/** `restore FILE`: restores a backup into the database that the settings name. */
import { resolve } from 'node:path';
import { isFault } from '@drawbridge/contract/faults';
import { restore as restoreStore } from '../store/upkeep/restore.ts';
import { countText } from './backup.ts';
import { isFailure, failWith, type AdminCommand } from './command.ts';
import { configOf, findOrRefuse, databaseOf, describeDatabase } from './store-access.ts';

export const restoreCommand: AdminCommand = {
  name: 'restore',
  says: 'Restore a backup while the server is stopped. SQLite and PostgreSQL can restore each other’s backups.',
  operand: 'FILE',
  options: { replace: { says: 'Replace the accounts that already exist.' } },
  async run({ operand, options }, context) {
    const config = await configOf(context);
    if (isFailure(config)) return config;
    const replace = options['replace'] !== undefined;
    const found = await findOrRefuse(config);
    // A database that is too damaged to be opened may be replaced.
    if (isFailure(found) && !replace) return found;
    if (!isFailure(found)) await found?.close();
    const restored = await restoreStore(databaseOf(config), resolve(context.folder, operand), replace);
    if (isFault(restored)) return failWith(restored.message!);
    return {
      data: restored,
      says: `Restored ${countText(restored.accounts, 'account')} in ${countText(restored.rows, 'row')} to ${describeDatabase(config)}.`,
    };
  },
};
