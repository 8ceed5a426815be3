/** The rules of sticky modifiers, and what they send to the device. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyInput } from '@drawbridge/contract/session/binary-frames';
import { createRemoteInput } from '@drawbridge/web/console/input/remote-input';
import { createStickyInput, type StickyInput } from '@drawbridge/web/console/input/sticky-input';
import { createStickyModifiers } from '@drawbridge/web/console/input/sticky-modifiers';

test('a tap holds a modifier for one key, a double tap until the next tap, and a slow second tap ends it', () => {
  const sticky = createStickyModifiers();
  const tap = (now: number): string => (sticky.tap('control', now), sticky.stateOf('control'));
  const use = (): string => (sticky.use(), sticky.stateOf('control'));

  assert.deepEqual([tap(0), use()], ['once', 'off']);
  assert.deepEqual([tap(1_000), tap(1_300), use(), use()], ['once', 'locked', 'locked', 'locked']);
  assert.deepEqual([tap(1_400)], ['off']);
  assert.deepEqual([tap(5_000), tap(5_401)], ['once', 'off']);
});

test('each modifier has its own state: a quick tap on another one locks nothing', () => {
  const sticky = createStickyModifiers();
  sticky.tap('control', 0);
  sticky.tap('alt', 100);
  sticky.tap('super', 200);
  assert.deepEqual(
    (['control', 'alt', 'super'] as const).map((each) => sticky.stateOf(each)),
    ['once', 'once', 'once'],
  );
});

test('a tap after a key was used begins again, however quick it is', () => {
  const sticky = createStickyModifiers();
  sticky.tap('alt', 0);
  sticky.use();
  sticky.tap('alt', 100);
  assert.equal(sticky.stateOf('alt'), 'once');
});

interface AnyPayload extends KeyInput {
  text: string;
  buttons: number;
}

function inputWithFrames(): { input: StickyInput; sent(): string[] } {
  const frames: string[] = [];
  const describe = (kind: string, { code, key, down, text, buttons }: AnyPayload): string => {
    if (kind === 'key') return `${code || key} ${down ? 'down' : 'up'}`;
    if (kind === 'text') return `text ${text}`;
    return kind === 'wheel' ? 'wheel' : `buttons ${buttons}`;
  };
  const input = createStickyInput(
    createRemoteInput(
      (kind, payload) => frames.push(describe(kind, payload as unknown as AnyPayload)) > 0,
      (call) => call(),
    ),
  );
  return { input, sent: () => frames.splice(0) };
}

test('a character typed with a modifier is a key between the press and the release of the modifier', () => {
  const { input, sent } = inputWithFrames();

  input.tapModifier('control', 0);
  input.text('c');
  input.text('d');

  assert.deepEqual(sent(), ['ControlLeft down', 'KeyC down', 'KeyC up', 'ControlLeft up', 'text d']);
});

test('of a whole word only the first character is the shortcut, unless the modifier is locked', () => {
  const { input, sent } = inputWithFrames();

  input.tapModifier('alt', 0);
  input.text('a1 é');
  assert.deepEqual(sent(), ['AltLeft down', 'KeyA down', 'KeyA up', 'AltLeft up', 'text 1 é']);

  input.tapModifier('alt', 5_000);
  input.tapModifier('alt', 5_100);
  input.text('1 é');
  assert.equal(sent().join(', '), 'AltLeft down, Digit1 down, Digit1 up, Space down, Space up, é down, é up');
  input.tapModifier('alt', 9_000);
  assert.deepEqual(sent(), ['AltLeft up']);
});

test('a click uses the modifier, and moves and wheel turns do not', () => {
  const { input, sent } = inputWithFrames();

  input.tapModifier('control', 0);
  input.pointer({ x: 1, y: 1 }, 0);
  input.wheel({ x: 1, y: 1 }, 0, 120);
  input.pointer({ x: 1, y: 1 }, 1);
  input.pointer({ x: 1, y: 1 }, 0);

  assert.deepEqual(sent(), [
    'ControlLeft down',
    'buttons 0',
    'wheel',
    'buttons 1',
    'buttons 0',
    'ControlLeft up',
  ]);
});

test('a combination that contains a held modifier releases it, and nothing is pressed at the end', () => {
  const { input, sent } = inputWithFrames();
  const control = { code: 'ControlLeft', key: 'Control' };

  input.tapModifier('control', 0);
  input.tapModifier('control', 100);
  input.pressKeys([control, { code: 'Delete', key: 'Delete' }]);

  assert.equal(
    sent().join(', '),
    'ControlLeft down, ControlLeft down, Delete down, Delete up, ControlLeft up',
  );
  assert.equal(input.stateOf('control'), 'off');
});

test('releasing everything releases locked modifiers, and so does view only, which then takes no taps', () => {
  const { input, sent } = inputWithFrames();
  let changes = 0;
  input.onModifiers(() => (changes += 1));

  input.tapModifier('super', 0);
  input.tapModifier('super', 100);
  input.releaseAll();
  assert.deepEqual([sent(), input.hasModifiers(), changes], [['MetaLeft down', 'MetaLeft up'], false, 3]);

  input.tapModifier('super', 5_000);
  input.viewOnly = true;
  input.tapModifier('super', 9_000);
  assert.deepEqual([sent(), input.hasModifiers()], [['MetaLeft down', 'MetaLeft up'], false]);
});
