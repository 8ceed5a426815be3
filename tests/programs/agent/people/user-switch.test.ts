/** Several people are signed in to Wayland desktops of one device, and change places while operators are connected. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Desktop } from '@drawbridge/agent/platform/desktop';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import { clipboardFeature } from '@drawbridge/agent/session/features/clipboard';
import { controlFeature } from '@drawbridge/agent/session/features/control';
import { screenFeature } from '@drawbridge/agent/session/features/screen';
import { createFakePlatform } from '../../../kit/agent/fake-platform.ts';
import { openDeviceOfPeople } from '../../../kit/display/people/signed-in-people.ts';
import { eventually } from '../../../kit/eventually.ts';
import { skipWithout } from '../../../kit/requirements.ts';
import { pointTo, placesOf, stopRed } from '../../../kit/session/desktop-session.ts';
import type { Operator } from '../../../kit/session/operator.ts';
import { openSessionFixture } from '../../../kit/session/session-fixture.ts';

const skip =
  skipWithout('sway') || (process.getuid?.() !== 0 && 'only root can show the desktops of several people');
/** Two people, and how wide the screen of each is. */
const [ann, bob] = [
  { uid: 1, width: 1_000 },
  { uid: 2, width: 800 },
];
/** Longer than everything else takes, so that a picture that does not wait for the banner comes first. */
const slowBannerMs = 700;

/** Notes what is opened on which desktop, by its width, when it is there. */
function openSession() {
  const opened: string[] = [];
  const watched = async (): Promise<Desktop> => {
    const desktop = await openDesktop();
    // The person can change just now.
    const { width } = await desktop.layout().catch(() => ({ width: 0 }));
    return {
      ...desktop,
      async banner(text) {
        await new Promise((resolve) => setTimeout(resolve, slowBannerMs));
        const banner = await desktop.banner(text);
        opened.push(`banner ${width}`);
        return banner;
      },
      async capture() {
        opened.push(`capture ${width}`);
        return desktop.capture();
      },
      async input() {
        opened.push(`input ${width}`);
        return desktop.input();
      },
    };
  };
  const platform = createFakePlatform('desk', { desktop: watched });
  return { opened, open: () => openSessionFixture({ platform, parts: [screenFeature, controlFeature] }) };
}

const widths = (operator: Operator): number[] => operator.messages('layout').map(({ width }) => width);

test(
  'picture, input and a second operator stay with one person until another takes the seat, whose banner comes first',
  { skip },
  async () => {
    await using device = openDeviceOfPeople();
    await device.signIn(ann.uid, ann.width);
    await device.signIn(bob.uid, bob.width);
    device.putInFront(ann.uid);
    const { opened, open } = openSession();
    await using fixture = await open();
    await using carl = fixture.meet({ name: 'carl' });
    await carl.until('layout');

    device.putInFront(bob.uid);
    // The input and the second operator's picture are opened before or after the switch is noticed.
    pointTo(carl, 10, 10, 0);
    await using dora = fixture.meet({ name: 'dora' });
    const { message } = await carl.until('refused');
    await carl.until('layout', ({ width }) => width === bob.width);
    await dora.until('layout', ({ width }) => width === bob.width);
    await eventually(
      () => {
        pointTo(carl, 20, 20, 0);
        return opened;
      },
      (all) => all.includes(`input ${bob.width}`),
    );
    const banner = await placesOf(stopRed, bob.width);

    assert.match(message, /^Another person has taken over the screen .* The next desktop will be shown\.$/);
    for (const { width } of [ann, bob])
      assert.equal(
        opened.find((each) => each.endsWith(` ${width}`)),
        `banner ${width}`,
        opened.join(', '),
      );
    assert.ok(banner.length > 500, `${banner.length} pixels of the button are on the new screen`);
  },
);

test('a session to which a person agreed ends when another takes the seat', { skip }, async () => {
  await using device = openDeviceOfPeople();
  await device.signIn(ann.uid, ann.width);
  await device.signIn(bob.uid, bob.width);
  device.putInFront(ann.uid);
  const agreeing = async (): Promise<Desktop> => ({ ...(await openDesktop()), ask: async () => true });
  const platform = createFakePlatform('desk', { desktop: agreeing });
  await using fixture = await openSessionFixture({ platform, parts: [screenFeature] });
  await using carl = fixture.meet({ confirm: true });
  await carl.until('layout');

  device.putInFront(bob.uid);
  const { message } = await carl.until('end');

  assert.match(
    message,
    /^Another person has taken over .* The desktop on which the person agreed was closed\.$/,
  );
  assert.deepEqual(widths(carl), [ann.width]);
});

test('what the next person copies reaches an operator who has copied nothing since', { skip }, async () => {
  await using device = openDeviceOfPeople();
  await device.signIn(ann.uid, ann.width);
  await device.signIn(bob.uid, bob.width);
  device.putInFront(ann.uid);
  const platform = createFakePlatform('desk', { desktop: openDesktop });
  await using fixture = await openSessionFixture({ platform, parts: [screenFeature, clipboardFeature] });
  await using carl = fixture.meet();
  await carl.until('layout');

  device.putInFront(bob.uid);
  await carl.until('layout', ({ width }) => width === bob.width);
  const desktop = await openDesktop();
  using _ = { [Symbol.dispose]: () => desktop.close() };
  (await desktop.clipboard()).write('from bob');

  await carl.until('clipboard', ({ text }) => text === 'from bob');
});

test('after a person signed out, the next one who signs in is shown', { skip }, async () => {
  await using device = openDeviceOfPeople();
  await device.signIn(ann.uid, ann.width);
  device.putInFront(ann.uid);
  const { opened, open } = openSession();
  await using fixture = await open();
  await using carl = fixture.meet();
  await carl.until('layout');

  await device.signOut(ann.uid);
  const { message } = await carl.until('refused');
  await device.signIn(bob.uid, bob.width);
  device.putInFront(bob.uid);
  await carl.until('layout', ({ width }) => width === bob.width);

  assert.match(message, /has ended.* The next desktop will be shown\.$/);
  assert.equal(
    opened.find((each) => each.endsWith(` ${bob.width}`)),
    `banner ${bob.width}`,
  );
});
