/** Tests of the agent's state file: it is complete or absent, and only its owner can read it. */
import assert from 'node:assert/strict';
import {
  lstatSync,
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
import { loadState, newState, removeState, saveState } from './state.ts';

const folderOf = (): { folder: string } & Disposable => {
  const parent = mkdtempSync(join(tmpdir(), 'drawbridge-state-'));
  return {
    folder: join(parent, 'agent'),
    [Symbol.dispose]: () => rmSync(parent, { recursive: true }),
  };
};

test('the saved state is loaded unchanged', () => {
  using place = folderOf();
  const state = newState('https://help.example.com', 'secret', 'print');

  saveState(place.folder, state);
  saveState(place.folder, { ...state, epoch: 'next' });

  assert.deepEqual(loadState(place.folder), { ...state, epoch: 'next' });
});

test('only the owner can read the key, and no other file is left behind', () => {
  using place = folderOf();

  saveState(place.folder, newState('https://help.example.com', '', ''));

  const mode = (path: string): number => statSync(path).mode & 0o777;
  assert.deepEqual([mode(place.folder), mode(join(place.folder, 'agent.json'))], [0o700, 0o600]);
  assert.deepEqual(readdirSync(place.folder), ['agent.json']);
});

test('an incomplete file left by a crash is ignored', () => {
  using place = folderOf();
  const state = newState('https://help.example.com', '', '');
  saveState(place.folder, state);
  writeFileSync(join(place.folder, 'agent.json.new'), '{"server": "htt', { mode: 0o644 });

  assert.deepEqual(loadState(place.folder), state);
  saveState(place.folder, { ...state, id: 7 });

  assert.equal(loadState(place.folder)?.id, 7);
  assert.equal(statSync(join(place.folder, 'agent.json')).mode & 0o777, 0o600);
});

test('there is no state without a file, also after it was removed', () => {
  using place = folderOf();
  assert.equal(loadState(place.folder), undefined);
  saveState(place.folder, newState('https://help.example.com', '', ''));

  removeState(place.folder);

  assert.equal(loadState(place.folder), undefined);
});

test('each new device has its own key', () => {
  const [one, other] = [newState('', '', ''), newState('', '', '')];

  assert.notEqual(one.publicKey, other.publicKey);
  assert.match(one.publicKey, /^[\w-]{43}$/);
});

test('saving does not follow a symbolic link that was placed at the temporary file', () => {
  using place = folderOf();
  const state = newState('https://help.example.com', '', '');
  saveState(place.folder, state);
  const precious = join(place.folder, 'precious');
  writeFileSync(precious, 'precious');
  symlinkSync(precious, join(place.folder, 'agent.json.new'));

  saveState(place.folder, { ...state, epoch: 'next' });

  assert.equal(readFileSync(precious, 'utf8'), 'precious');
  assert.equal(loadState(place.folder)?.epoch, 'next');
  assert.ok(lstatSync(join(place.folder, 'agent.json')).isFile());
});
