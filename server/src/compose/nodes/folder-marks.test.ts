/** Tests the marks by which servers recognise a folder that they share. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { folderMark } from './folder-marks.ts';

function createFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-marks-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('servers that start at the same moment read the same mark', async (t) => {
  const folder = createFolder(t);

  const marks = await Promise.all([1, 2, 3].map(() => folderMark(folder)));

  assert.match(marks[0]!, /^[\da-f]{32}$/);
  assert.deepEqual(new Set(marks).size, 1);
});

test('a mark whose text another server is still writing is waited for', async (t) => {
  const folder = createFolder(t);
  writeFileSync(join(folder, 'mark'), '');

  const mark = await folderMark(folder, async () => writeFileSync(join(folder, 'mark'), 'theirs'));

  assert.equal(mark, 'theirs');
});

test('a mark that stays empty is named in the refusal', async (t) => {
  const folder = createFolder(t);
  writeFileSync(join(folder, 'mark'), '');

  await assert.rejects(
    folderMark(folder, async () => {}),
    /mark is empty\. Remove it/,
  );
});
