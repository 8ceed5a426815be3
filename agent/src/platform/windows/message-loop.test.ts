/** Tests that messages of the agent's windows are delivered soon, and looked for less often while there are none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WindowsApi } from './api/windows-api.ts';
import { handleMessages } from './message-loop.ts';

test('messages are looked for less often while there are none, and as before after one', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const system = { waiting: 0, looks: 0 };
  const api = {
    PeekMessageW(bytes: Buffer) {
      system.looks += 1;
      if (system.waiting === 0) return 0;
      system.waiting -= 1;
      bytes.writeBigUInt64LE(7n);
      return 1;
    },
  } as unknown as WindowsApi;
  const pass = (ms: number): number => {
    const { looks } = system;
    for (let passed = 0; passed < ms; passed += 5) t.mock.timers.tick(5);
    return system.looks - looks;
  };
  let messages = 0;
  const stop = handleMessages(api, 7, () => (messages += 1) > 0);

  assert.equal(pass(1_500), 100);
  assert.equal(pass(600), 10);
  system.waiting = 2;
  pass(60);
  assert.equal(messages, 2);
  assert.equal(pass(150), 10);
  stop();
  assert.equal(pass(1_000), 0);
});
