/** Tests of the log of the Windows service, on disks that refuse it. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { logName, openServiceLog } from './service-log.ts';

function createFolder(t: TestContext): { folder: string; file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-log-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, file: join(folder, logName) };
}

test('a full disk costs lines and ends nothing, and the next line says how many', (t) => {
  const { folder, file } = createFolder(t);
  symlinkSync('/dev/full', file);
  const log = openServiceLog(folder);
  log('one');
  log('two');
  rmSync(file);
  log('three');
  log('four');

  assert.match(
    readFileSync(file, 'utf8'),
    /^\S+ three \(2 earlier lines could not be written\)\r\n\S+ four\r\n$/,
  );
});

test('a log that cannot be opened or dropped, and a folder that is missing, end nothing', (t) => {
  const { folder, file } = createFolder(t);
  mkdirSync(file);

  openServiceLog(folder)('one');
  openServiceLog(join(folder, 'missing'))('one');

  assert.ok(statSync(file).isDirectory());
});

test('a log of more than a megabyte is dropped at the start', (t) => {
  const { folder, file } = createFolder(t);
  writeFileSync(file, 'x'.repeat(1_048_577));

  openServiceLog(folder)('one');

  assert.match(readFileSync(file, 'utf8'), /^\S+ one\r\n$/);
});
