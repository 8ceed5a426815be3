/** The operator sees each monitor of a device in a browser window of its own, and controls it there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { openPage, type BrowserPage } from '../../kit/browser/browser-page.ts';
import {
  chooseMenuItem,
  endSession,
  missingPrograms,
  openDesktopFixture,
} from '../../kit/display/desktop-fixture.ts';
import { eventually } from '../../kit/eventually.ts';

const [left, right] = [
  { x: 0, y: 0, width: 600, height: 640 },
  { x: 600, y: 0, width: 424, height: 640 },
];

async function openMonitor(page: BrowserPage, name: string): Promise<BrowserPage> {
  const opened = new Promise<Page>((resolve) => page.tab.once('popup', (tab) => resolve(tab!)));
  await chooseMenuItem(page, 'View', `${name} in its own window`);
  return openPage(await opened);
}

/** The size of the picture, and the colour in its middle. */
const look = `(() => {
  const canvas = document.querySelector('canvas.screen');
  const { data } = canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1);
  return [canvas.width, canvas.height, ...data.slice(0, 3)].join(' ');
})()`;

/** Waits for the colour of either monitor, so that a window with the wrong one is reported at once. */
const lookOf = (page: BrowserPage): Promise<string> =>
  page.until(`/ (32 64 160|160 64 32)$/.test(${look}) && ${look}`);

test(
  'each monitor has a window of its own with its picture, and takes input there',
  { skip: missingPrograms() },
  async () => {
    await using fixture = await openDesktopFixture();
    const { display } = fixture;
    const page = await fixture.connect();
    display.paint(left, 0x20_40_a0);
    display.paint(right, 0xa0_40_20);
    await display.divide([left.width, right.width]);
    await page.until(`document.querySelector('canvas.screen').width === ${left.width}`);

    const [first, second] = [await openMonitor(page, 'test-0'), await openMonitor(page, 'test-1')];
    assert.equal(await lookOf(first), '600 640 32 64 160');
    assert.equal(await lookOf(second), '424 640 160 64 32');
    assert.equal(await page.evaluate(`document.querySelector('canvas.screen').width`), 1_024);
    display.paint(right, 0x10_80_30);
    await second.until(`${look} === '424 640 16 128 48'`);
    const corner = await second.evaluate<{ x: number; y: number; width: number }>(
      `document.querySelector('canvas.screen').getBoundingClientRect().toJSON()`,
    );
    const scale = corner.width / right.width;
    await second.tab.mouse.move(corner.x + 100.5 * scale, corner.y + 200.5 * scale);

    const { call, client, root } = display.connection;
    const { rootX } = await eventually(
      () => call<{ rootX: number; rootY: number }>((done) => client.QueryPointer(root, done)),
      ({ rootY }) => rootY === 200,
    );
    assert.equal(rootX, 700);
    assert.deepEqual([page.errors, second.errors, page.violations, second.violations], [[], [], [], []]);
    await endSession(page);
  },
);
