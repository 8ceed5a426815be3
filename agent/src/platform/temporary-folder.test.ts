/** Tests of the folder that exists only while the program runs. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from './temporary-folder.ts';

/** No process has this id. */
const gone = 2 ** 30;

test('the folder is private to its owner, and folders left by programs that have ended are removed', () => {
  const parent = mkdtempSync(join(tmpdir(), 'drawbridge-temporary-'));
  const [left, used, other] = [
    `drawbridge-agent-${gone}-abcdef`,
    `drawbridge-agent-${process.ppid}-abcdef`,
    `drawbridge-agent-${gone}-of-mine`,
  ].map((name) => join(parent, name));
  for (const each of [left!, used!, other!]) mkdirSync(join(each, 'inner'), { recursive: true });

  const folder = temporaryFolder(parent);

  assert.equal(join(parent, folder.slice(parent.length + 1)), folder);
  assert.deepEqual([readdirSync(folder), statSync(folder).mode & 0o777], [[], 0o700]);
  assert.deepEqual(
    [left, used, other].map((each) => existsSync(each!)),
    [false, true, true],
  );
  rmSync(parent, { recursive: true });
});

test('if a location does not exist, the next one is used', () => {
  const folder = temporaryFolder(join(tmpdir(), 'drawbridge-is-not-there'));

  assert.ok(existsSync(folder));
  rmSync(folder, { recursive: true });
});
