/** One exported name has one meaning: no two files define the same one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedNames } from './exported-names.ts';
import { filesOf, read } from './imports.ts';

const files = filesOf(
  '{contract,session,sdk,server,cli,agent,relay,web,tests,scripts,bench}/**/*.{ts,tsx}',
).filter((file) => !file.endsWith('.d.ts') && !file.includes('/fixtures/'));

test('no exported name is defined in two files', () => {
  assert.deepEqual(sharedNames(new Map(files.map((file) => [file, read(file)]))), []);
});

test('a shared name is found in any form; adapters, systems and migrations may share theirs', () => {
  const texts = new Map([
    ['server/src/a.ts', 'export function open() {}\nexport const rows = 1;\nconst own = 2;'],
    ['web/src/b.tsx', 'export async function open() {}\nexport interface Rows {}\nconst own = 2;'],
    ['cli/src/c.ts', 'export type Rows = string;'],
    ['session/src/node/socket.ts', 'export const openSocket = 1;'],
    ['session/src/browser/socket.ts', 'export const openSocket = 2;'],
    ['agent/src/platform/linux/x11/input.ts', 'export const openInput = 1;'],
    ['agent/src/platform/linux/vnc/input.ts', 'export const openInput = 2;'],
    ['agent/src/platform/windows/input/input.ts', 'export const openInput = 3;'],
    ['agent/src/platform/linux/files.ts', 'export const openFiles = 1;'],
    ['agent/src/platform/windows/files.ts', 'export const openFiles = 2;\nexport const twice = 1;'],
    ['agent/src/platform/windows/keys.ts', 'export const twice = 2;'],
    ['server/src/store/engine/migrations/0001-rows.ts', 'export const rows = 2;'],
  ]);

  assert.deepEqual(sharedNames(texts), [
    'open: server/src/a.ts, web/src/b.tsx',
    'Rows: web/src/b.tsx, cli/src/c.ts',
    'twice: agent/src/platform/windows/files.ts, agent/src/platform/windows/keys.ts',
  ]);
});
