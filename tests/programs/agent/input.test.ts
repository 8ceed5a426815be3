/**
 * Typing, pointing and pasting on a real X display: what the operator meant is what arrives, whatever
 * keyboard layout the device has.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeKey, encodePointer, encodeWheel } from '@drawbridge/contract/session/binary-frames';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import { clipboardFeature } from '@drawbridge/agent/session/features/clipboard';
import { controlFeature } from '@drawbridge/agent/session/features/control';
import type { FeatureFactory } from '@drawbridge/agent/session/feature';
import { viewOffsetOf } from '@drawbridge/agent/session/view-offset';
import { copyText, runOnDisplay, openTypingTerminal, pasteText } from '../../kit/display/desktop-programs.ts';
import { startDisplay, type TestDisplay } from '../../kit/display/display.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { createFakePlatform } from '../../kit/agent/fake-platform.ts';
import type { Operator } from '../../kit/session/operator.ts';
import { eventually } from '../../kit/eventually.ts';
import { openSessionFixture } from '../../kit/session/session-fixture.ts';

const skip = skipWithout('Xvfb') || skipWithout('programs of a desktop');

const meetOn = async (parts: readonly FeatureFactory[]) => {
  const fixture = await openSessionFixture({
    platform: createFakePlatform('desk', { desktop: openDesktop }),
    parts,
  });
  const ann = fixture.meet();
  await ann.until('state', ({ phase }) => phase === 'live');
  return { fixture, ann };
};

const press = (ann: Operator, code: string, key: string): void =>
  ann.send('key', encodeKey({ down: true, code, key }));
const release = (ann: Operator, code: string, key: string): void =>
  ann.send('key', encodeKey({ down: false, code, key }));
const strike = (ann: Operator, code: string, key: string): void => {
  press(ann, code, key);
  release(ann, code, key);
};
/** A character that the operator's keyboard types with Shift. */
const shifted = (ann: Operator, code: string, key: string): void => {
  press(ann, 'ShiftLeft', 'Shift');
  strike(ann, code, key);
  release(ann, 'ShiftLeft', 'Shift');
};
const point = (ann: Operator, { x, y }: { x: number; y: number }, buttons = 0): void =>
  ann.send('pointer', encodePointer({ x, y, buttons }));

const stateOf = ({ connection: { client, root, call } }: TestDisplay) =>
  call<{ rootX: number; rootY: number; keyMask: number }>((done) => client.QueryPointer(root, done));

/**
 * As German, Russian and American operators type: the key positions are those of their keyboards, not the
 * device's.
 */
function typeEverything(ann: Operator): void {
  for (const [code, key] of [
    ['KeyY', 'z'],
    ['KeyZ', 'y'],
    ['Semicolon', 'ö'],
    ['Quote', 'ä'],
    ['Minus', 'ß'],
    ['Digit7', '7'],
    ['Slash', '-'],
    ['KeyF', 'а'],
    ['Semicolon', 'ж'],
    ['Space', ' '],
  ] as const)
    strike(ann, code, key);
  for (const [code, key] of [
    ['KeyA', 'A'],
    ['Digit7', '/'],
    ['Digit2', '"'],
    ['Quote', 'Ä'],
    ['Semicolon', 'Ж'],
    ['Slash', '?'],
    ['Digit2', '@'],
    ['Comma', ';'],
  ] as const)
    shifted(ann, code, key);
  // AltGr as Windows sends it.
  press(ann, 'ControlLeft', 'Control');
  press(ann, 'AltRight', 'AltGraph');
  strike(ann, 'KeyE', '€');
  strike(ann, 'KeyQ', '@');
  strike(ann, 'Digit7', '{');
  release(ann, 'AltRight', 'AltGraph');
  release(ann, 'ControlLeft', 'Control');
  strike(ann, 'Numpad4', '4');
  strike(ann, 'NumpadAdd', '+');
  strike(ann, 'Enter', 'Enter');
}
const everything = 'zyöäß7-аж A/"ÄЖ?@;€@{4+\n';

for (const layout of ['us', 'de', 'us,ru -variant ,phonetic'])
  test(
    `everything that three keyboards can type arrives on a device with the keyboard ${layout}`,
    { skip },
    async () => {
      await using display = await startDisplay(1_000, 700);
      await runOnDisplay('setxkbmap', ...layout.split(' '));
      await using writer = await openTypingTerminal();
      const { fixture, ann } = await meetOn([controlFeature]);
      await using _fixture = fixture;
      await using _ann = ann;

      point(ann, writer.at);
      typeEverything(ann);
      await eventually(writer.typed, (text) => text.endsWith('\n'));

      assert.equal(writer.typed(), everything);
      assert.equal((await stateOf(display)).keyMask, 0);
    },
  );

test('locks on the device do not change what arrives', { skip }, async () => {
  await using _display = await startDisplay(1_000, 700);
  await using writer = await openTypingTerminal();
  const { fixture, ann } = await meetOn([controlFeature]);
  await using _fixture = fixture;
  await using _ann = ann;
  await runOnDisplay('xdotool', 'key', 'Caps_Lock', 'key', 'Num_Lock');

  point(ann, writer.at);
  strike(ann, 'KeyA', 'a');
  shifted(ann, 'KeyB', 'B');
  strike(ann, 'Numpad7', '7');
  strike(ann, 'NumpadEnter', 'Enter');
  await eventually(writer.typed, (text) => text.endsWith('\n'));

  assert.equal(writer.typed(), 'aB7\n');
});

