/** Tests that Ctrl+Alt+Del is allowed to services for a moment, and that the policy of the machine is what it was afterwards. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test, type TestContext } from 'node:test';
import type { WindowsApi } from '../api/windows-api.ts';
import { openSecureAttention, policyMarkName, restorePolicy } from './secure-attention.ts';

const folder = mkdtempSync(join(tmpdir(), 'drawbridge-policy-'));
process.env['DRAWBRIDGE_AGENT_DATA'] = folder;
const markFile = join(folder, policyMarkName);
beforeEach(() => rmSync(markFile, { recursive: true, force: true }));
after(() => rmSync(folder, { recursive: true, force: true }));

type Value = number | undefined;

/** A Windows with this value of the policy, and the values at the times when the keys were pressed. */
function createSystem(t: TestContext, value: Value) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const system = { value, pressedWith: [] as Value[], isReadOnly: false };
  const api = {
    RegGetValueW(...values: unknown[]) {
      const [kind, bytes, length] = values.slice(4) as [Buffer, Buffer, Buffer];
      if (system.value === undefined) return 2;
      kind.writeUInt32LE(4);
      bytes.writeUInt32LE(system.value);
      length.writeUInt32LE(4);
      return 0;
    },
    RegSetKeyValueW(...values: unknown[]) {
      if (system.isReadOnly) return 5;
      system.value = (values[4] as Buffer).readUInt32LE();
      return 0;
    },
    RegDeleteKeyValueW() {
      system.value = undefined;
      return 0;
    },
    SendSAS: () => void system.pressedWith.push(system.value),
  } as unknown as WindowsApi;
  return { system, api };
}

for (const [former, during] of [
  [undefined, 1],
  [0, 1],
  [2, 3],
  [1, 1],
  [3, 3],
] as const)
  test(`a policy that was ${former ?? 'not set'} is ${during} for a second, also if the keys are pressed twice`, (t) => {
    const { system, api } = createSystem(t, former);
    const { send } = openSecureAttention(api, true);

    send();
    t.mock.timers.tick(600);
    send();
    t.mock.timers.tick(999);
    const before = system.value;
    t.mock.timers.tick(1);

    assert.deepEqual([system.pressedWith, before, system.value], [[during, during], during, former]);
    assert.equal(existsSync(markFile), false);
  });

test('the end of the session restores it at once', (t) => {
  const { system, api } = createSystem(t, undefined);
  const { send, close } = openSecureAttention(api, true);
  send();
  close();

  assert.deepEqual([system.value, existsSync(markFile)], [undefined, false]);
});

for (const former of [undefined, 0, 2])
  test(`an agent that was killed restores a policy that was ${former ?? 'not set'} at the next start`, (t) => {
    const { system, api } = createSystem(t, former);
    openSecureAttention(api, true).send();
    assert.ok(existsSync(markFile));

    restorePolicy(api);

    assert.deepEqual([system.value, existsSync(markFile)], [former, false]);
  });

test('what an administrator has set since then stays, and so does it with a mark that says nothing', (t) => {
  const { system, api } = createSystem(t, undefined);
  for (const [text, value] of [
    ['absent', 0],
    ['2', 1],
    ['7', 1],
    ['', 1],
  ] as const) {
    writeFileSync(markFile, text);
    system.value = value;
    restorePolicy(api);
    assert.deepEqual([system.value, existsSync(markFile)], [value, false], text);
  }
});

test('an agent that is not SYSTEM, or may not change the policy, presses the keys and changes nothing', (t) => {
  const { system, api } = createSystem(t, undefined);
  openSecureAttention(api, false).send();
  system.isReadOnly = true;
  openSecureAttention(api, true).send();

  assert.deepEqual([system.pressedWith, existsSync(markFile)], [[undefined, undefined], false]);
});

test('if the former value cannot be remembered, the policy stays as it is, and the keys are pressed', (t) => {
  const { system, api } = createSystem(t, undefined);
  mkdirSync(markFile);
  openSecureAttention(api, true).send();

  assert.deepEqual(system.pressedWith, [undefined]);
});
