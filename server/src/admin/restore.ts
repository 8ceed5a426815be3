/** `restore FILE`: puts a backup in place, into whichever database the settings name. */
import { resolve } from 'node:path';
import { isFault } from '@drawbridge/contract/faults';
import { restore as restoreStore } from '../store/restore.ts';
import { count } from './backup.ts';
import { isFailure, refuse, type Command } from './command.ts';
import { configOf, find, placeOf, whereIs } from './place.ts';

export const restore: Command = {
  name: 'restore',
  says: 'Restore a backup while the server is stopped. SQLite and PostgreSQL can restore each other’s backups.',
  operand: 'FILE',
  options: { replace: { says: 'Replace the accounts that already exist.' } },
  async run({ operand, options }, world) {
    const config = await configOf(world);
    if (isFailure(config)) return config;
    const replace = options['replace'] !== undefined;
    const found = await find(config);
    // A database that is too damaged to look at is a reason to replace it.
    if (isFailure(found) && !replace) return found;
    if (!isFailure(found)) await found?.close();
    const restored = await restoreStore(placeOf(config), resolve(world.folder, operand), replace);
    if (isFault(restored)) return refuse(restored.message!);
    return {
      data: restored,
      says: `Restored ${count(restored.accounts, 'account')} in ${count(restored.rows, 'row')} to ${whereIs(config)}.`,
    };
  },
};
