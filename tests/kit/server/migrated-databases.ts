/**
 * Empty databases with the newest schema, made once for a run of the suite. A store that begins with a copy has
 * nothing to migrate. Tests of first starts and of migrations do not use them.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@drawbridge/server/store/engine/open';
import { databaseFile, prepareDatabaseFile } from '@drawbridge/server/store/engine/sqlite';
import { keepAsTemplate, openDatabaseFor } from './database.ts';

/** Where the processes of the test files find them. */
const [fileVariable, databaseVariable] = ['TEST_MIGRATED_FILE', 'TEST_MIGRATED_DATABASE'];

/** The name of the PostgreSQL database, and of the role that owns it. */
export const migratedDatabase = (): string | undefined => process.env[databaseVariable];

/** Makes them for all processes that this one starts. The file is removed with this process, the database with its cluster. */
export async function prepareMigratedDatabases(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-migrated-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await prepareDatabaseFile(folder);
  process.env[fileVariable] = databaseFile(folder);
  if (process.env['TEST_POSTGRES_URL'] === undefined) return;
  const { env } = await openDatabaseFor('postgres');
  const url = env['DRAWBRIDGE_DATABASE']!;
  await (await openStore({ folder, url })).close();
  const name = new URL(url).username;
  await keepAsTemplate(name);
  process.env[databaseVariable] = name;
}

/** Puts a copy of the SQLite database into the folder of a store that was not opened yet. */
export function copyMigratedFile(folder: string): void {
  const file = process.env[fileVariable];
  if (file !== undefined) copyFileSync(file, databaseFile(folder));
}
