/** A real GNOME desktop of another user, seen and used through the agent's helper, with the agent's windows on it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { encodeNumber } from '@drawbridge/contract/session/binary-frames';
import { defaultPolicy, type Policy } from '@drawbridge/contract/policy';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import { reportSessions } from '@drawbridge/agent/platform/linux/wayland/desktop';
import { startGnome, type Gnome } from '../../kit/display/gnome.ts';
import { recordingWindowColour } from '../../kit/display/recording-window.ts';
import { startSwayBeside } from '../../kit/display/sway.ts';
import { eventually } from '../../kit/eventually.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openDesktopSession, placesOf, pointTo, stopRed } from '../../kit/session/desktop-session.ts';
import type { Operator } from '../../kit/session/operator.ts';
import { pressKey, recordedOn, useEverything } from '../../kit/session/use-desktop.ts';

const skip = skipWithout('GNOME');
const [width, height] = [1_000, 600];

/** GNOME begins with an overview of all windows. */
async function leaveOverview(ann: Operator, gnome: Gnome): Promise<void> {
  pressKey(ann, 'Escape', 'Escape');
  await recordedOn(gnome, 'active true');
}

/** Presses Stop of banners whose size changes while GNOME notices them; a press that GNOME ignores is never received. */
async function pressStopOfBanners(count: number): Promise<void> {
  const desktop = await openDesktop();
  using _ = { [Symbol.dispose]: () => desktop.close() };
  const input = await desktop.input();
  let place: { x: number; y: number } | undefined;
  for (let turn = 0; turn < count; turn += 1) {
    const banner = await desktop.banner('Ann');
    let [isStopped, presses] = [false, 0];
    banner.onStop(() => (isStopped = true));
    banner.setText('Ann is connected, sees the screen, controls it and has the clipboard');
    const press = async (): Promise<boolean> => {
      // On a busy machine the button may have been seen in an earlier banner, where it is elsewhere.
      if ((presses += 1) % 50 === 0) place = undefined;
      place ??= await findStop(() => isStopped);
      if (isStopped) return true;
      const { x, y } = place;
      input.pointer(x, height - 1, 0);
      for (const buttons of [0, 1, 0]) input.pointer(x, y, buttons);
      return isStopped;
    };
    await eventually(press, (isDone) => isDone);
    banner.close();
  }
}

/** Resolves when more of the picture has this colour, or when it is over. The desktop of a busy machine may not answer in time. */
async function findColour(colour: number, more: number, isOver = (): boolean => false): Promise<number[]> {
  const found = await eventually(
    () => placesOf(colour, width).catch(String),
    (places) => (typeof places !== 'string' && places.length > more) || isOver(),
  );
  return typeof found === 'string' ? [] : found;
}

/** A point in the button; any point if a press that came late has ended what has the button. */
async function findStop(isOver?: () => boolean): Promise<{ x: number; y: number }> {
  const [button = 0] = await findColour(stopRed, 500, isOver);
  return { x: (button % width) + 1, y: Math.floor(button / width) + 1 };
}

test(
  'the operator sees a GNOME desktop, types letters of every script, drags, scrolls and pastes, and Stop ends it',
  { skip },
  async () => {
    // The person has another desktop with an XWayland of its own, on which the banner must not be.
    await using _ = await startSwayBeside();
    await using gnome = await startGnome(width, height);
    await using fixture = await openDesktopSession();
    await using ann = fixture.meet();
    const layout = await ann.until('layout');
    await leaveOverview(ann, gnome);
    await findColour(recordingWindowColour, 0.9 * width * height);
    const stop = await findStop();

    await useEverything(ann, gnome);
    pointTo(ann, stop.x, stop.y, 0, 1, 0);
    const end = await ann.until('end');

    assert.deepEqual([layout.width, layout.height, layout.monitors.length], [width, height, 1]);
    assert.equal(end.message, 'The person at the device ended the session.');
    await pressStopOfBanners(20);
  },
);

/** Longer than an X11 display may take, whose server runs before a program connects. */
const slowStartMs = 6_000;

