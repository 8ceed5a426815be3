/** Tests in which session the agent is started, and that a start that fails leaves no handle open. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WindowsApi } from '../../platform/windows/api/windows-api.ts';
import { startInActiveSession } from './session-process.ts';

/** Windows with other answers to some calls, and the handles that are open. */
function windowsWith(others: Partial<Record<keyof WindowsApi, unknown>>): {
  api: WindowsApi;
  open: Set<bigint>;
} {
  const open = new Set<bigint>();
  let last = 0n;
  const add = (): bigint => {
    open.add(++last);
    return last;
  };
  const addTo = (place: Buffer): number => Number(place.writeBigUInt64LE(add()) > 0);
  const calls = {
    WTSGetActiveConsoleSessionId: () => 1,
    CreateEventW: add,
    OpenProcessToken: (...values: [number, number, Buffer]) => addTo(values[2]),
    DuplicateTokenEx: (...values: unknown[]) => addTo(values[5] as Buffer),
    SetTokenInformation: () => 1,
    CreateProcessAsUserW: () => 1,
    CloseHandle: (handle: bigint) => Number(open.delete(handle)),
    GetLastError: () => 5,
    koffi: { address: () => 0n },
  };
  return { api: { ...calls, ...others } as unknown as WindowsApi, open };
}

for (const name of [
  'OpenProcessToken',
  'DuplicateTokenEx',
  'SetTokenInformation',
  'CreateProcessAsUserW',
] as const)
  test(`no handle stays open if ${name} fails`, async () => {
    const { api, open } = windowsWith({ [name]: () => 0 });

    await assert.rejects(startInActiveSession(api, 'agent.exe', new AbortController().signal), /error 5/);

    assert.deepEqual([...open], []);
  });

const noSession = 0xffff_ffff;

test('while Windows changes the session the agent waits, and starts in the session that is then active', async () => {
  const answers = [noSession, 3];
  const moved: number[] = [];
  const { api, open } = windowsWith({
    WTSGetActiveConsoleSessionId: () => answers.shift() ?? 1,
    SetTokenInformation: (...values: [bigint, number, Buffer]) => moved.push(values[2].readUInt32LE()),
    WaitForSingleObject: { async: async () => 0 },
    GetExitCodeProcess: (...values: [bigint, Buffer]) => values[1].writeUInt32LE(7),
  });

  const { session, exited } = await startInActiveSession(api, 'agent.exe', new AbortController().signal);

  assert.deepEqual([session, moved, await exited], [3, [3], 7]);
  assert.deepEqual([...open], []);
});

test('a stop ends the wait for a session', async () => {
  const { api } = windowsWith({ WTSGetActiveConsoleSessionId: () => noSession });
  const stop = new AbortController();

  const starting = startInActiveSession(api, 'agent.exe', stop.signal);
  stop.abort();

  await assert.rejects(starting, { name: 'AbortError' });
});
