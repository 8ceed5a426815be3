/** Tests of the folder from which native modules are loaded. */
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

test('a native module and its libraries are written once, readable only by their owner, and found again', () => {
  using temporary = folder();
  const there = unpackInto(temporary.path, 'part.node', part('one'));
  const { ino, mode } = statSync(join(there, 'part.node'));

  assert.equal(unpackInto(temporary.path, 'part.node', part('one')), there);
  assert.deepEqual(readdirSync(there).toSorted(), ['lib.so', 'part.node']);
  assert.equal(statSync(join(there, 'part.node')).ino, ino);
  assert.equal(mode & 0o777, 0o500);
});

test('a native module that somebody changed is written again before it is loaded', () => {
  using temporary = folder();
  const file = join(unpackInto(temporary.path, 'part.node', part('one')), 'part.node');
  chmodSync(file, 0o700);
  writeFileSync(file, 'evil');

  unpackInto(temporary.path, 'part.node', part('one'));

  assert.equal(readFileSync(file, 'utf8'), 'one');
});

test('the next version removes the native module of an earlier version', () => {
  using temporary = folder();
  unpackInto(temporary.path, 'part.node', part('one'));
  unpackInto(temporary.path, 'other.node', part('other'));

  unpackInto(temporary.path, 'part.node', part('two'));

  assert.equal(readdirSync(temporary.path).length, 2);
});

test('writing a native module does not follow a symbolic link', () => {
  using temporary = folder();
  const there = unpackInto(temporary.path, 'part.node', part('one'));
  const precious = join(temporary.path, 'precious');
  writeFileSync(precious, 'precious');
  rmSync(join(there, 'part.node'));
  symlinkSync(precious, join(there, 'part.node.new'));

  unpackInto(temporary.path, 'part.node', part('one'));

  assert.equal(readFileSync(precious, 'utf8'), 'precious');
  assert.equal(readFileSync(join(there, 'part.node'), 'utf8'), 'one');
});
