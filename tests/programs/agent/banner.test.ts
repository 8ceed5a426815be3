/**
 * The banner under attack: whatever happens to its window on the display, the person sees it again, with
 * everyone who is connected.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paneColours } from '@drawbridge/agent/platform/panes/pane';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import { chatFeature } from '@drawbridge/agent/session/features/chat';
import { controlFeature } from '@drawbridge/agent/session/features/control';
import { screenFeature } from '@drawbridge/agent/session/features/screen';
import { findWindow, runOnDisplay } from '../../kit/display/desktop-programs.ts';
import { startDisplay, type TestDisplay } from '../../kit/display/display.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { createFakePlatform } from '../../kit/agent/fake-platform.ts';
import { eventually } from '../../kit/eventually.ts';
import { openSessionFixture } from '../../kit/session/session-fixture.ts';
import { areTextsShown } from '../../kit/display/screen-text.ts';

const skip = skipWithout('Xvfb') || skipWithout('programs of a desktop');
const platform = () => createFakePlatform('desk', { desktop: openDesktop });

const bannerId = async (): Promise<string> =>
  (
    await eventually(
      () => runOnDisplay('xdotool', 'search', '--onlyvisible', '--name', '^Drawbridge$').catch(() => ''),
      (found) => found !== '',
    )
  ).trim();

/** What a program on an X11 display can do to any window there. */
const attacks: Record<string, (id: string, display: TestDisplay) => Promise<unknown> | void> = {
  'is unmapped': (id) => runOnDisplay('xdotool', 'windowunmap', id),
  'is moved off the screen': (id) => runOnDisplay('xdotool', 'windowmove', id, '3000', '3000'),
  'is made one pixel large': (id) => runOnDisplay('xdotool', 'windowsize', id, '1', '1'),
  'is moved into a hidden window': async (id) =>
    runOnDisplay(
      'xdotool',
      'windowreparent',
      id,
      (await runOnDisplay('xdotool', 'search', '--name', hidingPlace)).trim(),
    ),
  'is destroyed': (id, { connection }) => connection.client.DestroyWindow(Number(id)),
  'is killed with its connection': (id) => runOnDisplay('xdotool', 'windowkill', id),
};

const hidingPlace = 'a hiding place';

async function addHidingPlace(display: TestDisplay): Promise<void> {
  const { client, root } = display.connection;
  const window = client.AllocID();
  const { WM_NAME: name, STRING: text } = client.atoms;
  client.CreateWindow(window, root, 0, 0, 10, 10, 0, 0, 0, 0, {});
  client.ChangeProperty(0, window, name!, text!, 8, Buffer.from(hidingPlace));
  await display.done();
}

for (const [what, attack] of Object.entries(attacks))
  test(`a banner that ${what} returns to its position`, { skip }, async () => {
    await using display = await startDisplay(1_000, 700);
    await addHidingPlace(display);
    await using fixture = await openSessionFixture({ platform: platform(), parts: [controlFeature] });
    await using ann = fixture.meet();
    await ann.until('people');
    const before = await findWindow('Drawbridge');

    await attack(await bannerId(), display);
    const after = await eventually(
      () => findWindow('Drawbridge'),
      (found) => JSON.stringify(found) === JSON.stringify(before),
    );

    assert.ok(before.width > 200 && before.y < 2);
    assert.deepEqual(after, before);
    // What was done to it changes nothing for those who are connected.
    assert.deepEqual(ann.messages('end'), []);
  });

test('an operator who makes the screen smaller does not push the banner off it', { skip }, async () => {
  await using _display = await startDisplay(1_600, 900);
  await using fixture = await openSessionFixture({
    platform: platform(),
    parts: [screenFeature, controlFeature],
  });
  await using ann = fixture.meet();
  await ann.until('people');
  await findWindow('Drawbridge');

  ann.sendMessage('resize', { width: 640, height: 480 });
  await ann.until('layout', ({ width }) => width === 640);
  const banner = await eventually(
    () => findWindow('Drawbridge'),
    ({ x, width }) => x + width <= 640,
  );

  assert.ok(banner.x >= 0 && Math.abs(banner.x + banner.width / 2 - 320) < 2, JSON.stringify(banner));
});

test(
  'the chat window and questions stay on the screen, however small it is and becomes',
  { skip },
  async () => {
    await using _display = await startDisplay(1_600, 900);
    await using fixture = await openSessionFixture({
      platform: platform(),
      parts: [screenFeature, controlFeature, chatFeature],
    });
    await using ann = fixture.meet();
    await ann.until('people');
    ann.sendMessage('chat', { text: 'Good day. '.repeat(20), name: 'ann' });
    const large = await findWindow('Drawbridge chat');
    const untilInside = (title: string, width: number, height: number): Promise<unknown> =>
      eventually(
        () => findWindow(title),
        (found) =>
          found.x >= 0 && found.y >= 0 && found.x + found.width <= width && found.y + found.height <= height,
      );

    for (const [width, height] of [
      [640, 480],
      [320, 240],
    ] as const) {
      ann.sendMessage('resize', { width, height });
      await ann.until('layout', (layout) => layout.width === width);
      await untilInside('Drawbridge chat', width, height);
    }
    await using bea = fixture.meet({ confirm: true, name: 'bea@example.com' });
    await untilInside('Drawbridge request', 320, 240);

    assert.deepEqual([large.x, large.y, large.width, large.height], [1_230, 590, 360, 300]);
    assert.deepEqual(bea.messages('end'), []);
  },
);

test(
  'everyone who is connected has a row in the banner, with the code, however many they are and however long their names',
  { skip },
  async () => {
    await using display = await startDisplay(1_000, 700);
    await using fixture = await openSessionFixture({ platform: platform(), parts: [controlFeature] });
    const names = Array.from(
      { length: 16 },
      (_, index) => `operator-${index}-${'n'.repeat(index === 3 ? 290 : 3)}`,
    );
    await using all = new AsyncDisposableStack();
    const operators = names.map((name) => all.use(fixture.meet({ name })));
    for (const operator of operators) await operator.until('people', ({ people }) => people.length === 16);

    const paint = { foreground: paneColours.foreground, background: paneColours.background };
    const texts = operators.flatMap((operator, index) => [`operator-${index}-n`, operator.code()]);
    const missing = async (): Promise<string[]> => {
      const shown = await areTextsShown(display, await findWindow('Drawbridge'), { texts, colours: paint });
      return texts.filter((_, index) => !shown[index]);
    };
    await eventually(missing, ({ length }) => length === 0);

    const banner = await findWindow('Drawbridge');
    assert.ok(banner.x >= 0 && banner.x + banner.width <= 1_000 && banner.height <= 700);
  },
);
