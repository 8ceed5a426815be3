/** The file with the keys of stored secrets: one per line, of which the first seals and all open. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { chownToFolderOwner, fsyncPath } from '../blobs/durable-files.ts';
import { newSecretKey, toSecretKey, type SealingKey } from './secret-box.ts';

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Throws where the file cannot be read, or a line is not a key. Keys are never part of the message. */
export function readSecretKeys(file: string): SealingKey[] {
  const keys = linesOf(readFileSync(file, 'utf8')).map((line, at) => {
    const isBase64 = /^[\w+/-]+={0,2}$/.test(line);
    const key = isBase64 ? toSecretKey(Buffer.from(line, 'base64')) : undefined;
    if (!key) throw new Error(`key ${at + 1} is not 32 bytes in base64`);
    return key;
  });
  if (keys.length === 0) throw new Error('it holds no key');
  return keys;
}

/** Creates the file with one key, unless it exists. */
export function ensureKeyFile(file: string): void {
  if (!existsSync(file)) replaceFile(file, `${newSecretKey()}\n`);
}

/** Adds a new key before the others, and returns how many there are now. */
export function addSecretKey(file: string): number {
  const before = linesOf(readFileSync(file, 'utf8'));
  replaceFile(file, [newSecretKey(), ...before, ''].join('\n'));
  return before.length + 1;
}

/** The file is complete or as it was before, whatever happens: without the keys nothing that they sealed opens. */
function replaceFile(file: string, text: string): void {
  const partial = `${file}.${randomUUID()}`;
  try {
    writeFileSync(partial, text, { flag: 'wx', mode: 0o600 });
    chownToFolderOwner(partial);
    fsyncPath(partial);
    renameSync(partial, file);
    fsyncPath(dirname(file));
  } finally {
    rmSync(partial, { force: true });
  }
}
