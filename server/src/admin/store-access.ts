/** Opens the store with the settings of the server, or returns a sentence that says why it could not. */
import { loadConfig, type Config } from '../config/config.ts';
import { postgresUrlsOf } from '../domain/postgres-url.ts';
import type { InspectedDatabase, DatabaseOptions } from '../store/engine/database.ts';
import { inspectDatabase } from '../store/engine/dialect.ts';
import { migrations, supportsSchema } from '../store/engine/migrate.ts';
import { openStore } from '../store/engine/open.ts';
import type { Store } from '../store/store.ts';
import { isFailure, usageError, failWith, type Failure, type ProcessContext } from './command.ts';

export async function configOf({ env, folder }: ProcessContext): Promise<Config | Failure> {
  const { config, problems } = await loadConfig({ env, cwd: folder });
  return config ?? usageError(problems.join('\n'));
}

export const databaseOf = ({ database: url, data: folder }: Config): DatabaseOptions => ({
  url,
  folder,
  poolSize: 2,
});

/** Where the store is, without the password in its URL. */
export function describeDatabase({ database, data }: Config): string {
  if (database === undefined) return `the data folder ${data}`;
  const urls = (postgresUrlsOf(database) ?? []).map((url) => new URL(url));
  const hosts = urls.map(({ host }) => host || 'the local socket').join(' or ');
  return `the database ${decodeURIComponent(urls[0]?.pathname.slice(1) ?? '')} at ${hosts}`;
}

/** The message of an error, without a stack, a newline or a full stop. */
export function errorText(error: unknown): string {
  const { message, code, errors } = error as { message?: string; code?: string; errors?: unknown[] };
  if (message) return message.split('\n')[0]!.replace(/\.$/, '');
  return errors?.length ? errorText(errors[0]) : (code ?? String(error));
}

/** The database without migrating it; undefined when there is none yet. */
export const findOrRefuse = (config: Config): Promise<InspectedDatabase | undefined | Failure> =>
  inspectDatabase(databaseOf(config)).catch((error: unknown) =>
    failWith(`${capitalize(describeDatabase(config))} cannot be opened: ${errorText(error)}.`),
  );

export const noStoreText = (config: Config): string =>
  `There is no Drawbridge data in ${describeDatabase(config)} yet: run drawbridge start first.`;

export const newerSchemaText = (schema: number): string =>
  `The database has schema ${schema}, but this Drawbridge supports schemas only up to ${migrations.length}: use a newer Drawbridge.`;

export const olderSchemaText = (schema: number): string =>
  `The database has schema ${schema}, but this Drawbridge needs schema ${migrations.length}: start the server once to update the database.`;

/** Runs `work` on the database with any schema that we support. Nothing is created or migrated. */
export async function withDatabase<Result>(
  context: ProcessContext,
  work: (found: InspectedDatabase, config: Config) => Promise<Result | Failure>,
): Promise<Result | Failure> {
  const config = await configOf(context);
  if (isFailure(config)) return config;
  const found = await findOrRefuse(config);
  if (isFailure(found)) return found;
  if (!found) return failWith(noStoreText(config));
  try {
    if (found.schema === 0) return failWith(noStoreText(config));
    if (!supportsSchema(found)) return failWith(newerSchemaText(found.required));
    return await work(found, config);
  } finally {
    await found.close();
  }
}

/** Runs `work` on a database that exists and is up to date. */
export const withCurrentDatabase = <Result>(
  context: ProcessContext,
  work: Parameters<typeof withDatabase<Result>>[1],
) =>
  withDatabase<Result>(context, (found, config) =>
    found.schema >= migrations.length
      ? work(found, config)
      : Promise.resolve(failWith(olderSchemaText(found.schema))),
  );

/** Runs `work` on a store that exists and is up to date, and that it may change. */
export const withStore = <Result>(
  context: ProcessContext,
  work: (store: Store, config: Config) => Promise<Result | Failure>,
): Promise<Result | Failure> =>
  withCurrentDatabase<Result>(context, (_found, config) =>
    withOpenStore(config, (store) => work(store, config)),
  );

/** Opens the store and creates it if there is none. */
export async function withOpenStore<Result>(
  config: Config,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(databaseOf(config));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
