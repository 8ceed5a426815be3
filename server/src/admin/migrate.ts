/** `migrate`: brings the database to the newest schema without starting a server, and removes what older servers needed. */
import type { Config } from '../config/config.ts';
import { migrateDatabase } from '../store/engine/dialect.ts';
import { lockFolder } from '../store/engine/lock.ts';
import { failWith, isFailure, type AdminCommand, type CommandOutcome, type Failure } from './command.ts';
import { databaseOf, withDatabase } from './store-access.ts';

export const migrateCommand: AdminCommand = {
  name: 'migrate',
  says: 'Bring the database to the newest schema without starting the server.',
  options: {
    contract: { says: 'Also remove what older servers need. Refused while one of them is alive.' },
  },
  async run({ options }, context) {
    const contracts = options['contract'] !== undefined;
    const migrated = await withDatabase(context, (_found, config) =>
      migrateOrRefuse(config, contracts, (holder) =>
        context.err(`Waiting for another program that migrates the database: ${holder}\n`),
      ),
    );
    if (isFailure(migrated)) return migrated;
    return withDatabase<CommandOutcome>(context, async ({ schema, pending }) => {
      if (contracts && pending.length > 0) return failWith(olderAliveText);
      const waits = pending.length > 0 ? ' What older servers need is still there: see --contract.' : '';
      return { data: { schema, pending }, says: `The database has schema ${schema}.${waits}` };
    });
  },
};

const olderAliveText =
  'A server of an older version is alive: upgrade or stop it first. If it was killed just now, wait 20 seconds.';

/** An embedded database belongs to the server that runs on it. */
async function migrateOrRefuse(
  config: Config,
  contracts: boolean,
  onMigrationWait: (holder: string) => void,
): Promise<true | Failure> {
  const lock = config.database === undefined ? lockFolder(config.data) : { release: () => {} };
  if (!lock)
    return failWith(
      `A server runs on the data folder ${config.data}: stop it first. It migrates when it starts.`,
    );
  try {
    await migrateDatabase({ ...databaseOf(config), contracts, onMigrationWait });
    return true;
  } finally {
    lock.release();
  }
}
