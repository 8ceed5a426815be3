/** The operator's page in a real browser: the screen of the device as it draws it. */
import assert from 'node:assert/strict';
import type { BrowserPage } from '../../../kit/browser/browser-page.ts';
import { largePng } from '../../../kit/display/large-png.ts';
import {
  connectConsole,
  goLive,
  nextOf,
  pixels,
  showLayout,
  size,
  startConsoleFixture,
} from './console-fixture.ts';
import { browser, waitUntilSettled, browserTest } from './console-browser.ts';
import { type Colour, uniquePattern, solid, png } from './pictures.ts';

browserTest(
  'the picture is shown as the device sent it, to the last pixel, and copies move content',
  async () => {
    await using fixture = await startConsoleFixture(browser);
    const device = await connectConsole(fixture);
    const places = [
      [0, 0],
      [1, 0],
      [639, 399],
      [321, 200],
      [17, 333],
    ] as const;
    assert.deepEqual(
      await pixels(fixture.page, places),
      places.map(([x, y]) => [...uniquePattern(x, y)]),
    );

    const shown = nextOf(device, 'shown');
    device.send('tiles', {
      number: 2,
      // They overlap: each copy reads what was there before.
      copies: [{ x: 0, y: 0, width: 100, height: 100, toX: 10, toY: 20 }],
      tiles: [{ x: 0, y: 0, image: png(5, 5, solid([1, 2, 3])) }],
    });

    assert.equal(await shown, 2);
    assert.deepEqual(
      await pixels(fixture.page, [
        [4, 4],
        [10, 20],
        [109, 119],
        [110, 120],
      ]),
      [[1, 2, 3], [...uniquePattern(0, 0)], [...uniquePattern(99, 99)], [...uniquePattern(110, 120)]],
    );
    assert.deepEqual([fixture.page.errors, fixture.page.violations], [[], []]);
  },
);

/**
 * A picture of one colour as VP8, encoded by the browser itself; brightness and colour are separate as the
 * device needs them.
 */
const encode = (page: BrowserPage, [red, green, blue]: Colour): Promise<string> =>
  page.evaluate(`new Promise((resolve, reject) => {
    const encoder = new VideoEncoder({
      output: (chunk) => {
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        resolve(bytes.toBase64());
      },
      error: reject,
    });
    const [width, height] = [${size.width}, ${size.height}];
    encoder.configure({ codec: 'vp8', width, height, bitrate: 20_000_000 });
    const [r, g, b] = [${red}, ${green}, ${blue}];
    const data = new Uint8Array(width * height * 1.5);
    const [y, u, v] = [
      16 + 0.257 * r + 0.504 * g + 0.098 * b,
      128 - 0.148 * r - 0.291 * g + 0.439 * b,
      128 + 0.439 * r - 0.368 * g - 0.071 * b,
    ].map(Math.round);
    data.fill(y, 0, width * height);
    data.fill(u, width * height, width * height * 1.25);
    data.fill(v, width * height * 1.25);
    const frame = new VideoFrame(data, { format: 'I420', codedWidth: width, codedHeight: height, timestamp: 0 });
    encoder.encode(frame, { keyFrame: true });
    void encoder.flush();
  })`);

const isNear = (found: readonly number[] | undefined, wanted: readonly number[]): boolean =>
  wanted.every((value, index) => Math.abs(value - (found?.[index] ?? 999)) < 4);

browserTest('video is drawn in its rectangles only, and later tiles cover it', async () => {
  await using fixture = await startConsoleFixture(browser);
  const device = await connectConsole(fixture);
  const data = Buffer.from(await encode(fixture.page, [200, 40, 90]), 'base64');
  const order: number[] = [];
  device.on('shown', (number) => order.push(number));

  device.send('video', { number: 2, key: true, boxes: [{ x: 100, y: 100, width: 50, height: 50 }], data });
  device.send('tiles', {
    number: 3,
    copies: [],
    tiles: [{ x: 110, y: 110, image: png(10, 10, solid([0, 0, 255])) }],
  });
  await waitUntilSettled(fixture.page, device);

  const [inside, above, outside] = await pixels(fixture.page, [
    [102, 102],
    [115, 115],
    [99, 99],
  ]);
  assert.ok(isNear(inside, [200, 40, 90]), String(inside));
  assert.deepEqual([above, outside], [[0, 0, 255], [...uniquePattern(99, 99)]]);
  assert.deepEqual(order.slice(0, 2), [2, 3]);
});

