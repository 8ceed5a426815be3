/** What the person at a wlroots desktop without XWayland is told, and what operators are told about its lock screen. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import { notifyUsers } from '@drawbridge/agent/platform/linux/notify';
import { screenFeature } from '@drawbridge/agent/session/features/screen';
import { createFakePlatform } from '../../../kit/agent/fake-platform.ts';
import { openDeviceOfPeople } from '../../../kit/display/people/signed-in-people.ts';
import { startSway } from '../../../kit/display/sway.ts';
import { eventually } from '../../../kit/eventually.ts';
import { skipWithout } from '../../../kit/requirements.ts';
import { placesOf } from '../../../kit/session/desktop-session.ts';
import { openSessionFixture } from '../../../kit/session/session-fixture.ts';

const skip = skipWithout('sway');
const width = 1_000;
/** The colour of the button that confirms a notice. */
const okGrey = 0x4b5563;

test('a notice is shown without XWayland until the person confirms it', { skip }, async () => {
  await using _ = await startSway(width, 600);
  let isOver = false;
  const notified = notifyUsers('This device was unlinked from its Drawbridge account.').then(
    () => (isOver = true),
  );
  const [button = 0] = await eventually(
    () => placesOf(okGrey, width),
    (places) => places.length > 500,
  );
  const desktop = await openDesktop();
  const input = await desktop.input();

  // The notice ignores clicks for a moment after it appears.
  const at = [(button % width) + 2, Math.floor(button / width) + 2] as const;
  await eventually(() => {
    for (const buttons of [0, 1, 0]) input.pointer(...at, buttons);
    return isOver;
  }, Boolean);
  await notified;
  const left = await eventually(
    () => placesOf(okGrey, width),
    (places) => places.length < 100,
  );
  desktop.close();

  assert.ok(left.length < 100, `${left.length} pixels of the button are left`);
});

test(
  'the operator is told when the screen is locked, once, and again when it is locked again',
  { skip: skip || (process.getuid?.() !== 0 && 'only root can start the desktop of somebody else') },
  async () => {
    await using device = openDeviceOfPeople();
    const person = 1;
    await device.signIn(person, width);
    device.putInFront(person);
    const platform = createFakePlatform('desk', { desktop: openDesktop });
    await using fixture = await openSessionFixture({ platform, parts: [screenFeature] });
    await using ann = fixture.meet();
    await ann.until('layout');
    const said = (): string[] => ann.messages('refused').map(({ message }) => message);
    const before = said();

    device.lock(person);
    await eventually(said, (all) => all.length === 1);
    device.putInFront(person);
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    device.lock(person);
    const all = await eventually(said, (each) => each.length === 2);

    assert.deepEqual(before, []);
    assert.match(all[0]!, /^The screen of the device is locked\. You see the lock screen/);
    assert.equal(all[1], all[0]);
  },
);
