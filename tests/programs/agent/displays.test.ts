/**
 * Which display of the device is shown, how it is opened, and the banner for operators who connected before
 * there was one.
 */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import { NotPossible } from '@drawbridge/agent/platform/platform';
import { screenFeature } from '@drawbridge/agent/session/features/screen';
import { terminalFeature } from '@drawbridge/agent/session/features/terminal';
import { clickOnDisplay, findWindow } from '../../kit/display/desktop-programs.ts';
import { openDisplaySockets } from '../../kit/display/display-sockets.ts';
import { startLoginManager } from '../../kit/display/people/login-manager.ts';
import { startDisplay, type TestDisplay } from '../../kit/display/display.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { createFakePlatform } from '../../kit/agent/fake-platform.ts';
import { eventually } from '../../kit/eventually.ts';
import { openSessionFixture } from '../../kit/session/session-fixture.ts';
import { startVncDisplay } from '../../kit/display/vnc.ts';

const skip = skipWithout('Xvfb') || skipWithout('programs of a desktop');
const nobody = 65_534;
const platform = () => createFakePlatform('desk', { desktop: openDesktop });

/** The width of the screen that is shown: each display of a test has a different width. */
async function shownWidth(): Promise<number> {
  const desktop = await openDesktop();
  const { width } = await desktop.layout();
  desktop.close();
  return width;
}

test('the leftovers of a dead display do not hide a running one', { skip }, async () => {
  using sockets = openDisplaySockets();
  await sockets.addStale(0);
  await sockets.addStale(3);
  await assert.rejects(openDesktop(), /^Error: Nobody is using a screen on this device/);
  await using display = await startDisplay(410, 300);
  sockets.add(display, 12);

  assert.equal(await shownWidth(), 410);
});

test(
  'of two displays the one with the lower number is shown if nothing else is known',
  { skip },
  async () => {
    using sockets = openDisplaySockets();
    await using late = await startDisplay(410, 300);
    sockets.add(late, 10);
    await using early = await startDisplay(420, 300);
    sockets.add(early, 9);

    assert.equal(await shownWidth(), 420);
    sockets.remove(9);
    assert.equal(await shownWidth(), 410);
  },
);

test(
  'an operator who connects while the person at the screen changes gets the next one',
  { skip },
  async () => {
    using sockets = openDisplaySockets();
    await using display = await startDisplay(410, 300);
    sockets.add(display, 0);
    let opened = 0;
    // When the grant arrives, for the banner, and after it for the picture.
    const isChanging = () => [1, 2, 4].includes((opened += 1));
    const desktop = async () => {
      if (isChanging()) throw new NotPossible('Another person takes the screen.', { isBrief: true });
      return openDesktop();
    };
    const changing = createFakePlatform('desk', { desktop });
    await using fixture = await openSessionFixture({ platform: changing, parts: [screenFeature] });
    await using operator = fixture.meet();

    const { message } = await operator.until('refused');
    const { width } = await operator.until('layout');

    assert.deepEqual([message, width], ['Another person takes the screen.', 410]);
  },
);

test('of two displays the one that the login manager calls active is shown', { skip }, async () => {
  using sockets = openDisplaySockets();
  await using greeter = await startDisplay(410, 300);
  sockets.add(greeter, 0);
  await using desk = await startDisplay(420, 300);
  sockets.add(desk, 1);
  using logins = startLoginManager(sockets.folder);
  logins.say({ Type: 'x11', Active: 'yes', Seat: 'seat0', Display: ':1' });

  assert.equal(await shownWidth(), 420);
});

const skipPeople = skip || (process.getuid?.() !== 0 && 'only root can show the desktops of several people');

