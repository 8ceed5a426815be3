/** A start that fails leaves no handle open. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WindowsApi } from '../../platform/windows/api/windows-api.ts';
import { startInActiveSession } from './session-process.ts';

/** Windows with one call that fails, and the handles that are open. */
function failingAt(name: keyof WindowsApi): { api: WindowsApi; open: Set<bigint> } {
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
  return { api: { ...calls, [name]: () => 0 } as unknown as WindowsApi, open };
}

for (const name of [
  'OpenProcessToken',
  'DuplicateTokenEx',
  'SetTokenInformation',
  'CreateProcessAsUserW',
] as const)
  test(`no handle stays open if ${name} fails`, async () => {
    const { api, open } = failingAt(name);

    await assert.rejects(startInActiveSession(api, 'agent.exe', new AbortController().signal), /error 5/);

    assert.deepEqual([...open], []);
  });
