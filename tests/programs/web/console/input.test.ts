/** The rules by which mouse, touch and keyboard events become frames. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStatsMeter } from '@drawbridge/web/console/menus/connection-stats';
import { createGestureRecognizer, type GestureListener } from '@drawbridge/web/console/input/gestures';
import { toDevicePoint, toButtons, toNotches } from '@drawbridge/web/console/input/geometry';
import { createRemoteInput, type RemoteInput } from '@drawbridge/web/console/input/remote-input';
import { diffText } from '@drawbridge/web/console/input/text-edit';
import { createPictureQueue } from '@drawbridge/web/console/screen/picture-queue';
import { bestSize } from '@drawbridge/web/console/screen/best-size';

test('a point of the window maps to a pixel of the device, and outside the picture to the nearest one', () => {
  const shown = { left: 100, top: 50, width: 500, height: 250 };
  const size = { width: 1_000, height: 500 };
  const at = (x: number, y: number) => toDevicePoint({ x, y }, shown, size);

  assert.deepEqual(at(100, 50), { x: 0, y: 0 });
  assert.deepEqual(at(350, 175), { x: 500, y: 250 });
  assert.deepEqual(at(600, 300), { x: 999, y: 499 });
  assert.deepEqual(at(0, 900), { x: 0, y: 499 });
});

test('the numbers of the right and middle buttons are swapped between browsers and frames; the others stay', () => {
  assert.deepEqual([1, 2, 4, 8, 16, 31].map(toButtons), [1, 4, 2, 8, 16, 31]);
});

test('a notch of a wheel is a notch in pixels, lines and pages', () => {
  assert.deepEqual([toNotches(100, 0), toNotches(-3, 1), toNotches(1, 2)], [120, -120, 120]);
  assert.equal(toNotches(1e9, 0), 32_767);
});

function inputWithFrames(): { input: RemoteInput; sent: unknown[]; picture(): void } {
  const sent: unknown[] = [];
  let calls: (() => void)[] = [];
  const input = createRemoteInput(
    (kind, payload) => sent.push([kind, payload]) > 0,
    (call) => calls.push(call),
  );
  return {
    input,
    sent,
    picture() {
      const due = calls;
      calls = [];
      due.forEach((call) => call());
    },
  };
}

test('moves between two animation frames are merged, a press in between is never lost nor moved', () => {
  const { input, sent, picture } = inputWithFrames();

  for (let x = 0; x <= 10; x += 1) input.pointer({ x, y: 0 }, 0);
  input.pointer({ x: 11, y: 0 }, 1);
  input.pointer({ x: 12, y: 0 }, 1);
  input.pointer({ x: 12, y: 0 }, 0);
  picture();

  assert.deepEqual(
    sent
      .map((each) => (each as [string, { x: number; buttons: number }])[1])
      .map(({ x, buttons }) => [x, buttons]),
    [
      [10, 0],
      [11, 1],
      [12, 1],
      [12, 0],
    ],
  );
});

test('wheel turns between two animation frames add up, after the move that came before them', () => {
  const { input, sent, picture } = inputWithFrames();

  input.pointer({ x: 5, y: 5 }, 0);
  input.wheel({ x: 5, y: 5 }, 0, 40);
  input.wheel({ x: 5, y: 5 }, 0, 80);
  picture();

  assert.deepEqual(sent, [
    ['pointer', { x: 5, y: 5, buttons: 0 }],
    ['wheel', { x: 5, y: 5, deltaX: 0, deltaY: 120 }],
  ]);
});

test('losing the focus releases everything that is pressed, and nothing else', () => {
  const { input, sent } = inputWithFrames();

  input.key({ down: false, code: 'KeyQ', key: 'q' });
  input.key({ down: true, code: 'AltLeft', key: 'Alt' });
  input.pointer({ x: 1, y: 1 }, 1);
  input.releaseAll();
  input.releaseAll();

  assert.deepEqual(sent, [
    ['key', { down: true, code: 'AltLeft', key: 'Alt' }],
    ['pointer', { x: 1, y: 1, buttons: 1 }],
    ['key', { down: false, code: 'AltLeft', key: 'Alt' }],
    ['pointer', { x: 1, y: 1, buttons: 0 }],
  ]);
});

test('a long text is sent in pieces', () => {
  const { input, sent } = inputWithFrames();
  input.text('x'.repeat(5_000));
  assert.deepEqual(
    sent.map((each) => (each as [string, { text: string }])[1].text.length),
    [4_096, 904],
  );
});

function fingersWithTime() {
  const meant: string[] = [];
  let due: (() => void) | undefined;
  const round = ({ x, y }: { x: number; y: number }): string => `${Math.round(x)},${Math.round(y)}`;
  const gestures: GestureListener = {
    click: (spot) => meant.push(`click ${round(spot)}`),
    rightClick: (spot) => meant.push(`right ${round(spot)}`),
    drag: (spot, isDown) => meant.push(`drag ${round(spot)} ${isDown}`),
    scroll: (_spot, x, y) => meant.push(`scroll ${x},${y}`),
    zoom: (factor) => meant.push(`zoom ${factor.toFixed(2)}`),
  };
  const fingers = createGestureRecognizer(gestures, (_ms, call) => {
    due = call;
    return () => (due = undefined);
  });
  return { fingers, meant, wait: () => due?.() };
}

test('a tap is a click, a long press the other button and no click', () => {
  const { fingers, meant, wait } = fingersWithTime();
  fingers.down({ id: 1, x: 10, y: 10 });
  fingers.move({ id: 1, x: 13, y: 12 });
  fingers.up({ id: 1, x: 13, y: 12 });
  fingers.down({ id: 1, x: 20, y: 20 });
  wait();
  fingers.up({ id: 1, x: 20, y: 20 });
  assert.deepEqual(meant, ['click 10,10', 'right 20,20']);
});

test('a finger that moves drags from where it was put, and releases where it was lifted', () => {
  const { fingers, meant } = fingersWithTime();
  fingers.down({ id: 1, x: 10, y: 10 });
  fingers.move({ id: 1, x: 40, y: 10 });
  fingers.up({ id: 1, x: 50, y: 10 });
  assert.deepEqual(meant, ['drag 10,10 true', 'drag 40,10 true', 'drag 50,10 false']);
});

test('two fingers that move together scroll, two that part zoom in, two that tap are the other button', () => {
  const { fingers, meant } = fingersWithTime();
  const put = (): void => {
    fingers.down({ id: 1, x: 100, y: 100 });
    fingers.down({ id: 2, x: 160, y: 100 });
  };
  const lift = (): void => {
    fingers.up({ id: 1, x: 0, y: 0 });
    fingers.up({ id: 2, x: 0, y: 0 });
  };
  put();
  fingers.move({ id: 1, x: 100, y: 70 });
  fingers.move({ id: 2, x: 160, y: 70 });
  lift();
  assert.deepEqual(meant.splice(0), ['scroll 0,15', 'scroll 0,15']);
  put();
  fingers.move({ id: 1, x: 40, y: 100 });
  lift();
  assert.deepEqual(meant.splice(0), ['zoom 2.00']);
  put();
  lift();
  assert.deepEqual(meant, ['right 130,100']);
});

test('a correction on a phone is this many backspaces and the new characters', () => {
  assert.deepEqual(diffText('helo', 'hello'), { back: 1, text: 'lo' });
  assert.deepEqual(diffText('ab', 'a'), { back: 1, text: '' });
  assert.deepEqual(diffText('a👍🏽', 'a👍'), { back: 1, text: '' });
});

test('the best size for a window is the largest that fits, else the smallest there is', () => {
  const sizes = [
    { width: 1_920, height: 1_080 },
    { width: 1_280, height: 720 },
    { width: 800, height: 600 },
  ];
  assert.deepEqual(bestSize(sizes, { width: 1_400, height: 900 }), sizes[1]);
  assert.deepEqual(bestSize(sizes, { width: 300, height: 300 }), sizes[2]);
  assert.equal(bestSize([], { width: 300, height: 300 }), undefined);
});

test('statistics cover the time since they were last read', () => {
  const measure = createStatsMeter(0, { frames: 0, bytes: 0 });
  assert.deepEqual(measure(2_000, { frames: 60, bytes: 4_000_000 }), {
    framesPerSecond: 30,
    kilobytesPerSecond: 2_000,
  });
  assert.deepEqual(measure(3_000, { frames: 60, bytes: 4_000_000 }), {
    framesPerSecond: 0,
    kilobytesPerSecond: 0,
  });
});

test('pictures are drawn in the order in which they arrived, whichever is decoded first; one that fails blocks none', async () => {
  const [drawn, failed]: [string[], string[]] = [[], []];
  const queue = createPictureQueue((error) => failed.push((error as Error).message));
  const slow = Promise.withResolvers<() => void>();
  const done = Promise.withResolvers<void>();

  queue.add(slow.promise, () => drawn.push('shown 1'));
  queue.add(Promise.reject(new Error('torn')), () => drawn.push('shown 2'));
  queue.add(
    Promise.resolve(() => drawn.push('drawn 3')),
    () => done.resolve(),
  );
  slow.resolve(() => drawn.push('drawn 1'));
  await done.promise;

  assert.deepEqual(drawn, ['drawn 1', 'shown 1', 'shown 2', 'drawn 3']);
  assert.deepEqual(failed, ['torn']);
});
