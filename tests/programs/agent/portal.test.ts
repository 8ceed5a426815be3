/**
 * A desktop of another user through its portal: the person is asked by the real dialog of GNOME, and the operator uses it. A long run, because
 * it fails beside other desktops of the same user: `DRAWBRIDGE_TEST_PORTAL=1`, as root.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { reportSessions } from '@drawbridge/agent/platform/linux/wayland/desktop';
import { pathSetting } from '@drawbridge/agent/platform/linux/wayland/wayland-path';
import { startGnome } from '../../kit/display/gnome.ts';
import { recordingWindowColour } from '../../kit/display/recording-window.ts';
import { eventually } from '../../kit/eventually.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openDesktopSession, placesOf, pointTo, stopRed } from '../../kit/session/desktop-session.ts';
import type { Operator } from '../../kit/session/operator.ts';
import { useEverything } from '../../kit/session/use-desktop.ts';

const skip = skipWithout('GNOME');
const [width, height] = [1_000, 600];

// GNOME has a better path, which does not ask.
process.env[pathSetting] = 'portal';
after(() => delete process.env[pathSetting]);

const refusals = (ann: Operator): string[] => ann.messages('refused').map(({ message }) => message);

const refusedWith = (ann: Operator, pattern: RegExp): Promise<unknown> =>
  eventually(
    () => refusals(ann),
    (messages) => messages.some((message) => pattern.test(message)),
  );

const isQuestion = /asks the person there whether they share their screen/;

/** The picture has the window of the person, and the banner that tells them who is connected. */
async function seeDesktop(ann: Operator): Promise<void> {
  const layout = await ann.until('layout');
  await eventually(
    () => placesOf(recordingWindowColour, width),
    (places) => places.length > 0.9 * width * height,
  );
  await eventually(
    () => placesOf(stopRed, width),
    (places) => places.length > 500,
  );
  assert.deepEqual([layout.width, layout.height, layout.monitors.length], [width, height, 1]);
}

function runPortal(): void {
  void test(
    'the portal asks the person, who shares the screen but not the mouse; the next session starts without a question',
    { skip },
    async () => {
      await using gnome = await startGnome(width, height, '--unsafe-mode');
      await gnome.beginWork();
      const [report] = await reportSessions();
      {
        await using fixture = await openDesktopSession();
        await using ann = fixture.meet();
        await refusedWith(ann, isQuestion);
        await gnome.answer('showOnly');
        await seeDesktop(ann);
        pointTo(ann, 300, 200, 0);
        await refusedWith(ann, /has allowed operators to see the screen, but not to use mouse and keyboard/);
      }
      await using fixture = await openDesktopSession();
      await using ben = fixture.meet();
      await seeDesktop(ben);

      assert.deepEqual(report?.paths, [{ name: 'portal' }]);
      assert.deepEqual(
        refusals(ben).filter((message) => isQuestion.test(message)),
        [],
      );
    },
  );

  void test(
    'a person who declines is asked at the next session, allows input there, and the operator types, drags, scrolls and pastes',
    { skip },
    async () => {
      await using gnome = await startGnome(width, height, '--unsafe-mode');
      await gnome.beginWork();
      for (let declined = 0; declined < 2; declined += 1) {
        await using fixture = await openDesktopSession();
        await using ann = fixture.meet();
        await refusedWith(ann, isQuestion);
        await gnome.answer('decline');
        await refusedWith(ann, /has declined to share their screen/);
      }
      await using fixture = await openDesktopSession();
      await using ben = fixture.meet();
      await refusedWith(ben, isQuestion);
      await gnome.answer('allowInput');
      await ben.until('layout');
      // The device has no keyboard, so the first letter is the first key that was ever pressed there.
      await useEverything(ben, gnome);
    },
  );
}

if (process.env['DRAWBRIDGE_TEST_PORTAL'] === '1') runPortal();
