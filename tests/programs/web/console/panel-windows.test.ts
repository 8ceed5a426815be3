/** The panels beside the picture: their size, and their own windows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'puppeteer-core';
import type { DeviceSession } from '@drawbridge/web/join/accept-session';
import { clampSize, sizeAfterKey } from '@drawbridge/web/console/panels/panel-size';
import type { AnyPage } from '../../../kit/browser/any-page.ts';
import { openPage } from '../../../kit/browser/browser-page.ts';
import { openFirefox } from '../../../kit/browser/firefox.ts';
import { skipWithout } from '../../../kit/requirements.ts';
import { connectConsole, goLive, nextOf, startConsoleFixture } from './console-fixture.ts';
import { browser, browserTest } from './console-browser.ts';
import { startFakeServer } from '../fake-server.ts';
import { buildPages } from '../page-files.ts';

const panelButton = (id: string): string => `.bar [data-panel=${id}]`;
const dockWidth = `document.querySelector('.side').getBoundingClientRect().width`;
const edge = '.side-edge';

test('a panel never covers the whole screen, and keys change its size in steps', () => {
  assert.deepEqual(
    [clampSize('width', 500, 1_280), clampSize('width', 5_000, 1_280), clampSize('width', 1, 1_280)],
    [500, 1_120, 240],
  );
  assert.deepEqual([clampSize('height', 5_000, 700), clampSize('height', 1, 700)], [580, 160]);
  assert.deepEqual(
    ['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown', 'Home', 'End', 'a'].map((key) =>
      sizeAfterKey(key, 400),
    ),
    [416, 416, 384, 384, 0, Infinity, undefined],
  );
});

async function dragEdge({ tab, evaluate }: AnyPage, byX: number): Promise<void> {
  const { x, y } = await evaluate<{ x: number; y: number }>(
    `(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))(document.querySelector('${edge}').getBoundingClientRect())`,
  );
  await tab.mouse.move(x, y);
  await tab.mouse.down();
  await tab.mouse.move(x + byX / 2, y);
  await tab.mouse.move(x + byX, y);
  await tab.mouse.up();
}

browserTest(
  'a panel is resized by dragging or with keys, and keeps its size; others keep their own',
  async () => {
    await using fixture = await startConsoleFixture(browser);
    const { page, fakeServer } = fixture;
    await connectConsole(fixture);
    await page.click(panelButton('chat'));
    const chat = await page.until<number>(dockWidth);
    await page.click(panelButton('people'));
    const before = await page.evaluate<number>(dockWidth);

    await dragEdge(page, -100);
    const dragged = await page.evaluate<number>(dockWidth);
    await page.evaluate(`document.querySelector('${edge}').focus()`);
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowRight'] as const) await page.tab.keyboard.press(key);
    const keyed = await page.evaluate<number>(dockWidth);
    const said = await page.evaluate(`document.querySelector('${edge}').ariaValueNow`);
    await page.tab.keyboard.press('End');
    const largest = await page.evaluate<number>(dockWidth);
    await page.tab.keyboard.press('Home');
    await page.tab.keyboard.press('ArrowLeft');
    page.tab.once('dialog', (dialog) => void dialog.accept());
    await page.tab.reload();
    await page.click('.button.primary');
    goLive(await fakeServer.nextDevice());
    await page.click(panelButton('people'));
    const reloaded = await page.until<number>(dockWidth);
    await page.click(panelButton('chat'));

    assert.deepEqual(
      { dragged, keyed, said, largest, reloaded },
      {
        dragged: before + 100,
        keyed: before + 116,
        said: String(before + 116),
        largest: 1_120,
        reloaded: 256,
      },
    );
    assert.equal(await page.evaluate(dockWidth), chat);
  },
);

/** Opens the terminal panel, and resolves to what the device was asked for. */
async function openTerminal(
  page: AnyPage,
  device: DeviceSession,
): Promise<{ columns: number; rows: number }> {
  const asked = nextOf(device, 'terminal');
  await page.click(panelButton('terminal'));
  return (await asked) as unknown as { columns: number; rows: number };
}

browserTest('a terminal has 80 columns where the window allows it, and all of them are visible', async () => {
  for (const { width, least } of [
    { width: 1_280, least: 80 },
    { width: 900, least: 80 },
    { width: 700, least: 40 },
  ]) {
    await using fixture = await startConsoleFixture(browser, { width });
    const { page } = fixture;
    const device = await connectConsole(fixture);

    const { columns } = await openTerminal(page, device);

    assert.ok(columns >= least && columns < 100, `${columns} columns in ${width} pixels`);
    await page.until(`(() => {
      const [screen, place] = ['.xterm-screen', '.terminal-place'].map((each) => document.querySelector(each).getBoundingClientRect());
      return screen.width > 0 && screen.right <= place.right && screen.bottom <= place.bottom;
    })()`);
    await page.close();
  }
});

