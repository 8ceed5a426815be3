/** Brings a database to the newest schema. Migrations are numbered by their position in the list and only ever appended. */
import { sql, type Kysely } from 'kysely';
import { accounts } from './migrations/0001-accounts.ts';
import { devices } from './migrations/0002-devices.ts';
import { files } from './migrations/0003-files.ts';
import { hideServerIdentity } from './migrations/0004-hide-server-identity.ts';
import { sessions } from './migrations/0005-sessions.ts';
import { recordings } from './migrations/0006-recordings.ts';
import { panel } from './migrations/0007-panel.ts';
import { personalLinks } from './migrations/0008-personal-links.ts';
import { knownNetworks } from './migrations/0009-known-networks.ts';
import { onetimeUrls } from './migrations/0010-onetime-urls.ts';
import { notifications } from './migrations/0011-notifications.ts';
import { personNames } from './migrations/0012-person-names.ts';
import { listVersion } from './migrations/0013-list-version.ts';
import { policies } from './migrations/0014-policies.ts';
import { nodes } from './migrations/0015-nodes.ts';
import { updates } from './migrations/0016-updates.ts';
import { nodeEndpoints } from './migrations/0017-node-endpoints.ts';
import { directories } from './migrations/0018-directories.ts';
import { accessRequests } from './migrations/0019-access-requests.ts';
import { directorySignIn } from './migrations/0020-directory-sign-in.ts';
import { providers } from './migrations/0021-providers.ts';
import { provisioning } from './migrations/0022-provisioning.ts';
import { providerLogout } from './migrations/0023-provider-logout.ts';
import { webhooks } from './migrations/0024-webhooks.ts';
import type { Migration, SchemaDialect } from './migration.ts';
import type { Tables } from './schema.ts';

export const migrations: readonly Migration[] = [
  accounts,
  devices,
  files,
  hideServerIdentity,
  sessions,
  recordings,
  panel,
  personalLinks,
  knownNetworks,
  onetimeUrls,
  notifications,
  personNames,
  listVersion,
  policies,
  nodes,
  updates,
  nodeEndpoints,
  directories,
  accessRequests,
  directorySignIn,
  providers,
  provisioning,
  providerLogout,
  webhooks,
];

/**
 * The account tables that these statements create and that need row-level security, unless the statements already
 * enable it.
 */
const tablesCreated = (statements: string[]): string[] =>
  statements
    .flatMap((statement) =>
      statement.includes('account_id') ? (/^create table (\w+)/.exec(statement)?.[1] ?? []) : [],
    )
    .filter((table) => !statements.some((each) => each.includes(` on ${table} using `)));

/**
 * Runs the missing migrations, each in one transaction with its number: an interrupted migration leaves nothing behind.
 * The connection must be the only one that migrates (see dialect.ts).
 */
export async function migrate(
  db: Kysely<Tables>,
  dialect: SchemaDialect,
  upTo = migrations.length,
): Promise<void> {
  await sql`create table if not exists migration (number integer primary key)`.execute(db);
  const done = await schemaVersion(db);
  if (done > migrations.length) throw new Error(newerSchemaMessage(done));
  for (let number = done + 1; number <= upTo; number++) await apply(db, number, dialect);
}

export async function schemaVersion(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ number: number | null }>`select max(number) as number from migration`.execute(
    db,
  );
  return rows[0]?.number ?? 0;
}

const newerSchemaMessage = (found: number): string =>
  `The database has schema ${found}, but this Drawbridge supports schemas only up to ${migrations.length}: start a newer Drawbridge.`;

async function apply(db: Kysely<Tables>, number: number, dialect: SchemaDialect): Promise<void> {
  const statements = migrations[number - 1]!(dialect);
  await db.transaction().execute(async (tx) => {
    for (const statement of [...statements, ...tablesCreated(statements).flatMap(dialect.accountRowSecurity)])
      await sql.raw(statement).execute(tx);
    await sql`insert into migration (number) values (${number})`.execute(tx);
  });
}
