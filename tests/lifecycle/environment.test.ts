/** What the launcher gives the process of a server. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createDataFolder, launchServer } from './launched-server.ts';

const arenasOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .filter((entry) => entry.startsWith('MALLOC_ARENA_MAX='));

test('a server uses one arena of memory, in the process that was started, unless the environment says another number', async () => {
  using data = createDataFolder();
  for (const [given, expected] of [
    [{}, '1'],
    [{ MALLOC_ARENA_MAX: '3' }, '3'],
    [{ MALLOC_ARENA_MAX: '' }, ''],
  ] as const) {
    await using server = await launchServer({ DRAWBRIDGE_DATA: data.folder, ...given });

    assert.deepEqual(arenasOf(server.pid), [`MALLOC_ARENA_MAX=${expected}`]);
  }
});