test(
  'text of any script arrives, also a long one, and editing keys and shortcuts work',
  { skip },
  async () => {
    await using _display = await startDisplay(1_000, 700);
    await using writer = await openTypingTerminal();
    const { fixture, ann } = await meetOn([controlFeature]);
    await using _fixture = fixture;
    await using _ann = ann;
    const long = '日本語 und Ελληνικά, и русский: ąćęłńóśźż ЂЃЉЊЌЎЏ ☃ ∑ ✓ — ok';

    point(ann, writer.at);
    ann.sendMessage('text', { text: 'wrong' });
    press(ann, 'ControlLeft', 'Control');
    strike(ann, 'KeyU', 'г'); // A Russian keyboard names the key so; the shortcut follows its position.
    release(ann, 'ControlLeft', 'Control');
    ann.sendMessage('text', { text: `${long}x` });
    strike(ann, 'Backspace', 'Backspace');
    ann.sendMessage('text', { text: '\n' });
    await eventually(writer.typed, (text) => text.endsWith('\n'));

    assert.equal(writer.typed(), `${long}\n`);
  },
);

test('pointer, buttons and wheel follow the operator, in the monitor that is shown', { skip }, async () => {
  await using display = await startDisplay(1_000, 700);
  const shifting: FeatureFactory = (featureContext) => ({
    handlers: {
      view: () => void Object.assign(viewOffsetOf(featureContext), { offsetX: 300, offsetY: 100 }),
    },
    stop: () => {},
  });
  const { fixture, ann } = await meetOn([controlFeature, shifting]);
  await using _fixture = fixture;
  await using _ann = ann;
  const whereWhen = (fits: (state: { rootX: number; keyMask: number }) => boolean) =>
    eventually(() => stateOf(display), fits);

  point(ann, { x: 50, y: 60 }, 0b101);
  const pressed = await whereWhen(({ keyMask }) => keyMask !== 0);
  ann.sendMessage('view', { monitor: 1 });
  point(ann, { x: 51, y: 61 }, 0);
  const moved = await whereWhen(({ keyMask, rootX }) => keyMask === 0 && rootX > 300);
  ann.send('wheel', encodeWheel({ x: 9, y: 9, deltaX: 0, deltaY: 240 }));
  const turned = await whereWhen(({ rootX }) => rootX === 309);

  assert.deepEqual([pressed.rootX, pressed.rootY, pressed.keyMask], [50, 60, 0x500]);
  assert.deepEqual([moved.rootX, moved.rootY], [351, 161]);
  assert.deepEqual([turned.rootX, turned.keyMask], [309, 0]);
});

test(
  'held keys and buttons are released when the session ends or someone else takes over',
  { skip },
  async () => {
    await using display = await startDisplay(1_000, 700);
    const { fixture, ann } = await meetOn([controlFeature]);
    await using _fixture = fixture;
    await using _ann = ann;
    await using bob = fixture.meet({ name: 'bob' });
    await bob.until('state');

    press(ann, 'ShiftLeft', 'Shift');
    point(ann, { x: 5, y: 5 }, 1);
    await eventually(
      () => stateOf(display),
      ({ keyMask }) => keyMask === 0x101,
    );
    bob.sendMessage('drive', { to: 'me' });
    const taken = await eventually(
      () => stateOf(display),
      ({ keyMask }) => keyMask === 0,
    );
    press(bob, 'ControlLeft', 'Control');
    await eventually(
      () => stateOf(display),
      ({ keyMask }) => keyMask === 4,
    );
    bob.leave();
    const left = await eventually(
      () => stateOf(display),
      ({ keyMask }) => keyMask === 0,
    );

    assert.deepEqual([taken.keyMask, left.keyMask], [0, 0]);
  },
);

test(
  'the clipboard is synchronised in both directions, short and long, and incoming text is not sent back',
  { skip },
  async () => {
    await using _display = await startDisplay(400, 300);
    const { fixture, ann } = await meetOn([clipboardFeature]);
    await using _fixture = fixture;
    await using _ann = ann;
    const long = `начало ${'0123456789'.repeat(30_000)} конец`;

    // What the operator sends arrives only when the device watches its clipboard.
    ann.sendMessage('clipboard', { text: 'from the operator ☃' });
    const pasted = await eventually(pasteText, (text) => text.includes('operator'));
    await copyText('from the device ✓');
    const out = await ann.until('clipboard');
    await copyText(long);
    const longOut = await ann.until('clipboard', ({ text }) => text.startsWith('начало'));
    ann.sendMessage('clipboard', { text: `${long}!` });
    const longPasted = await eventually(pasteText, (text) => text.endsWith('!'));
    await copyText('x'.repeat(1_200_000));
    await copyText('the last');
    await ann.until('clipboard', ({ text }) => text === 'the last');

    assert.deepEqual([out.text, pasted], ['from the device ✓', 'from the operator ☃']);
    assert.ok(longOut.text === long && longPasted === `${long}!`);
    assert.deepEqual(
      ann.messages('clipboard').map(({ text }) => text.length),
      [out.text.length, long.length, 'the last'.length],
    );
  },
);
