/** People who change places at a device with the real login manager (systemd-logind). */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import { watchLock } from '@drawbridge/agent/platform/linux/lock-watch';
import { startLogind, whyNoLogind, type Logind } from '../../../kit/display/people/logind.ts';
import { openDeviceOfPeople } from '../../../kit/display/people/signed-in-people.ts';
import { eventually } from '../../../kit/eventually.ts';
import { skipWithout } from '../../../kit/requirements.ts';

const skip = skipWithout('sway') || skipWithout('Linux namespaces') || whyNoLogind();
const [ann, bob] = [
  { uid: 1, width: 1_000 },
  { uid: 2, width: 800 },
];

async function openLogind(): Promise<Logind> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-logind-'));
  const logind = await startLogind(folder, ann.uid, bob.uid);
  return {
    ...logind,
    async [Symbol.asyncDispose]() {
      await logind[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

/** What is shown: its width, and why it ends. */
async function show(): Promise<{ width: number; closed: Promise<string | undefined>; close(): void }> {
  const desktop = await openDesktop();
  const { width } = await desktop.layout();
  const closed = new Promise<string | undefined>((resolve) => desktop.onClose(resolve));
  return { width, closed, close: () => desktop.close() };
}

test(
  'when another person comes to the front, the desktop is closed, and theirs is next',
  { skip },
  async () => {
    await using logind = await openLogind();
    await using device = openDeviceOfPeople(logind);
    for (const { uid, width } of [ann, bob]) await device.signIn(uid, width);
    device.putInFront(ann.uid);
    const first = await show();

    device.putInFront(bob.uid);
    const why = await first.closed;
    const next = await show();
    next.close();

    assert.deepEqual([first.width, next.width], [ann.width, bob.width]);
    assert.match(why ?? '', /^Another person has taken over the screen/);
  },
);

test('a desktop that appears only after its person came to the front is noticed', { skip }, async () => {
  await using logind = await openLogind();
  await using device = openDeviceOfPeople(logind);
  await device.signIn(ann.uid, ann.width);
  device.putInFront(ann.uid);
  const first = await show();

  device.putInFront(bob.uid);
  await device.signIn(bob.uid, bob.width);

  assert.match((await first.closed) ?? '', /^Another person has taken over the screen/);
});

test('a screen that is locked is noticed at once, and only that of this person', { skip }, async () => {
  await using logind = await openLogind();
  const locked: number[] = [];
  logind.say({ User: `${ann.uid}`, Active: 'yes', LockedHint: 'yes' });
  const stops = [ann, bob].map(({ uid }) => watchLock(uid, () => void locked.push(uid)));
  const before = await eventually(
    () => [...locked],
    (seen) => seen.length > 0,
  );
  logind.say({ User: `${bob.uid}`, LockedHint: 'yes' });
  await eventually(() => locked.length > 1, Boolean);
  for (const stop of stops) stop();

  assert.deepEqual([before, locked], [[ann.uid], [ann.uid, bob.uid]]);
});
