/** Tests of which server and token an agent starts with. */
import assert from 'node:assert/strict';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import { folderVariable } from './folder.ts';
import { NotPossible } from './platform/platform.ts';
import { runInForeground, stateFor } from './run.ts';
import { loadState, saveState } from './state.ts';

const server = 'https://help.example.com';
const tokenOf = (letter: string): string =>
  formatEnrolmentToken({ secret: letter.repeat(43), certificate: '' });

const emptyFolder = (): { folder: string } & Disposable => {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-run-'));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
};

test('the first start saves the server and the token, and later starts need neither', () => {
  using temporary = emptyFolder();

  const first = stateFor({ server: `${server}/`, token: tokenOf('A') }, temporary.folder);

  assert.deepEqual([first.server, first.token], [server, 'A'.repeat(43)]);
  assert.deepEqual(stateFor({}, temporary.folder), first);
  assert.deepEqual(loadState(temporary.folder), first);
});

test('a token that did not work is replaced by the next one, and the key is kept', () => {
  using temporary = emptyFolder();
  const first = stateFor({ server, token: tokenOf('A') }, temporary.folder);

  const second = stateFor({ server, token: tokenOf('B') }, temporary.folder);

  assert.equal(second.token, 'B'.repeat(43));
  assert.equal(second.publicKey, first.publicKey);
  assert.deepEqual(loadState(temporary.folder), second);
});

test('a device that has not joined yet can switch to another server, with another key', () => {
  using temporary = emptyFolder();
  const first = stateFor({ server, token: tokenOf('A') }, temporary.folder);

  const second = stateFor({ server: 'https://other.example.com', token: tokenOf('B') }, temporary.folder);

  assert.equal(second.server, 'https://other.example.com');
  assert.notEqual(second.publicKey, first.publicKey);
});

test('a device that has joined keeps its server, whatever token it is given', () => {
  using temporary = emptyFolder();
  const joined = { ...stateFor({ server, token: tokenOf('A') }, temporary.folder), id: 7, token: '' };
  saveState(temporary.folder, joined);

  assert.deepEqual(stateFor({ server, token: tokenOf('B') }, temporary.folder), joined);
  assert.throws(
    () => stateFor({ server: 'https://other.example.com', token: tokenOf('B') }, temporary.folder),
    /has joined https:\/\/help.example.com/,
  );
});

test('missing or invalid arguments are reported, and nothing is saved', () => {
  using temporary = emptyFolder();
  const attempts = [
    [{}, /--server and --token are needed/],
    [{ server }, /--server and --token are needed/],
    [{ server, token: 'abc' }, /not an enrolment token/],
    [{ server: 'http://help.example.com', token: tokenOf('A') }, /must be an https URL/],
  ] as const;

  for (const [given, sentence] of attempts) assert.throws(() => stateFor(given, temporary.folder), sentence);
  assert.equal(loadState(temporary.folder), undefined);
});

test(
  'an agent that is root keeps no state where another user could write it',
  { skip: process.getuid?.() !== 0 && 'only root can make folders of other users' },
  async () => {
    using temporary = emptyFolder();
    chownSync(temporary.folder, 65_534, 65_534);
    process.env[folderVariable] = temporary.folder;

    await assert.rejects(
      runInForeground({ server, token: tokenOf('A') }),
      (error) => error instanceof NotPossible && error.message.startsWith('Users other than root can change'),
    );
    delete process.env[folderVariable];
    assert.equal(loadState(temporary.folder), undefined);
  },
);
