/** A real wlroots desktop of another user, seen and used through the agent's helper, with the agent's windows on it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeKey, encodeWheel } from '@drawbridge/contract/session/binary-frames';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import { reportSessions } from '@drawbridge/agent/platform/linux/wayland/desktop';
import { skipWithout } from '../../kit/requirements.ts';
import { startSway, swayTerminalColour, type Sway } from '../../kit/display/sway.ts';
import { eventually } from '../../kit/eventually.ts';
import { openDesktopSession, placesOf, pointTo, stopRed } from '../../kit/session/desktop-session.ts';
import type { Operator } from '../../kit/session/operator.ts';

const skip = skipWithout('sway');
const [width, height] = [1_000, 600];
const allowGreen = 0x15803d;
const chatFieldGrey = 0x374151;

function press(ann: Operator, ...keys: readonly (readonly [code: string, key: string])[]): void {
  for (const [code, key] of keys) ann.send('key', encodeKey({ down: true, code, key }));
  for (const [code, key] of keys.toReversed()) ann.send('key', encodeKey({ down: false, code, key }));
}

/** Programs notice a virtual keyboard only some time after it was created. */
const wakeTerminal = (ann: Operator, sway: Sway): Promise<string> =>
  eventually(
    () => {
      press(ann, ['Enter', 'Enter']);
      return sway.typed();
    },
    (typed) => typed !== '',
  );

const linesOf = (sway: Sway): string[] => sway.typed().split('\n').filter(Boolean);

