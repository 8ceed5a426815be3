/** Tests whose rights files and terminals get when several people are signed in, when they change, and when nobody is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WindowsApi } from '../api/windows-api.ts';
import { readPersonKey, withPerson } from './signed-in-person.ts';

const noSession = 0xffff_ffff;
const errors = { noToken: 0x3f0, sessionNotFound: 0x1b6e, denied: 0x5 } as const;

/** A Windows with people in sessions: by session, the number of their sign-in, or the error that Windows answers. */
function windowsWith(sessions: Record<number, bigint | keyof typeof errors>) {
  const system = { console: 1, sessions, open: new Set<bigint>(), error: 0 };
  const api = {
    WTSGetActiveConsoleSessionId: () => system.console,
    WTSQueryUserToken(session: number, place: Buffer): number {
      const found = system.sessions[session] ?? 'sessionNotFound';
      if (typeof found === 'string') {
        system.error = errors[found];
        return 0;
      }
      // A handle that says to whom it belongs.
      place.writeBigUInt64LE(0x1000n + found);
      system.open.add(0x1000n + found);
      return 1;
    },
    GetTokenInformation(token: bigint, _level: number, place: Buffer): number {
      place.writeBigUInt64LE(token - 0x1000n, 8);
      return 1;
    },
    CloseHandle: (handle: bigint) => Number(system.open.delete(handle)),
    GetLastError: () => system.error,
  } as unknown as WindowsApi;
  return { api, system };
}

const tokenOf = (api: WindowsApi) => withPerson(api, ({ token }) => token);

test('of several people who are signed in, the one at the monitor counts', async () => {
  const { api, system } = windowsWith({ 1: 71n, 2: 72n, 3: 73n });

  const tokens = [await tokenOf(api)];
  system.console = 3;
  tokens.push(await tokenOf(api));

  assert.deepEqual(tokens, [0x1000n + 71n, 0x1000n + 73n]);
  assert.deepEqual([...system.open], []);
});

test('another session and another sign-in in the same session have another key', () => {
  const { api, system } = windowsWith({ 1: 71n, 2: 72n });
  const first = readPersonKey(api);

  assert.equal(readPersonKey(api), first);
  system.console = 2;
  assert.notEqual(readPersonKey(api), first);
  system.console = 1;
  system.sessions[1] = 74n;
  assert.notEqual(readPersonKey(api), first);
  assert.deepEqual([...system.open], []);
});

for (const [name, console, sessions] of [
  ['at the login screen', 1, { 1: 'noToken', 2: 72n }],
  ['in a session that has just ended', 4, { 2: 72n }],
  ['while Windows changes the session', noSession, { 1: 71n }],
] as const)
  test(`nobody has rights ${name}, even if others have sessions`, async () => {
    const { api, system } = windowsWith(sessions);
    system.console = console;

    assert.equal(readPersonKey(api), undefined);
    await assert.rejects(tokenOf(api), /Nobody is signed in at the device\./);
  });

test('a refusal of Windows is not taken for an empty session', async () => {
  const { api } = windowsWith({ 1: 'denied' });

  await assert.rejects(tokenOf(api), /did not give the agent the rights .* \(error 5\)/);
});

test('the token is closed if its use fails', async () => {
  const { api, system } = windowsWith({ 1: 71n });

  await assert.rejects(
    withPerson(api, () => Promise.reject(new Error('it failed'))),
    /it failed/,
  );

  assert.deepEqual([...system.open], []);
});
