/** The agent's file: whole or not there, and for nobody else's eyes. */
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

test('what is saved is what is loaded', () => {
  using place = folderOf();
  const state = newState('https://help.example.com', 'secret', 'print');

  saveState(place.folder, state);
  saveState(place.folder, { ...state, epoch: 'next' });

  assert.deepEqual(loadState(place.folder), { ...state, epoch: 'next' });
});

test('the key is for its owner only, and nothing is left beside it', () => {
  using place = folderOf();

  saveState(place.folder, newState('https://help.example.com', '', ''));

  const mode = (path: string): number => statSync(path).mode & 0o777;
  assert.deepEqual([mode(place.folder), mode(join(place.folder, 'agent.json'))], [0o700, 0o600]);
  assert.deepEqual(readdirSync(place.folder), ['agent.json']);
});

test('what a crash left of a file that was being written is of no account', () => {
  using place = folderOf();
  const state = newState('https://help.example.com', '', '');
  saveState(place.folder, state);
  writeFileSync(join(place.folder, 'agent.json.new'), '{"server": "htt', { mode: 0o644 });

  assert.deepEqual(loadState(place.folder), state);
  saveState(place.folder, { ...state, id: 7 });

  assert.equal(loadState(place.folder)?.id, 7);
  assert.equal(statSync(join(place.folder, 'agent.json')).mode & 0o777, 0o600);
});

test('without a file there is no state, also after it was removed', () => {
  using place = folderOf();
  assert.equal(loadState(place.folder), undefined);
  saveState(place.folder, newState('https://help.example.com', '', ''));

  removeState(place.folder);

  assert.equal(loadState(place.folder), undefined);
});

test('each new device has a key of its own', () => {
  const [one, other] = [newState('', '', ''), newState('', '', '')];

  assert.notEqual(one.publicKey, other.publicKey);
  assert.match(one.publicKey, /^[\w-]{43}$/);
});

test('a link that somebody has put where the next state is written is not written through', () => {
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
