/** A number beside the embedded database that tells whether the database still has the changes that were stored. */
import { readFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type SqliteDatabase from 'better-sqlite3';
import { ensureFile } from '../../blobs/durable-files.ts';

/** SQLite keeps the number in the header of the database, as a part of the transaction. */
const numberIn = (database: SqliteDatabase.Database): number =>
  database.pragma('user_version', { simple: true }) as number;

const markFileOf = (databaseFile: string): string => `${databaseFile}-mark`;

const everyMs = 1_000;
/** The file is overwritten in place, so the text always has the same length. */
const textOf = (number: number): string => `${String(number).padStart(15, '0')}\n`;

function readMark(databaseFile: string): number {
  try {
    return Number(/^\d{15}\n$/.exec(readFileSync(markFileOf(databaseFile), 'utf8'))?.[0] ?? 0);
  } catch {
    return 0; // there is none: the database is new, restored, or its loss was accepted
  }
}

/** Why the database must not be used, if changes that were stored are missing from it. */
export function findLostChanges(database: SqliteDatabase.Database, databaseFile: string): string | undefined {
  if (readMark(databaseFile) <= numberIn(database)) return undefined;
  return `changes that were stored are missing from ${databaseFile}: restore a backup, or accept the loss with rm ${markFileOf(databaseFile)}`;
}

export interface ChangeMark {
  /** In a transaction, before its commit: counts it, at most once a second. */
  advance(): void;
  /** After the commit: writes down what was counted. */
  save(): void;
  close(): Promise<void>;
}

export function openChangeMark(database: SqliteDatabase.Database, databaseFile: string): ChangeMark {
  const markFile = markFileOf(databaseFile);
  let handle: FileHandle | undefined;
  let counted: number | undefined;
  let saving: Promise<void> | undefined;
  let lastAt = -everyMs;
  const write = async (number: number): Promise<void> => {
    if (!handle) {
      ensureFile(markFile);
      handle = await open(markFile, 'r+');
    }
    await handle.write(textOf(number), 0);
    await handle.datasync();
  };
  return {
    advance() {
      counted = undefined;
      if (saving || performance.now() - lastAt < everyMs) return;
      counted = numberIn(database) + 1;
      database.pragma(`user_version = ${counted}`);
    },
    save() {
      if (counted === undefined) return;
      lastAt = performance.now();
      // Without space for it the mark stays as it is, and notices less.
      saving = write(counted)
        .catch(() => {})
        .finally(() => (saving = undefined));
    },
    async close() {
      await saving;
      await handle?.close();
    },
  };
}
