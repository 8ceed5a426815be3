/**
 * Work on a device that is reached through its VNC server: typing, pointing, pasting, and what the person
 * there sees of it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeKey, encodePointer, encodeWheel } from '@drawbridge/contract/session/binary-frames';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import { NotPossible } from '@drawbridge/agent/platform/platform';
import { clipboardFeature } from '@drawbridge/agent/session/features/clipboard';
import { controlFeature } from '@drawbridge/agent/session/features/control';
import { screenFeature } from '@drawbridge/agent/session/features/screen';
import { shieldFeature } from '@drawbridge/agent/session/features/shield';
import { terminalFeature } from '@drawbridge/agent/session/features/terminal';
import type { FeatureFactory } from '@drawbridge/agent/session/feature';
import { openTcpProxy } from '../../kit/server/proxies.ts';
import {
  clickOnDisplay,
  copyText,
  findWindow,
  openTypingTerminal,
  pasteText,
} from '../../kit/display/desktop-programs.ts';
import { startDisplay, type TestDisplay } from '../../kit/display/display.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { createFakePlatform } from '../../kit/agent/fake-platform.ts';
import type { Operator } from '../../kit/session/operator.ts';
import { eventually } from '../../kit/eventually.ts';
import { openSessionFixture } from '../../kit/session/session-fixture.ts';
import { startVncDisplay } from '../../kit/display/vnc.ts';

const skip = skipWithout('Xtigervnc') || skipWithout('programs of a desktop');

const meetOn = async (parts: readonly FeatureFactory[], confirm = false) => {
  const fixture = await openSessionFixture({
    platform: createFakePlatform('desk', { desktop: openDesktop }),
    parts,
  });
  const ann = fixture.meet({ confirm });
  return { fixture, ann };
};
const isLive = (ann: Operator) => ann.until('state', ({ phase }) => phase === 'live');

const press = (ann: Operator, code: string, key: string): void =>
  ann.send('key', encodeKey({ down: true, code, key }));
const release = (ann: Operator, code: string, key: string): void =>
  ann.send('key', encodeKey({ down: false, code, key }));
const strike = (ann: Operator, code: string, key: string): void => {
  press(ann, code, key);
  release(ann, code, key);
};
const point = (ann: Operator, { x, y }: { x: number; y: number }, buttons = 0): void =>
  ann.send('pointer', encodePointer({ x, y, buttons }));

const stateOf = ({ connection: { client, root, call } }: TestDisplay) =>
  call<{ rootX: number; rootY: number; keyMask: number }>((done) => client.QueryPointer(root, done));

/** Prints the number of each button that is pressed anywhere on the screen. */
function watchButtons({ connection }: TestDisplay, listener: (button: number) => void): void {
  const { client, root } = connection;
  const buttonPress = 4;
  client.ChangeWindowAttributes(root, { eventMask: buttonPress });
  connection.onEvent((event) => {
    if (event.name === 'ButtonPress') listener(event['keycode'] as number);
  });
}

test('what is typed arrives: letters, symbols, other scripts, AltGr, shortcuts', { skip }, async () => {
  await using display = await startVncDisplay(1_000, 700);
  await using writer = await openTypingTerminal();
  const { fixture, ann } = await meetOn([controlFeature]);
  await using _fixture = fixture;
  await using _ann = ann;
  await isLive(ann);

  point(ann, writer.at, 1);
  point(ann, writer.at);
  ann.sendMessage('text', { text: 'wrong' });
  press(ann, 'ControlLeft', 'Control');
  strike(ann, 'KeyU', 'г'); // A Russian keyboard names the key so; the shortcut follows its position.
  release(ann, 'ControlLeft', 'Control');
  strike(ann, 'KeyZ', 'y');
  strike(ann, 'Semicolon', 'ö');
  strike(ann, 'Semicolon', 'ж');
  press(ann, 'ShiftLeft', 'Shift');
  strike(ann, 'KeyA', 'A');
  strike(ann, 'Digit7', '/');
  release(ann, 'ShiftLeft', 'Shift');
  // AltGr as Windows sends it.
  press(ann, 'ControlLeft', 'Control');
  press(ann, 'AltRight', 'AltGraph');
  strike(ann, 'KeyE', '€');
  strike(ann, 'KeyQ', '@');
  release(ann, 'AltRight', 'AltGraph');
  release(ann, 'ControlLeft', 'Control');
  strike(ann, 'Numpad4', '4');
  ann.sendMessage('text', { text: ' Grüße, Привет ✓ x' });
  strike(ann, 'Backspace', 'Backspace');
  strike(ann, 'Enter', 'Enter');
  await eventually(writer.typed, (text) => text.endsWith('\n'));

  assert.equal(writer.typed(), 'yöжA/€@4 Grüße, Привет ✓ \n');
  assert.equal((await stateOf(display)).keyMask, 0);
});

test('pointer, buttons and wheel work, and held ones are released at the end', { skip }, async () => {
  await using display = await startVncDisplay(1_000, 700);
  const { fixture, ann } = await meetOn([controlFeature]);
  await using _fixture = fixture;
  await using _ann = ann;
  await isLive(ann);
  // Another client keeps the connection: a server releases by itself when the last one leaves.
  const other = await openDesktop();
  const turns: number[] = [];
  watchButtons(display, (button) => turns.push(button));
  await display.done();
  const whereWhen = (fits: (state: { rootX: number; keyMask: number }) => boolean) =>
    eventually(() => stateOf(display), fits);

  point(ann, { x: 50, y: 60 }, 0b101);
  const pressed = await whereWhen(({ keyMask }) => keyMask !== 0);
  ann.send('wheel', encodeWheel({ x: 9, y: 8, deltaX: 0, deltaY: 240 }));
  const turned = await whereWhen(({ rootX }) => rootX === 9);
  await eventually(
    () => turns,
    (received) => received.length === 4,
  );
  press(ann, 'ShiftLeft', 'Shift');
  const held = await whereWhen(({ keyMask }) => (keyMask & 1) === 1);
  ann.leave();
  const left = await whereWhen(({ keyMask }) => keyMask === 0);

  assert.deepEqual([pressed.rootX, pressed.rootY, pressed.keyMask], [50, 60, 0x500]);
  assert.deepEqual([turned.rootX, turned.rootY, turned.keyMask], [9, 8, 0x500]);
  assert.deepEqual(turns, [1, 3, 5, 5]);
  assert.deepEqual([held.keyMask, left.keyMask], [0x501, 0]);
  other.close();
});

