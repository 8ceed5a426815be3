/** Files that an operator drags out of the picture of a real GNOME desktop of another user, from a program made with GTK. */
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { describe, test } from 'node:test';
import { join } from 'node:path';
import { defaultPolicy } from '@drawbridge/contract/policy';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import {
  hasDropWindow,
  pointerIsAt,
  startDragSourceOnGnome,
  type ProgramKind,
} from '../../../kit/display/drag/drags-on-gnome.ts';
import { startGnome, type Gnome } from '../../../kit/display/gnome.ts';
import { eventually } from '../../../kit/eventually.ts';
import { skipWithout } from '../../../kit/requirements.ts';
import { openDragDesk, twoFilesDropped, type DragDesk, type DragDeskOptions } from './drag-desk.ts';

const skip = skipWithout('GNOME') || skipWithout('GTK 3');
const [width, height] = [1_000, 600];
const edge = { x: width - 1, y: 200 };
/** Files that are dragged are then refused with a sentence; nothing is said of anything else. */
const noDownloads = { policy: { ...defaultPolicy, files: 'to_device' } } as const;

interface Desk extends DragDesk {
  gnome: Gnome;
}

interface Options extends Pick<DragDeskOptions, 'dragged'> {
  kind?: ProgramKind;
  scale?: number;
  /** The monitor is turned when the agent's helper starts, and turned back then. */
  isTurnedBefore?: boolean;
}