const encoder = new TextEncoder();
const print = (device: DeviceSession, text: string): boolean =>
  device.send('terminal_bytes', { id: 1, at: 0, data: encoder.encode(text) });

/** Remembers in the page the window that it opens. */
const rememberPopup = `(() => {
  const open = window.open.bind(window);
  window.open = (...given) => (window.popup = open(...given));
})()`;
const rowsIn = (where: string): string =>
  `(${where}.querySelector('.xterm-rows')?.innerText ?? '').replaceAll('\\u00a0', ' ')`;
const isDetached = `window.popup?.document.querySelector('.panel-terminal') && !document.querySelector('.panel-terminal')`;

/** Detaches the terminal, and docks it again by closing its window. */
async function detachAndDock(page: AnyPage, device: DeviceSession): Promise<void> {
  await page.evaluate(rememberPopup);
  await openTerminal(page, device);
  print(device, 'first line\r\n');
  await page.until(`${rowsIn('document')}.includes('first line')`);

  await page.click('.side-head [aria-label="Open in its own window"]');
  await page.until(isDetached);
  print(device, 'second line\r\n');
  await page.until(`/first line[^]*second line/.test(${rowsIn('window.popup.document')})`);
  await page.until(
    `popup.getComputedStyle(popup.document.querySelector('.terminal')).backgroundColor === 'rgb(16, 21, 28)'`,
  );
  await page.until(
    `popup.getComputedStyle(popup.document.querySelector('.xterm-rows > div')).height === getComputedStyle(popup.document.querySelector('.xterm-rows > div')).height`,
  );
  assert.equal(await page.evaluate(`document.querySelector('.side').hidden`), true);

  await page.evaluate('popup.close()');
  await page.until(`document.querySelector('.side:not([hidden]) .panel-terminal')`);
  print(device, 'third line\r\n');
  await page.until(`/first line[^]*second line[^]*third line/.test(${rowsIn('document')})`);
}

browserTest('a terminal goes on in a window of its own, and in the page when that is closed', async () => {
  await using fixture = await startConsoleFixture(browser);
  const { page } = fixture;
  const device = await connectConsole(fixture);

  await detachAndDock(page, device);

  assert.deepEqual(page.violations, []);
});

test(
  'a terminal goes on in a window of its own in Firefox too',
  { skip: skipWithout('Firefox') },
  async () => {
    await buildPages();
    await using firefox = await openFirefox();
    await using fakeServer = await startFakeServer();
    const page = await firefox.page();
    await page.emulate({ width: 1_280, height: 800 });
    const device = await connectConsole({ fakeServer, page });

    await detachAndDock(page, device);

    assert.deepEqual(page.violations, []);
  },
);

browserTest(
  'what is typed in the window reaches the device, and the window ends with the session',
  async () => {
    await using fixture = await startConsoleFixture(browser);
    const { page } = fixture;
    const device = await connectConsole(fixture);
    await openTerminal(page, device);
    const opened = new Promise<Page>((resolve) => page.tab.once('popup', (tab) => resolve(tab!)));
    await page.click('.side-head [aria-label="Open in its own window"]');
    const own = await openPage(await opened);
    const typed = nextOf(device, 'terminal_bytes');

    await own.until(`document.querySelector('.xterm-screen')?.offsetWidth > 0`);
    await own.tab.mouse.click(60, 80);
    await own.tab.keyboard.press('x');

    assert.equal(new TextDecoder().decode((await typed).data), 'x');
    const closed = new Promise<void>((resolve) => own.tab.once('close', () => resolve()));
    await page.click('.tool.end');
    await closed;
  },
);

browserTest(
  'a panel in its own window asks there, and its button brings the window to the front',
  async () => {
    await using fixture = await startConsoleFixture(browser);
    const { page } = fixture;
    const device = await connectConsole(fixture);
    device.on('file', () => {});
    await page.click(panelButton('files'));
    const opened = new Promise<Page>((resolve) => page.tab.once('popup', (tab) => resolve(tab!)));
    await page.click('.side-head [aria-label="Open in its own window"]');
    const own = await openPage(await opened);

    await own.click('[aria-label="New folder"]');

    await own.until(`document.querySelector('dialog input')`);
    assert.equal(await page.evaluate(`document.querySelector('dialog')`), null);
    assert.equal(
      await page.evaluate(`document.querySelector('${panelButton('files')}').ariaPressed`),
      'true',
    );
    await page.evaluate(`document.querySelector('${panelButton('files')}').click()`);
    assert.equal(await page.evaluate(`document.querySelector('.side').hidden`), true);
  },
);