test(
  'the clipboard is synchronised in both directions, in any script, short and long',
  { skip },
  async () => {
    await using _display = await startVncDisplay(400, 300);
    const { fixture, ann } = await meetOn([clipboardFeature]);
    await using _fixture = fixture;
    await using _ann = ann;
    await isLive(ann);
    // The server forwards at most 256 KiB.
    const long = `начало\n${'0123456789'.repeat(20_000)} конец`;

    await copyText('from the device ✓');
    const out = await ann.until('clipboard');
    ann.sendMessage('clipboard', { text: 'from the operator ☃' });
    const pasted = await eventually(pasteText, (text) => text.includes('operator'));
    await copyText(long);
    const longOut = await ann.until('clipboard', ({ text }) => text.startsWith('начало'));
    ann.sendMessage('clipboard', { text: `${long}!` });
    const longPasted = await eventually(pasteText, (text) => text.endsWith('!'));

    assert.deepEqual([out.text, pasted], ['from the device ✓', 'from the operator ☃']);
    assert.ok(longOut.text === long && longPasted === `${long}!`);
  },
);

test(
  'the person there is asked, sees the banner, and ends the session with its button',
  { skip },
  async () => {
    await using _display = await startVncDisplay(1_000, 700);
    const { fixture, ann } = await meetOn([controlFeature, shieldFeature], true);
    await using _fixture = fixture;
    await using _ann = ann;
    const question = await findWindow('Drawbridge request');
    await eventually(
      async () => {
        await clickOnDisplay(question.x + question.width - 212, question.y + question.height - 34);
        return ann.messages('state').length;
      },
      (states) => states === 2,
    );
    const banner = await findWindow('Drawbridge');

    ann.sendMessage('shield', { on: true });
    const refused = await ann.until('refused');
    await clickOnDisplay(banner.x + banner.width - 20, banner.y + Math.floor(banner.height / 2));
    const end = await ann.until('end');

    assert.equal(ann.messages('state')[1]?.phase, 'live');
    assert.match(refused.message, /cannot be blacked out/);
    assert.equal(end.message, 'The person at the device ended the session.');
  },
);

test('if nothing can be shown to the person there, their screen is not shown either', { skip }, async () => {
  await using _display = await startVncDisplay(400, 300);
  process.env['DISPLAY'] = ':4711';
  const { fixture, ann } = await meetOn([screenFeature, controlFeature, terminalFeature]);
  await using _fixture = fixture;
  await using _ann = ann;

  const { permissions, unable } = await isLive(ann);

  assert.deepEqual(
    ['agent_connect', 'agent_control', 'agent_terminal_mode'].map((each) => permissions.includes(each)),
    [false, false, true],
  );
  assert.match(unable['agent_connect']!, /the person at the device cannot be told who is connected/);
  assert.match(unable['agent_connect']!, /:4711 could not be opened/);
});

test('under Wayland without a VNC server the operator is told what to do', { skip }, async () => {
  await using _display = await startVncDisplay(400, 300);
  delete process.env['DRAWBRIDGE_AGENT_VNC'];

  await assert.rejects(
    openDesktop(),
    /Wayland.* not found their desktop: .* as root.* set DRAWBRIDGE_AGENT_VNC/,
  );
  process.env['DRAWBRIDGE_AGENT_VNC'] = '192.0.2.7:5900';
  await assert.rejects(openDesktop(), /DRAWBRIDGE_AGENT_VNC names 192\.0\.2\.7: .* travel unencrypted/);
});

test(
  'a real X11 display is used directly, whatever VNC server is configured',
  { skip: skip || skipWithout('Xvfb') },
  async () => {
    await using vnc = await startVncDisplay(400, 300);
    await using display = await startDisplay(500, 200);

    const desktop = await openDesktop();
    const { width, height } = await desktop.layout();
    desktop.close();

    assert.notEqual(vnc.name, display.name);
    assert.deepEqual([width, height], [500, 200]);
  },
);

test(
  'a server that stops is reported and shown again when it is back; the banner stays meanwhile',
  { skip },
  async () => {
    await using display = await startVncDisplay(400, 300);
    const between = await openTcpProxy(() => `https://localhost:${display.port}`);
    process.env['DRAWBRIDGE_AGENT_VNC'] = `127.0.0.1:${new URL(between.url).port}`;
    const { fixture, ann } = await meetOn([screenFeature, controlFeature]);
    await using _fixture = fixture;
    await using _ann = ann;
    await ann.until('layout');
    const before = await findWindow('Drawbridge');

    await between[Symbol.asyncDispose]();
    const { message } = await ann.until('refused');
    await assert.rejects(openDesktop(), NotPossible);
    const meanwhile = await findWindow('Drawbridge');
    process.env['DRAWBRIDGE_AGENT_VNC'] = `127.0.0.1:${display.port}`;
    await eventually(
      () => ann.messages('layout').length,
      (layouts) => layouts > 1,
    );

    assert.match(message, /display of the device was closed/);
    assert.deepEqual(meanwhile, before);
  },
);