test('a session waits for XWayland, which starts slowly on a busy device', { skip }, async () => {
  await using gnome = await startGnome(width, height);
  await using fixture = await openDesktopSession();
  await using ann = fixture.meet();

  const proceed = await gnome.stopXwayland();
  // GNOME lets only two connections wait.
  const [[report]] = await Promise.all([reportSessions(), pause(slowStartMs).finally(proceed)]);
  const { unable } = await ann.until('state', ({ phase }) => phase === 'live');

  assert.equal(unable['agent_connect'], undefined);
  assert.deepEqual(report?.paths[0], { name: 'GNOME' });
});

/** The device sends no further picture while too many are on the way, so all are acknowledged. */
const refusedWith = (ann: Operator, pattern: RegExp): Promise<unknown> =>
  eventually(
    () => {
      for (const [index] of ann.received.entries()) ann.send('shown', encodeNumber(index + 1));
      return ann.messages('refused').map(({ message }) => message);
    },
    (messages) => messages.some((message) => pattern.test(message)),
  );

test('PipeWire or a bus that ends in the middle of a session is named in a sentence', { skip }, async () => {
  await using gnome = await startGnome(width, height);
  const [report] = await reportSessions();
  await using fixture = await openDesktopSession();
  await using ann = fixture.meet();
  await ann.until('layout');

  gnome.end('pipewire');
  await refusedWith(ann, /PipeWire does not run .* Start its service/);
  const [later] = await reportSessions();
  gnome.end('dbus-daemon');
  await refusedWith(ann, /^The session bus .* has ended.* sign out and in again/);

  assert.deepEqual(report?.paths[0], { name: 'GNOME' });
  assert.match(later?.paths[0]?.whyNot ?? '', /PipeWire does not run/);
});

test(
  'without XWayland the policy decides whether the screen is shown, and the operator is told',
  { skip },
  async () => {
    await using _ = await startGnome(width, height, '--no-x11');
    let policy: Policy = defaultPolicy;
    await using fixture = await openDesktopSession(() => policy);

    await using ann = fixture.meet();
    const { unable } = await ann.until('state', ({ phase }) => phase === 'live');
    policy = { ...defaultPolicy, notice: 'where_possible' };
    await using ben = fixture.meet();
    const { message } = await ben.until('refused', ({ kind }) => kind === 'view');
    const layout = await ben.until('layout');
    await using cleo = fixture.meet({ confirm: true });
    const refusal = await cleo.until('state', ({ phase }) => phase === 'refused');
    policy = defaultPolicy;
    fixture.sessions.policyChanged();
    const end = await ben.until('end');

    const untold =
      /The person at the device cannot be told who is connected, because their desktop has no XWayland/;
    assert.match(unable['agent_connect'] ?? '', /^The screen is not shown, because the policy/);
    assert.match(unable['agent_connect'] ?? '', untold);
    assert.match(message, untold);
    assert.match(message, /The policy of this device allows the session nevertheless\.$/);
    assert.equal(layout.width, width);
    assert.match(refusal.message, /^Nobody at the device can be asked/);
    assert.match(end.message, /now requires that the person there is told/);
  },
);

test(
  'a locked screen is named in a sentence, and shown and controlled again after it was unlocked',
  { skip },
  async () => {
    await using gnome = await startGnome(width, height, '--unsafe-mode');
    await using fixture = await openDesktopSession();
    await using ann = fixture.meet();
    await ann.until('layout');
    await leaveOverview(ann, gnome);

    await gnome.lock();
    await refusedWith(ann, /^The screen of the device is locked.* unlocks it at the device/);
    const shownBefore = ann.messages('layout').length;
    await gnome.unlock();
    await eventually(
      () => ann.messages('layout').length,
      (count) => count > shownBefore,
    );
    await eventually(
      () => {
        pressKey(ann, 'KeyA', 'x');
        return gnome.events();
      },
      (events) => events.some((line) => line.startsWith('text x')),
    );
  },
);

