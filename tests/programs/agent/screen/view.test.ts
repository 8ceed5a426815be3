/** What an operator chooses to see, and how the device adapts to a slow operator. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotPossible } from '@drawbridge/agent/platform/platform';
import { startDisplay } from '../../../kit/display/display.ts';
import { eventually } from '../../../kit/eventually.ts';
import { skipWithout } from '../../../kit/requirements.ts';
import { makePhoto, makeTextPicture } from '../../../kit/display/pictures.ts';
import { readPng } from '../../../kit/display/png-reader.ts';
import { startViewer, type Viewer } from '../../../kit/session/viewer.ts';

const skip = skipWithout('Xvfb');
const skipVideo = skip || skipWithout('libvpx');
const [width, height] = [640, 480];
const whole = { x: 0, y: 0, width, height };
const resting = 500;

const pictures = (viewer: Viewer): number => viewer.tiles.length + viewer.videos.length;

/** The pixels of some columns of the screen. */
const columns = (pixels: Uint32Array, from: number, count: number): number[] =>
  [...pixels].filter((_, at) => at % width >= from && at % width < from + count);

test(
  'an operator who does not acknowledge gets only a few pictures, and the newest one afterwards',
  { skip },
  async () => {
    await using display = await startDisplay(width, height);
    await using viewer = await startViewer();
    await viewer.quiet(resting);
    const before = pictures(viewer);

    viewer.acknowledge(false);
    for (let frame = 0; frame < 30; frame += 1) {
      display.paint({ x: frame * 10, y: 0, width: 8, height: 8 }, frame * 1_000);
      await viewer.quiet(40);
    }
    const unacknowledged = pictures(viewer) - before;
    viewer.acknowledge(true);
    await viewer.quiet(resting);

    assert.ok(unacknowledged >= 1 && unacknowledged <= 12, `${unacknowledged} pictures were under way`);
    await viewer.untilSame(await display.pixels());
  },
);

test(
  'one of several monitors is shown, another when it is chosen, and all as one picture',
  { skip },
  async () => {
    await using display = await startDisplay(width, height);
    await display.divide([400, 240]);
    display.draw(whole, makeTextPicture(1, whole));
    await using viewer = await startViewer({ monitor: 1 });
    await viewer.quiet(resting);
    const truth = await display.pixels();

    assert.deepEqual(
      viewer.layouts.map(({ current, width: wide, monitors }) => [current, wide, monitors.length]),
      [[1, 240, 2]],
    );
    await viewer.untilSame(columns(truth, 400, 240));

    await viewer.look({ monitor: 0 });
    await viewer.untilSame(columns(truth, 0, 400));

    await viewer.look({ monitor: -1 });
    await viewer.quiet(resting);
    assert.equal(viewer.layouts.at(-1)?.current, -1);
    await viewer.untilSame(truth);
  },
);

test('a monitor that is removed disappears within two seconds', { skip }, async () => {
  await using display = await startDisplay(width, height);
  await display.divide([300, 200, 140]);
  await using viewer = await startViewer({ monitor: 2 });
  await viewer.quiet(resting);

  const removedAt = performance.now();
  await display.removeMonitor('test-1');
  await eventually(
    async () => viewer.layouts.at(-1)!,
    ({ monitors }) => monitors.length === 2,
  );
  const took = performance.now() - removedAt;
  const kept = viewer.layouts.at(-1)!;
  await display.removeMonitor('test-2');
  await eventually(
    async () => viewer.layouts.at(-1)!,
    ({ monitors }) => monitors.length === 1,
  );

  assert.ok(took < 2_000, `it took ${took} ms`);
  // The operator still sees the same monitor, which has another number now; without it, the primary one.
  assert.deepEqual([kept.current, kept.width], [1, 140]);
  assert.deepEqual([viewer.layouts.at(-1)!.current, viewer.layouts.at(-1)!.width], [0, 300]);
});

test('changes on a monitor that is not shown are not sent', { skip }, async () => {
  await using display = await startDisplay(width, height);
  await display.divide([400, 240]);
  await using viewer = await startViewer({ monitor: 0 });
  await viewer.quiet(resting);
  const before = pictures(viewer);

  display.paint({ x: 450, y: 10, width: 100, height: 100 }, 0xff0000);
  await viewer.quiet(resting);

  assert.equal(pictures(viewer), before);
});

