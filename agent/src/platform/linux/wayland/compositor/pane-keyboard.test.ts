/** How long one of the agent's windows keeps the keyboard, with a clock that the test advances. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { createPaneKeyboard } from './pane-keyboard.ts';

const almostIdleMs = 29_999;

function openKeyboard({ mock }: TestContext) {
  mock.timers.enable({ apis: ['setTimeout'] });
  const requests: string[] = [];
  const keyboard = createPaneKeyboard({
    focus: () => requests.push('focus'),
    blur: () => requests.push('blur'),
  });
  return { keyboard, requests, wait: (ms: number) => mock.timers.tick(ms) };
}

test('a window keeps the keyboard while somebody types into it, and gives it back half a minute later', (context) => {
  const { keyboard, requests, wait } = openKeyboard(context);

  keyboard.take();
  wait(almostIdleMs);
  const isAccepted = keyboard.acceptKey();
  wait(almostIdleMs);
  const before = [...requests];
  wait(1);

  assert.equal(isAccepted, true);
  assert.deepEqual(before, ['focus']);
  assert.deepEqual(requests, ['focus', 'blur']);
});

test('keys that a compositor sends after the keyboard was given back are not for the window', (context) => {
  const { keyboard, requests, wait } = openKeyboard(context);

  const accepted = [keyboard.acceptKey()];
  keyboard.take();
  keyboard.giveBack();
  accepted.push(keyboard.acceptKey());
  wait(almostIdleMs + 1);
  keyboard.take();
  accepted.push(keyboard.acceptKey());

  assert.deepEqual(accepted, [false, false, true]);
  assert.deepEqual(requests, ['focus', 'blur', 'focus']);
});