test(
  'an operator who connects while the screen is locked sees it and shares the clipboard once it was unlocked',
  { skip },
  async () => {
    await using gnome = await startGnome(width, height, '--unsafe-mode');
    await gnome.lock();
    await using fixture = await openDesktopSession();
    await using ann = fixture.meet();
    await refusedWith(ann, /^The screen of the device is locked.* unlocks it at the device/);
    await ann.until('refused', ({ kind }) => kind === 'clipboard');

    await gnome.unlock();
    await ann.until('layout');
    await leaveOverview(ann, gnome);
    ann.sendMessage('clipboard', { text: 'from the operator' });
    await recordedOn(gnome, 'clipboard from the operator');
    pressKey(ann, 'F9', 'F9');

    const { text } = await ann.until('clipboard', (each) => each.text !== '');
    assert.equal(text, 'from the device äж漢');
  },
);

/** Points at a place of the picture until the window has recorded this place of its own: input follows monitors some time later. */
const pointsAt = (ann: Operator, gnome: Gnome, [x, y]: Place, [toX, toY]: Place): Promise<unknown> =>
  eventually(
    () => {
      pointTo(ann, x + 2, y, 0);
      pointTo(ann, x, y, 0);
      return gnome.events().at(-1);
    },
    (last) => last === `pointer ${toX} ${toY}`,
  );

type Place = readonly [x: number, y: number];

/** The monitors that the operator is told, and where the window begins and ends in a picture of this width. */
async function seenAcross(ann: Operator, pictureWidth: number, [first, last]: readonly [Place, Place]) {
  const at = ([x, y]: Place): number => y * pictureWidth + x;
  await eventually(
    () => placesOf(recordingWindowColour, pictureWidth).catch((): number[] => []),
    // The banner covers a part.
    (places) => places.at(-1) === at(last) && places.every((place) => place >= at(first)),
  );
  const { monitors } = await eventually(
    () => ann.messages('layout').at(-1)!,
    (layout) => layout.monitors.some((each) => each.x + each.width === pictureWidth),
  );
  return monitors.map((each) => [each.x, each.y, each.width, each.height]);
}

test(
  'two monitors are shown and pointed at where they are, also after one was scaled or turned during the session',
  { skip },
  async () => {
    await using gnome = await startGnome(1_600, 1_000, '--virtual-monitor 800x600', '--unsafe-mode');
    await gnome.beginWork();
    await using fixture = await openDesktopSession();
    await using ann = fixture.meet();
    await ann.until('layout');

    await gnome.moveWindow(1);
    await pointsAt(ann, gnome, [1_700, 100], [100, 100]);
    const beside = await seenAcross(ann, 2_400, [
      [1_600, 0],
      [2_399, 599],
    ]);
    await gnome.placeMonitors(
      { x: 0, y: 0, scale: 2, transform: 0 },
      { x: 800, y: 0, scale: 1, transform: 0 },
    );
    await gnome.moveWindow(0);
    await pointsAt(ann, gnome, [400, 300], [200, 150]);
    const scaled = await seenAcross(ann, 3_200, [
      [0, 0],
      [1_599, 999],
    ]);
    await gnome.placeMonitors(
      { x: 0, y: 0, scale: 1, transform: 1 },
      { x: 1_000, y: 0, scale: 1, transform: 0 },
    );
    await gnome.moveWindow(0);
    await pointsAt(ann, gnome, [900, 1_500], [900, 1_500]);
    const turned = await seenAcross(ann, 1_800, [
      [0, 0],
      [999, 1_599],
    ]);

    assert.deepEqual(beside, [
      [0, 0, 1_600, 1_000],
      [1_600, 0, 800, 600],
    ]);
    // The picture has the pixels of the monitor with the largest scale.
    assert.deepEqual(scaled, [
      [0, 0, 1_600, 1_000],
      [1_600, 0, 1_600, 1_200],
    ]);
    assert.deepEqual(turned, [
      [0, 0, 1_000, 1_600],
      [1_000, 0, 800, 600],
    ]);
  },
);
