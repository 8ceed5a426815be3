/** Rules of the folder from which native parts are loaded. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { unpackInto } from './native-assets.ts';

function folder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'drawbridge-unpacked-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

const part = (text: string): Map<string, Buffer> =>
  new Map([
    ['part.node', Buffer.from(text)],
    ['lib.so', Buffer.from('library')],
  ]);

test('a native part and its libraries are written once, readable by their owner alone, and found again', () => {
  using place = folder();
  const there = unpackInto(place.path, 'part.node', part('one'));
  const { ino, mode } = statSync(join(there, 'part.node'));

  assert.equal(unpackInto(place.path, 'part.node', part('one')), there);
  assert.deepEqual(readdirSync(there).toSorted(), ['lib.so', 'part.node']);
  assert.equal(statSync(join(there, 'part.node')).ino, ino);
  assert.equal(mode & 0o777, 0o500);
});

test('a native part that somebody changed is not loaded but written anew', () => {
  using place = folder();
  const file = join(unpackInto(place.path, 'part.node', part('one')), 'part.node');
  chmodSync(file, 0o700);
  writeFileSync(file, 'evil');

  unpackInto(place.path, 'part.node', part('one'));

  assert.equal(readFileSync(file, 'utf8'), 'one');
});

test('the part of an earlier version goes when the next one comes', () => {
  using place = folder();
  unpackInto(place.path, 'part.node', part('one'));
  unpackInto(place.path, 'other.node', part('other'));

  unpackInto(place.path, 'part.node', part('two'));

  assert.equal(readdirSync(place.path).length, 2);
});

test('a link that stands where a native part is written is not written through', () => {
  using place = folder();
  const there = unpackInto(place.path, 'part.node', part('one'));
  const precious = join(place.path, 'precious');
  writeFileSync(precious, 'precious');
  rmSync(join(there, 'part.node'));
  symlinkSync(precious, join(there, 'part.node.new'));

  unpackInto(place.path, 'part.node', part('one'));

  assert.equal(readFileSync(precious, 'utf8'), 'precious');
  assert.equal(readFileSync(join(there, 'part.node'), 'utf8'), 'one');
});
