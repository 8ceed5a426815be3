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
import { defaultPolicy } from '@drawbridge/contract/policy';
import { loadState, mayLookForRelease, newState, removeState, saveState } from './state.ts';

const folderOf = (): { folder: string } & Disposable => {
  const parent = mkdtempSync(join(tmpdir(), 'drawbridge-state-'));
  return {
    folder: join(parent, 'agent'),
    [Symbol.dispose]: () => rmSync(parent, { recursive: true }),
  };
};

test('the saved state is loaded unchanged', () => {
  using temporary = folderOf();
  const state = newState('https://help.example.com', 'secret', 'print');

  saveState(temporary.folder, state);
  saveState(temporary.folder, { ...state, epoch: 'next' });

  assert.deepEqual(loadState(temporary.folder), { ...state, epoch: 'next' });
});

test('only the owner can read the key, and no other file is left behind', () => {
  using temporary = folderOf();

  saveState(temporary.folder, newState('https://help.example.com', '', ''));

  const mode = (path: string): number => statSync(path).mode & 0o777;
  assert.deepEqual([mode(temporary.folder), mode(join(temporary.folder, 'agent.json'))], [0o700, 0o600]);
  assert.deepEqual(readdirSync(temporary.folder), ['agent.json']);
});

test('an incomplete file left by a crash is ignored', () => {
  using temporary = folderOf();
  const state = newState('https://help.example.com', '', '');
  saveState(temporary.folder, state);
  writeFileSync(join(temporary.folder, 'agent.json.new'), '{"server": "htt', { mode: 0o644 });

  assert.deepEqual(loadState(temporary.folder), state);
  saveState(temporary.folder, { ...state, id: 7 });

  assert.equal(loadState(temporary.folder)?.id, 7);
  assert.equal(statSync(join(temporary.folder, 'agent.json')).mode & 0o777, 0o600);
});

test('there is no state without a file, also after it was removed', () => {
  using temporary = folderOf();
  assert.equal(loadState(temporary.folder), undefined);
  saveState(temporary.folder, newState('https://help.example.com', '', ''));

  removeState(temporary.folder);

  assert.equal(loadState(temporary.folder), undefined);
});

test('each new device has its own key', () => {
  const [one, other] = [newState('', '', ''), newState('', '', '')];

  assert.notEqual(one.publicKey, other.publicKey);
  assert.match(one.publicKey, /^[\w-]{43}$/);
});

test('saving does not follow a symbolic link that was placed at the temporary file', () => {
  using temporary = folderOf();
  const state = newState('https://help.example.com', '', '');
  saveState(temporary.folder, state);
  const precious = join(temporary.folder, 'precious');
  writeFileSync(precious, 'precious');
  symlinkSync(precious, join(temporary.folder, 'agent.json.new'));

  saveState(temporary.folder, { ...state, epoch: 'next' });

  assert.equal(readFileSync(precious, 'utf8'), 'precious');
  assert.equal(loadState(temporary.folder)?.epoch, 'next');
  assert.ok(lstatSync(join(temporary.folder, 'agent.json')).isFile());
});

test('a device looks for a release itself only if both its account and its policy allow updates', () => {
  const state = newState('https://help.example.com', 'secret', 'print');
  const withPolicy = (update_channel: 'stable' | 'off') => ({
    ...state,
    updates: 'on' as const,
    policy: { number: 1, policy: { ...defaultPolicy, update_channel } },
  });

  assert.equal(mayLookForRelease(state), false);
  assert.equal(mayLookForRelease({ ...state, updates: 'on' }), true);
  assert.equal(mayLookForRelease({ ...withPolicy('stable'), updates: 'off' }), false);
  assert.deepEqual([withPolicy('stable'), withPolicy('off')].map(mayLookForRelease), [true, false]);
});