async function openDesk({
  kind = 'wayland',
  scale = 1,
  isTurnedBefore = false,
  ...options
}: Options = {}): Promise<Desk> {
  await using all = new AsyncDisposableStack();
  // GNOME does not scale small monitors.
  const gnome = all.use(await startGnome(scale * width, scale * height, '--unsafe-mode'));
  await gnome.beginWork();
  const place = (transform: number): Promise<void> => gnome.placeMonitors({ x: 0, y: 0, scale, transform });
  await place(isTurnedBefore ? 1 : 0);
  // It keeps the helper, which otherwise ends with the session.
  const desktop = await openDesktop();
  all.defer(() => desktop.close());
  if (isTurnedBefore) await place(0);
  const desk = all.use(
    await openDragDesk({
      ...options,
      start: (what, content) => startDragSourceOnGnome(gnome, what, content, { kind, scale }),
      settled: ({ x, y }, buttons) =>
        pointerIsAt(gnome, { x: Math.floor(x / scale), y: Math.floor(y / scale) }, buttons !== 0),
    }),
  );
  const owned = all.move();
  return { ...desk, gnome, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Mutter removes a window some time after its program has. */
const noDropWindow = (gnome: Gnome): Promise<unknown> =>
  eventually(
    () => hasDropWindow(gnome),
    (isThere) => !isThere,
  );

/** What the window below records when it gets the files. */
const droppedLine = ({ folder }: Desk): string =>
  `files ${['a b.txt', 'ä.bin'].map((name) => pathToFileURL(join(folder, name)).href).join(' ')}`;

describe('files dragged out of the picture of GNOME', { skip }, () => {
  for (const [name, kind] of [
    ['a Wayland program', 'wayland'],
    ['a program on XWayland', 'x11'],
  ] as const)
    test(`are counted while they are dragged out of ${name}, and offered when they are dropped`, async () => {
      await using desk = await openDesk({ kind });
      await desk.dragOut(edge);
      await desk.until('ready');
      await desk.dropBelow(edge);
      await desk.until('dropped');

      assert.deepEqual(desk.said(), twoFilesDropped(desk));
      await desk.source.until(/end/);
      assert.equal(desk.source.output(), 'enter\nbegin\nend\n', 'copied, not moved');
      await noDropWindow(desk.gnome);
    });

  for (const [name, options, corner] of [
    ['a monitor with larger pixels too', { scale: 2 }, { x: 1_998, y: 1_198 }],
    ['a desktop that has become wider too', { isTurnedBefore: true }, { x: 998, y: 598 }],
  ] as const)
    test(`leave ${name}`, async () => {
      await using desk = await openDesk(options);
      await desk.dragOut({ x: 0, y: 300 });
      await desk.until('ready');
      for (const buttons of [1, 0]) await desk.pointer(corner, buttons);
      await desk.until('dropped');
    });

  test('stay in the drag when the pointer returns, can leave again, and can be dropped on the device', async () => {
    await using desk = await openDesk();
    const { gnome } = desk;
    await desk.dragOut(edge);
    await desk.until('ready');
    await desk.say('inside');
    await noDropWindow(gnome);
    await desk.pointer(edge, 1);
    await desk.say('outside');
    await eventually(desk.said, ({ length }) => length === 2);
    await desk.say('inside');
    await noDropWindow(gnome);
    for (const x of [800, 801]) await desk.pointer({ x, y: 500 }, 1);
    await desk.pointer({ x: 801, y: 500 }, 0);
    await desk.source.until(/end/);

    await eventually(gnome.events, (events) => events.includes(droppedLine(desk)));
    assert.deepEqual(
      desk.said().map(({ is }) => is),
      ['ready', 'ready'],
    );
  });

  test('are refused with a sentence if operators cannot reach them, and the drag fails', async () => {
    const content = ['file://elsewhere.example.com/tmp/a', 'sftp://localhost/tmp/b'];
    await using desk = await openDesk({ dragged: () => ({ what: 'files', content }) });
    await desk.dragOut(edge);
    await desk.until('unable');
    await desk.pointer(edge, 0);
    await desk.source.until(/failed/);

    assert.deepEqual(desk.said(), [{ is: 'unable', message: 'Operators cannot reach these files.' }]);
  });

  test('are not taken if the policy forbids it, and the drag goes on', async () => {
    await using desk = await openDesk();
    Object.assign(desk.context, noDownloads);
    await desk.dragOut(edge);
    await desk.until('unable');
    const hasWindow = hasDropWindow(desk.gnome);
    await desk.pointer(edge, 0);
    await desk.source.until(/end/);

    await eventually(desk.gnome.events, (events) => events.includes(droppedLine(desk)));
    assert.equal(hasWindow, false);
    assert.deepEqual(desk.said(), [
      { is: 'unable', message: 'The policy of this device does not allow downloads.' },
    ]);
  });

  test('leave nothing behind when the session ends during a drag', async () => {
    await using desk = await openDesk();
    await desk.dragOut(edge);
    await desk.until('ready');
    const hasWindow = hasDropWindow(desk.gnome);
    await desk.endSession();

    assert.equal(hasWindow, true);
    await noDropWindow(desk.gnome);
  });
});

describe('what is no drag of files on GNOME', { skip }, () => {
  test('is not disturbed: a text that is dragged, and a button that is held', async () => {
    await using desk = await openDesk({ dragged: () => ({ what: 'text', content: ['file:///etc/passwd'] }) });
    const { gnome } = desk;
    await desk.dragOut(edge);
    const hasWindow = [hasDropWindow(gnome)];
    await desk.pointer({ x: 800, y: 500 }, 1);
    await desk.pointer({ x: 801, y: 500 }, 1);
    await desk.pointer({ x: 801, y: 500 }, 0);
    await eventually(gnome.events, (events) => events.some((line) => line.startsWith('text file:///etc')));
    await desk.pointer({ x: 800, y: 100 }, 1);
    await desk.pointer(edge, 1);
    await desk.say('outside');
    hasWindow.push(hasDropWindow(gnome));
    await desk.pointer(edge, 0);

    assert.deepEqual(hasWindow, [false, false]);
    assert.deepEqual(desk.said(), []);
    await eventually(gnome.events, (events) => events.includes('drag 199 100'));
  });

  test('without XWayland there is nothing from which files could be dragged out', async () => {
    await using _ = await startGnome(width, height, '--no-x11');
    const desktop = await openDesktop();
    using __ = { [Symbol.dispose]: () => desktop.close() };

    assert.equal(desktop.fileDrags, undefined);
  });
});
