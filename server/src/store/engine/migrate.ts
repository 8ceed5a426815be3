/**
 * Brings a database to the newest schema in two steps: expand at every start, contract once no older server is alive.
 * Migrations are numbered by their position in the list and only ever appended.
 */
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
import { migrationSteps } from './migrations/0025-migration-steps.ts';
import { logoutOfPerson } from './migrations/0026-logout-of-a-person.ts';
import { webhookSecrets } from './migrations/0027-webhook-secrets.ts';
import { waitingApprovals } from './migrations/0028-waiting-approvals.ts';
import { storedPictures } from './migrations/0029-stored-pictures.ts';
import { holders } from './migrations/0030-holders.ts';
import { askedPermissions } from './migrations/0031-asked-permissions.ts';
import type { Migration, MigrationSteps, SchemaDialect, WholeMigration } from './migration.ts';
import type { Tables } from './schema.ts';

/** Those from before migrations had steps. */
const wholeMigrations: readonly Migration[] = [
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

export type ListedMigration = MigrationSteps | WholeMigration;

export const migrations: readonly ListedMigration[] = [
  ...wholeMigrations.map((whole) => ({ whole })),
  migrationSteps,
  logoutOfPerson,
  webhookSecrets,
  waitingApprovals,
  storedPictures,
  holders,
  askedPermissions,
];

/** The first migration whose row says whether it is contracted. */
const stepsSince = wholeMigrations.length + 1;

/** What a database says about its schema. */
export interface SchemaState {
  /** The number of its last migration; 0 when it has none of our tables. */
  schema: number;
  /** The number of the last migration without which a server cannot work with it. */
  required: number;
  /** The migrations whose contract step has not run, as far as this program knows them. */
  pending: readonly number[];
}

export const emptySchema: SchemaState = { schema: 0, required: 0, pending: [] };

export async function readSchema(db: Kysely<Tables>): Promise<SchemaState> {
  const schema = await schemaVersion(db);
  if (schema < stepsSince) return { schema, required: schema, pending: [] };
  const { rows } = await sql<{ number: number; contracted: number }>`select number, contracted from migration
    order by number`.execute(db);
  const open = new Set(rows.filter(({ contracted }) => !contracted).map(({ number }) => number));
  return {
    schema,
    required: Math.max(...rows.map(({ number }) => (open.has(number) ? 0 : number))),
    pending: numbersWithContract().filter((number) => open.has(number)),
  };
}

const numbersWithContract = (): number[] =>
  migrations.flatMap((each, index) => (!('whole' in each) && each.contract ? [index + 1] : []));

/** Whether the contract step of a migration has run: no server is alive that does not know it, and none can start. */
export const isContracted = async (db: Kysely<Tables>, migration: MigrationSteps): Promise<boolean> =>
  !(await readSchema(db)).pending.includes(migrations.indexOf(migration) + 1);

export async function schemaVersion(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ number: number | null }>`select max(number) as number from migration`.execute(
    db,
  );
  return rows[0]?.number ?? 0;
}

/** Whether this program can work with the database once it has been expanded. */
export const supportsSchema = ({ required }: Pick<SchemaState, 'required'>): boolean =>
  required <= migrations.length;

export const unsupportedSchemaText = ({ required }: Pick<SchemaState, 'required'>): string =>
  `The database has schema ${required}, but this Drawbridge supports schemas only up to ${migrations.length}: start a newer Drawbridge.`;

/**
 * Runs the missing migrations without their contract steps, each in one transaction with its number: an interrupted
 * migration leaves nothing behind. The connection must be the only one that migrates (see dialect.ts). Returns what was
 * there before.
 */
export async function expand(
  db: Kysely<Tables>,
  dialect: SchemaDialect,
  upTo = migrations.length,
): Promise<SchemaState> {
  await sql`create table if not exists migration (number integer primary key)`.execute(db);
  const found = await readSchema(db);
  if (!supportsSchema(found)) throw new Error(unsupportedSchemaText(found));
  for (let number = found.schema + 1; number <= upTo; number++)
    await db.transaction().execute(async (tx) => {
      const migration = migrations[number - 1]!;
      const statements = 'whole' in migration ? migration.whole : migration.expand;
      await run(tx, statements?.(dialect) ?? [], dialect);
      await (
        number < stepsSince
          ? sql`insert into migration (number) values (${number})`
          : sql`insert into migration (number, contracted) values (${number}, 0)`
      ).execute(tx);
    });
  return found;
}

/** Runs the contract steps that have not run, each in one transaction in which `mayContract` allows it. Returns their numbers. */
export async function contract(
  db: Kysely<Tables>,
  dialect: SchemaDialect,
  mayContract: (tx: Kysely<Tables>, number: number) => Promise<boolean> = () => Promise.resolve(true),
): Promise<number[]> {
  const done: number[] = [];
  for (const number of (await readSchema(db)).pending) {
    const isDone = await db.transaction().execute(async (tx) => {
      if (!(await mayContract(tx, number))) return false;
      await run(tx, (migrations[number - 1] as Required<MigrationSteps>).contract(dialect), dialect);
      await sql`update migration set contracted = 1 where number = ${number}`.execute(tx);
      return true;
    });
    if (isDone) done.push(number);
  }
  return done;
}

/** Brings a database that no server uses to the newest schema, or to an earlier one. */
export async function migrate(db: Kysely<Tables>, dialect: SchemaDialect, upTo?: number): Promise<void> {
  await expand(db, dialect, upTo);
  await contract(db, dialect);
}

async function run(db: Kysely<Tables>, statements: string[], dialect: SchemaDialect): Promise<void> {
  for (const statement of [...statements, ...tablesCreated(statements).flatMap(dialect.accountRowSecurity)])
    await sql.raw(statement).execute(db);
}

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