/** Two people are signed in at the device, each with a display; the first is in front, and its desktop is open. */
async function openSeat() {
  await using all = new AsyncDisposableStack();
  const sockets = all.use(openDisplaySockets());
  for (const [number, width] of [410, 420].entries())
    sockets.add(all.use(await startDisplay(width, 300)), number);
  const logins = all.use(startLoginManager(sockets.folder));
  const putInFront = (front: string): void =>
    logins.say(
      ...[':0', ':1'].map((each) => ({
        Type: 'x11',
        Active: each === front ? 'yes' : 'no',
        Seat: 'seat0',
        Display: each,
      })),
    );
  putInFront(':0');
  const desktop = await openDesktop();
  const { width } = await desktop.layout();
  let whyClosed: string | undefined;
  desktop.onClose((why) => (whyClosed = why));
  const isClosed = () => eventually(() => whyClosed, Boolean);
  const owned = all.move();
  return { logins, putInFront, width, isClosed, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test(
  'when another display comes to the front, the shown one is closed with a sentence, and the next one is that',
  { skip: skipPeople },
  async () => {
    await using seat = await openSeat();

    seat.putInFront(':1');
    const why = await seat.isClosed();

    assert.deepEqual([seat.width, await shownWidth()], [410, 420]);
    assert.match(why!, /^Another person has taken over the screen/);
  },
);

test(
  'a display that comes to the front while the login manager does not answer is shown as soon as it does',
  { skip: skipPeople },
  async () => {
    await using seat = await openSeat();

    seat.logins.fail();
    seat.putInFront(':1');
    await seat.logins.hasFailed();
    seat.logins.answer();
    const why = await seat.isClosed();

    assert.equal(await shownWidth(), 420);
    assert.match(why!, /^Another person has taken over the screen/);
  },
);

/** A display that admits nobody without its cookie. */
async function startLocked(file: string, width: number): Promise<TestDisplay> {
  const kind = 'MIT-MAGIC-COOKIE-1';
  const texts = [Buffer.alloc(0), Buffer.alloc(0), Buffer.from(kind), Buffer.alloc(16, width & 255)];
  const parts = texts.flatMap((text) => [Buffer.from([0, text.length]), text]);
  writeFileSync(file, Buffer.concat([Buffer.from([255, 255]), ...parts]), { mode: 0o600 });
  process.env['XAUTHORITY'] = file;
  const display = await startDisplay(width, 300, ['-auth', file]);
  delete process.env['XAUTHORITY'];
  return display;
}

/** A program of a user who works on a display. */
const workOn = (number: number, file: string, uid?: number): ChildProcess & AsyncDisposable => {
  const env = { DISPLAY: `:${number}.0`, XAUTHORITY: file };
  const child = spawn('/bin/sleep', ['60'], { env, stdio: 'ignore', ...(uid !== undefined && { uid }) });
  return Object.assign(child, {
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  });
};

test('each display is opened with the cookie of its users, which is stored nowhere', { skip }, async () => {
  using sockets = openDisplaySockets();
  const [first, second] = [join(sockets.folder, 'first'), join(sockets.folder, 'second')];
  await using one = await startLocked(first, 410);
  await using other = await startLocked(second, 420);
  sockets.add(one, 4);
  await assert.rejects(openDesktop(), /The display :4 could not be opened: .*uthori/);
  await using _wrong = workOn(4, second);
  await using _ann = workOn(4, first);
  await using _bob = workOn(5, second);

  assert.equal(await shownWidth(), 410);
  sockets.remove(4);
  sockets.add(other, 5);
  assert.equal(await shownWidth(), 420);
  assert.equal(process.env['XAUTHORITY'], undefined);
});

test(
  'a program cannot name a cookie file that does not belong to its user',
  { skip: skip || (process.getuid?.() !== 0 && 'only root can be somebody else') },
  async () => {
    using sockets = openDisplaySockets();
    const file = join(sockets.folder, 'cookies');
    await using display = await startLocked(file, 410);
    sockets.add(display, 4);
    await using _outsider = workOn(4, file, nobody);

    await assert.rejects(openDesktop(), /The display :4 could not be opened/);
    chownSync(file, nobody, nobody);
    assert.equal(await shownWidth(), 410);
  },
);

const pressStop = async ({ name }: TestDisplay): Promise<void> => {
  const { x, y, width, height } = await findWindow('Drawbridge', name);
  await clickOnDisplay(x + width - 20, y + Math.floor(height / 2), name);
};

test(
  'an operator who connected without a display is named as soon as there is one, also on the next, and Stop ends the session',
  { skip },
  async () => {
    using sockets = openDisplaySockets();
    await using fixture = await openSessionFixture({ platform: platform(), parts: [terminalFeature] });
    await using ann = fixture.meet();
    const { permissions, unable } = await ann.until('state');
    await using first = await startDisplay(1_000, 700);

    sockets.add(first, 0);
    await findWindow('Drawbridge', first.name);
    sockets.remove(0);
    await first.stop();
    await using second = await startDisplay(900, 600);
    sockets.add(second, 1);
    await pressStop(second);
    const end = await ann.until('end');

    assert.deepEqual([permissions.includes('agent_terminal_mode'), permissions.length > 0], [true, true]);
    assert.match(unable['agent_connect'] ?? '', /Nobody is using a screen on this device/);
    assert.equal(end.message, 'The person at the device ended the session.');
  },
);

test('a session that is over is not named on a display that starts later', { skip }, async () => {
  using sockets = openDisplaySockets();
  await using fixture = await openSessionFixture({ platform: platform(), parts: [terminalFeature] });
  await using ann = fixture.meet({ name: 'ann' });
  await ann.until('state');
  await using bob = fixture.meet({ name: 'bob' });
  await bob.until('state');
  ann.leave();
  await eventually(
    () => fixture.lines.filter((line) => line.includes('ended:')).length,
    (over) => over === 1,
  );
  await using display = await startDisplay(1_000, 700);
  sockets.add(display, 0);
  const named = await findWindow('Drawbridge', display.name);

  assert.ok(named.height < 40, `${named.height} pixels are more than one line`);
});

test(
  'the same for a Wayland desktop that starts later, where the banner is an XWayland window',
  { skip: skip || skipWithout('Xtigervnc') },
  async () => {
    using sockets = openDisplaySockets();
    await using fixture = await openSessionFixture({ platform: platform(), parts: [terminalFeature] });
    await using ann = fixture.meet();
    await ann.until('state');
    await using display = await startVncDisplay(900, 600);
    sockets.add(display, 0);

    await pressStop(display);

    assert.equal((await ann.until('end')).by, 'device');
  },
);