browserTest('video that cannot be decoded is requested again, and then shown', async () => {
  await using fixture = await startConsoleFixture(browser);
  const device = await connectConsole(fixture);
  const data = Buffer.from(await encode(fixture.page, [10, 200, 30]), 'base64');
  const whole = Buffer.from(data);
  const boxes = [{ x: 0, y: 0, ...size }];
  const asked = nextOf(device, 'view');

  device.send('video', { number: 2, key: true, boxes, data: Buffer.from('this is no picture at all') });
  assert.equal((await asked).fresh, true);
  const askedAgain = nextOf(device, 'view');
  // It begins like a picture and continues with invalid data.
  device.send('video', { number: 3, key: true, boxes, data: data.fill(0, 10, 40) });
  assert.equal((await askedAgain).fresh, true);
  device.send('video', { number: 4, key: false, boxes, data: whole });
  device.send('video', { number: 5, key: true, boxes, data: whole });
  await waitUntilSettled(fixture.page, device);

  const [found] = await pixels(fixture.page, [[300, 300]]);
  assert.ok(isNear(found, [10, 200, 30]), String(found));
});

browserTest('a small file that is a huge picture is not decoded, as a tile and as the pointer', async () => {
  await using fixture = await startConsoleFixture(browser);
  const device = await connectConsole(fixture);
  await fixture.page.evaluate(`{
    const decode = globalThis.createImageBitmap;
    globalThis.decoded = [];
    globalThis.createImageBitmap = async (...given) => {
      const bitmap = await decode(...given);
      globalThis.decoded.push(bitmap.width);
      return bitmap;
    };
  }`);
  const bomb = largePng(16_000, 16_000);
  const asked = nextOf(device, 'view');

  device.send('tiles', { number: 2, copies: [], tiles: [{ x: 0, y: 0, image: bomb }] });
  device.send('cursor', { x: 9, y: 9, shape: { width: 16, height: 16, hotX: 0, hotY: 0, png: bomb } });
  assert.equal((await asked).fresh, true);
  device.send('tiles', {
    number: 3,
    copies: [],
    tiles: [{ x: 0, y: 0, image: png(5, 5, solid([1, 2, 3])) }],
  });
  await waitUntilSettled(fixture.page, device);

  assert.deepEqual(await pixels(fixture.page, [[2, 2]]), [[1, 2, 3]]);
  assert.deepEqual(await fixture.page.evaluate('globalThis.decoded'), [5]);
  assert.equal(await fixture.page.evaluate(`document.querySelectorAll('img[src^="blob:"]').length`), 0);
});

browserTest('a screen with more pixels than a browser can hold is not created', async () => {
  await using fixture = await startConsoleFixture(browser);
  const device = await connectConsole(fixture);

  showLayout(device, { width: 16_384, height: 16_384 });
  await waitUntilSettled(fixture.page, device);

  assert.equal(await fixture.page.evaluate(`document.querySelector('canvas').width`), size.width);
});

browserTest('a browser that cannot decode video says so at the beginning', async () => {
  await using fixture = await startConsoleFixture(browser);
  const { page, fakeServer } = fixture;
  await page.tab.evaluateOnNewDocument('delete globalThis.VideoDecoder');
  await page.goto(`${fakeServer.url}/c/the-code`);
  await page.click('.button.primary');
  const device = await fakeServer.nextDevice();
  const view = nextOf(device, 'view');
  goLive(device);

  assert.equal((await view).video, false);
});