test('a paused picture does not change, and catches up when it is resumed', { skip }, async () => {
  await using display = await startDisplay(width, height);
  await using viewer = await startViewer();
  await viewer.quiet(resting);
  await viewer.look({ paused: true });
  const before = pictures(viewer);

  display.draw(whole, makeTextPicture(2, whole));
  await viewer.quiet(resting);
  assert.equal(pictures(viewer), before);

  await viewer.look({ paused: false });
  await viewer.untilSame(await display.pixels());
});

test('an operator who asks for it gets the whole picture again', { skip: skipVideo }, async () => {
  await using display = await startDisplay(width, height);
  display.draw(whole, makePhoto(3, whole));
  await using viewer = await startViewer();
  await viewer.quiet(resting);
  display.draw(whole, makePhoto(4, whole));
  await viewer.until(() => viewer.videos.length > 0);
  await viewer.quiet(resting);
  viewer.pixels().fill(0);

  await viewer.look({ fresh: true });

  await viewer.untilSame(await display.pixels());
  // Video starts again with a key frame.
  const videos = viewer.videos.length;
  display.draw(whole, makePhoto(5, whole));
  await viewer.until(() => viewer.videos.length > videos);
  assert.ok(viewer.videos[videos]!.key);
});

test('two operators see the same screen, each at their own pace', { skip }, async () => {
  await using display = await startDisplay(width, height);
  await using quick = await startViewer();
  await using slow = await startViewer({ video: false });
  slow.acknowledge(false);

  for (let frame = 0; frame < 10; frame += 1) display.draw(whole, makePhoto(frame, whole));

  await quick.untilSame(await display.pixels());
  assert.ok(pictures(slow) <= 3);
  slow.acknowledge(true);
  await slow.untilSame(await display.pixels());
});

test(
  'the pointer is sent with its shape and position, and hidden if it is not on the shown monitor',
  { skip },
  async () => {
    await using display = await startDisplay(width, height);
    await display.divide([400, 240]);
    await display.point(100, 50);
    await using viewer = await startViewer({ monitor: 0 });
    await viewer.until(() => viewer.cursors.length > 0);

    display.shapePointer(8, 0x2040c0);
    await viewer.until(() => viewer.cursors.at(-1)?.shape?.width === 8);
    const { x, y, shape } = viewer.cursors.at(-1)!;
    assert.deepEqual([x, y], [100, 50]);
    assert.ok(readPng(shape!.png).pixels.every((pixel) => pixel === 0xff2040c0));

    await display.point(120, 60);
    await viewer.until(() => viewer.cursors.at(-1)?.x === 120);
    assert.deepEqual(viewer.cursors.at(-1), { x: 120, y: 60 });

    await display.point(500, 60);
    await viewer.until(() => viewer.cursors.at(-1)?.shape?.png.length === 0);
    await display.point(130, 70);
    await viewer.until(() => viewer.cursors.at(-1)?.x === 130);
    assert.equal(viewer.cursors.at(-1)?.shape?.width, 8);
  },
);

test('the screen changes its size on request, and refuses a size it cannot have', { skip }, async () => {
  await using display = await startDisplay(width, height);
  await using viewer = await startViewer();
  await viewer.quiet(resting);

  await viewer.resize(320, 240);
  await viewer.until(() => viewer.layouts.at(-1)?.width === 320);
  display.draw({ x: 0, y: 0, width: 320, height: 240 }, makeTextPicture(4, { width: 320, height: 240 }));
  await viewer.quiet(resting);

  assert.equal(viewer.layouts.at(-1)?.height, 240);
  await viewer.untilSame(await display.pixels());
  await assert.rejects(viewer.resize(5_000, 4_000), NotPossible);
});

test('the end of a display is reported, and the next one is shown', { skip }, async () => {
  await using first = await startDisplay(width, height);
  await using viewer = await startViewer();
  await viewer.quiet(resting);

  await first.stop();
  await viewer.untilRefused(/display of the device was closed/);
  await using second = await startDisplay(320, 240);
  await viewer.until(() => viewer.layouts.at(-1)?.width === 320);

  await viewer.untilSame(await second.pixels());
});

test('a display that hangs does not keep a session from ending', { skip, timeout: 120_000 }, async () => {
  await using display = await startDisplay(width, height);
  await using viewer = await startViewer();
  await viewer.quiet(resting);
  display.paint(whole, 0x123456);
  await display.done();

  display.freeze(true);
  await viewer.look({ fresh: true });
  await viewer.quiet(100);
  await viewer.stop();

  display.freeze(false);
});