test(
  'the operator sees the desktop of another user, types letters of every script there, drags and scrolls, and Stop ends it',
  { skip },
  async () => {
    await using sway = await startSway(width, height);
    await using fixture = await openDesktopSession();
    await using ann = fixture.meet();
    const layout = await ann.until('layout');
    const button = await eventually(
      () => placesOf(stopRed, width),
      (places) => places.length > 500,
    );
    const terminal = await placesOf(swayTerminalColour, width);

    await wakeTerminal(ann, sway);
    for (const letter of 'äß€ж漢') press(ann, ['KeyA', letter]);
    press(ann, ['ShiftLeft', 'Shift'], ['KeyI', 'I']);
    press(ann, ['Enter', 'Enter']);
    pointTo(ann, 300, 300, 0, 1);
    pointTo(ann, 400, 300, 1, 0);
    ann.send('wheel', encodeWheel({ x: 400, y: 300, deltaX: 0, deltaY: 120 }));
    press(ann, ['Enter', 'Enter']);
    const [letters, mouse = ''] = await eventually(
      () => linesOf(sway),
      (lines) => lines.length > 1,
    );
    const at = button[0]! + width + 1;
    pointTo(ann, at % width, Math.floor(at / width), 0, 1, 0);
    const end = await ann.until('end');

    assert.deepEqual([layout.width, layout.height], [width, height]);
    assert.ok(terminal.length > 0.8 * width * height, `${terminal.length} pixels are the terminal's`);
    assert.equal(letters, 'äß€ж漢I');
    assert.match(mouse, /\[<0;\d+;\d+M.*\[<32;\d+;\d+M.*\[<0;\d+;\d+m.*\[<65;\d+;\d+M/);
    assert.equal(end.message, 'The person at the device ended the session.');
  },
);

test('text is pasted in both directions, and the screen gets another size', { skip }, async () => {
  await using sway = await startSway(width, height);
  await using fixture = await openDesktopSession();
  await using ann = fixture.meet();
  await ann.until('layout');

  await wakeTerminal(ann, sway);
  press(ann, ['KeyA', 'ä'], ['Enter', 'Enter']);
  const { text } = await ann.until('clipboard', (each) => each.text !== '');
  ann.sendMessage('clipboard', { text: 'from the operator ☃' });
  await eventually(
    async () => {
      press(ann, ['ControlLeft', 'Control'], ['ShiftLeft', 'Shift'], ['KeyV', 'V']);
      press(ann, ['Enter', 'Enter']);
      return sway.typed();
    },
    (typed) => typed.includes('☃'),
  );
  ann.sendMessage('resize', { width: 800, height: 500 });
  const layout = await ann.until('layout', (each) => each.width === 800);

  assert.equal(text, 'ä');
  assert.match(sway.typed(), /from the operator ☃/);
  assert.equal(layout.height, 500);
});

test('a desktop that ends in the middle of a session ends in a sentence', { skip }, async () => {
  await using sway = await startSway(width, height);
  await using fixture = await openDesktopSession();
  await using ann = fixture.meet();
  await ann.until('layout');

  await sway.kill();
  const { message } = await ann.until('refused');

  assert.match(
    message,
    /^The (Wayland )?desktop of the device has ended.* The next desktop will be shown\.$/,
  );
});

test('while nothing changes on the desktop, nothing is reported', { skip }, async () => {
  await using _ = await startSway(width, height);
  const desktop = await openDesktop();
  const capture = await desktop.capture();
  let reports = 0;
  capture.onDamage(() => (reports += 1));
  const input = await desktop.input();

  await capture.damage();
  await desktop.layout();
  const quiet = reports;
  const changed = new Promise<void>((resolve) => capture.onDamage(resolve));
  input.pointer(500, 300, 0);
  input.pointer(520, 300, 0);
  await changed;
  capture.close();
  desktop.close();

  assert.equal(quiet, 0);
});

test('the person is asked above all windows without XWayland, and agrees by a click', { skip }, async () => {
  await using _ = await startSway(width, height);
  const desktop = await openDesktop();
  const input = await desktop.input();
  let answer: boolean | undefined;
  const answered = desktop
    .ask('Ann wants to see the screen of this computer', 60)
    .then((agreed) => (answer = agreed));
  const [button = 0] = await eventually(
    () => placesOf(allowGreen, width),
    (places) => places.length > 500,
  );

  // The question ignores clicks for a moment after it appears.
  await eventually(
    () => {
      for (const buttons of [0, 1, 0])
        input.pointer((button % width) + 2, Math.floor(button / width) + 2, buttons);
      return answer;
    },
    (agreed) => agreed !== undefined,
  );
  await answered;
  desktop.close();

  assert.equal(answer, true);
});

test(
  'one click into the chat without XWayland directs the keyboard to it until the person has answered',
  { skip },
  async () => {
    await using sway = await startSway(width, height);
    const desktop = await openDesktop();
    const input = await desktop.input();
    const replies: string[] = [];
    await desktop.chat('Ann', 'Do you see me?', (text) => replies.push(text));
    const field = await eventually(
      () => placesOf(chatFieldGrey, width),
      (places) => places.length > 500,
    );

    const at = field[0]! + 2 * width + 2;
    for (const buttons of [0, 1, 0]) input.pointer(at % width, Math.floor(at / width), buttons);
    const typeLine = (letter: string): void => {
      for (const [code, key] of [
        ['KeyA', letter],
        ['Enter', 'Enter'],
      ] as const)
        for (const down of [true, false]) input.key(down, code, key);
    };
    await eventually(
      () => {
        typeLine('ä');
        return replies.join('');
      },
      (text) => text !== '',
    );
    await eventually(
      () => {
        typeLine('ß');
        return sway.typed();
      },
      (typed) => typed.includes('ß'),
    );
    desktop.close();

    assert.equal(replies.length, 1);
    assert.match(replies[0]!, /^ä+$/);
  },
);

test('the path to the desktop of another user is reported', { skip }, async () => {
  await using _ = await startSway(width, height);

  const [report, ...others] = await reportSessions();
  const [gnome, wlroots] = report?.paths ?? [];

  assert.deepEqual(others, []);
  assert.match(gnome?.whyNot ?? '', /^The session bus of the person at the device cannot be reached/);
  assert.deepEqual(wlroots, { name: 'wlroots' });
});
