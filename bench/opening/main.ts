/** Benchmark of opening a session: from the first start of a server to the first picture, and from a click in the panel to the picture. */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openBrowser, type Browser } from '../../tests/kit/browser/browser.ts';
import type { BrowserPage } from '../../tests/kit/browser/browser-page.ts';
import { openPanelPage, type PanelPage } from '../../tests/kit/browser/panel-browser.ts';
import { endSession } from '../../tests/kit/display/desktop-fixture.ts';
import { eventually } from '../../tests/kit/eventually.ts';
import { startDisplay } from '../../tests/kit/display/display.ts';
import { startAgentProcess, startServerProcess, type Program } from '../../tests/kit/process.ts';
import { aimsTable } from '../kit/aims.ts';
import { build } from '../kit/build.ts';
import { onQuietMachine } from '../kit/quiet.ts';
import { toTextTable } from '../kit/table.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10' } } });
const size = { width: 1_024, height: 640 };
const green = 0x1e_a0_5a;

/** Remembers when the person last clicked, by the clock that all tabs share. */
const noteClicks = `addEventListener('click', ({ timeStamp }) => {
  globalThis.clickedAt = performance.timeOrigin + timeStamp;
}, true), undefined`;

/** The time of the first frame whose centre has the colour of the display; undefined until then. */
const shownAt = `(globalThis.watching ??= (() => {
  const look = () => {
    const canvas = document.querySelector('canvas.screen');
    const [red, green, blue] = canvas?.width === ${size.width}
      ? canvas.getContext('2d').getImageData(${size.width / 2}, ${size.height / 2}, 1, 1).data : [];
    if (red === 0x1e && green === 0xa0 && blue === 0x5a)
      globalThis.shownAt = performance.timeOrigin + performance.now();
    else requestAnimationFrame(look);
  };
  look();
  return true;
})(), globalThis.shownAt)`;

/** Presses Connect once and waits for the picture; milliseconds from that click on. */
async function connect(browser: Browser, panel: PanelPage): Promise<{ tab: BrowserPage; ms: number }> {
  await panel.tab.bringToFront();
  await panel.evaluate(noteClicks);
  await panel.press('Connect');
  const tab = await browser.opened(panel);
  // The tab may just be loading the page.
  const read = () => tab.evaluate<number | undefined>(shownAt).catch(() => undefined);
  const shown = (await eventually(read, (at) => at !== undefined))!;
  return { tab, ms: shown - (await panel.evaluate<number>('clickedAt')) };
}

/** A page of the panel that counts what is pressed on it. */
async function openCountedPanel(browser: Browser, url: string): Promise<PanelPage & { presses: number }> {
  const page = await openPanelPage(browser, url);
  const counted = { ...page, presses: 0 };
  counted.press = (label) => {
    counted.presses += 1;
    return page.press(label);
  };
  return counted;
}

/** What a new user does in the panel: signs in, chooses a password and adds a device. */
async function addFirstDevice(panel: PanelPage, server: Program): Promise<string> {
  await panel.goto((await server.until(/Sign-in link.*:\s+(\S+)/))[1]!);
  await panel.press('Sign in');
  await panel.fill('New password', 'correct horse 7');
  await panel.press('Set the password');
  await panel.press('Add a device');
  await panel.press('Create the command');
  await panel.until(`/dbe1_[\\w.-]+/.test(document.body.innerText)`);
  return /dbe1_[\w.-]+/.exec(await panel.text())![0];
}

async function measure(browser: Browser, rounds: number): Promise<{ rows: string[][]; median: number }> {
  await using stack = new AsyncDisposableStack();
  const display = stack.use(await startDisplay(size.width, size.height));
  display.paint({ x: 0, y: 0, ...size }, green);
  await display.done();
  const startedAt = Date.now();
  const server = await startServerProcess();
  stack.defer(() => rmSync(server.folder, { recursive: true, force: true }));
  stack.use(server);
  const panel = await openCountedPanel(browser, server.url);
  const token = await addFirstDevice(panel, server);
  stack.use(startAgentProcess(server.url, token, ['env', `DISPLAY=${display.name}`]));
  await panel.reads(' is here');
  const first = await connect(browser, panel);
  const [sinceStart, firstPresses] = [Date.now() - startedAt, panel.presses];
  await endSession(first.tab);
  await panel.visit('/panel/devices');
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { tab, ms } = await connect(browser, panel);
    times.push(ms);
    await endSession(tab);
  }
  const presses = String((panel.presses - firstPresses) / rounds);
  const sorted = times.toSorted((a, b) => a - b);
  const median = sorted[rounds >> 1]!;
  const rows = [
    [
      'first start to first picture, by a script',
      `${(sinceStart / 1_000).toFixed(1)} s`,
      String(firstPresses),
    ],
    ['first click on Connect to the picture', `${Math.round(first.ms)} ms`, presses],
    ['later clicks, median', `${Math.round(median)} ms`, presses],
    ['later clicks, longest', `${Math.round(sorted.at(-1)!)} ms`, presses],
  ];
  return { rows, median };
}

// The panel shows the command for a device only if the server can offer the agent.
build('build-agent.ts');
await onQuietMachine(async () => {
  await using browser = await openBrowser({ wholeBrowser: true });
  const { rows, median } = await measure(browser, Number(values.rounds));
  const what = 'from a click to the picture, median';
  const aims = aimsTable([{ what, is: 'at most', aim: 1_000, reached: median, unit: 'ms' }]);
  console.log(`${toTextTable(['', 'time', 'clicks'], rows)}\n\n${aims}`);
});
