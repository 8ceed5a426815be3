/**
 * KDE through its portal: what becomes of the question that KDE's own dialog asks. A long run, because KDE takes 2 GB:
 * `DRAWBRIDGE_TEST_KDE=1`, as root.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { reportSessions } from '@drawbridge/agent/platform/linux/wayland/desktop';
import { placeKdeGrant } from '@drawbridge/agent/platform/linux/wayland/kde/grant';
import { pathSetting } from '@drawbridge/agent/platform/linux/wayland/wayland-path';
import { startKde, type Kde } from '../../../kit/display/kde.ts';
import { eventually } from '../../../kit/eventually.ts';
import { skipWithout } from '../../../kit/requirements.ts';
import { openDesktopSession } from '../../../kit/session/desktop-session.ts';
import type { Operator } from '../../../kit/session/operator.ts';

const skip = skipWithout('KDE');
const [escape, enter] = [1, 28];
const asksPerson = /asks the person there whether they share their screen/;

afterEach(() => delete process.env[pathSetting]);

/** The dialog takes the focus from the window below it. */
const dialogIsOpen = (events: readonly string[]): boolean => events.at(-1) === 'active false';

const refusedWith = (ann: Operator, pattern: RegExp): Promise<unknown> =>
  eventually(
    () => ann.messages('refused').map(({ message }) => message),
    (messages) => messages.some((message) => pattern.test(message)),
  );

async function answer(kde: Kde, code: number, expected: RegExp): Promise<void> {
  await using fixture = await openDesktopSession();
  await using ann = fixture.meet();
  await refusedWith(ann, asksPerson);
  await eventually(kde.events, dialogIsOpen);
  await kde.press(code);
  await refusedWith(ann, expected);
  assert.deepEqual(ann.messages('layout'), []);
}

const runKde = (): Promise<void> =>
  test(
    'KDE is reached through its portal, whose dialog can be declined; without a graphics card it cannot share',
    { skip },
    async () => {
      // KWin grants its interfaces to everyone here, and they are a better path, which does not ask.
      process.env[pathSetting] = 'portal';
      await using kde = await startKde(1_000, 600, { isOpen: true });
      await placeKdeGrant();
      const [report] = await reportSessions();

      await answer(kde, escape, /has declined to share/);
      await answer(kde, enter, /could not share its screen/);

      assert.equal(report?.compositor.trim(), 'kwin_wayland');
      assert.deepEqual(report?.paths, [{ name: 'portal' }]);
    },
  );

const runFallback = (): Promise<void> =>
  test('the portal asks the person where KWin grants nothing to the installed agent', { skip }, async () => {
    await using kde = await startKde(1_000, 600);
    await placeKdeGrant();
    const [desktopFile = ''] = globSync(join(kde.root, 'usr/local/share/applications/*.desktop'));
    writeFileSync(desktopFile, readFileSync(desktopFile, 'utf8').replace(/^X-KDE.*$/m, ''));
    await using fixture = await openDesktopSession();
    await using ann = fixture.meet();

    await refusedWith(ann, asksPerson);
    await eventually(kde.events, dialogIsOpen);
  });

if (process.env['DRAWBRIDGE_TEST_KDE'] === '1') {
  void runKde();
  void runFallback();
}
