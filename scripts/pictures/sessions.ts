/** Takes the screenshots of sessions: a real session on a fictional desktop, in a real browser. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { EmulationOptions } from '../../tests/kit/browser/any-page.ts';
import type { BrowserPage } from '../../tests/kit/browser/browser-page.ts';
import { encodePng } from '@drawbridge/agent/platform/png';
import { clickOnDisplay, findWindow, runOnDisplay } from '../../tests/kit/display/desktop-programs.ts';
import { eventually } from '../../tests/kit/eventually.ts';
import { typeKeys } from '../../tests/kit/browser/remote-input.ts';
import {
  missingPrograms,
  openDesktopFixture,
  pressToolbar,
  startOnDisplay,
  type DesktopFixture,
} from '../../tests/kit/display/desktop-fixture.ts';
import { compressPng } from './compress-png.ts';

const pictures = join(import.meta.dirname, '../../docs/pictures');
const backgroundColour = 0x2f5d62;
const emulation: EmulationOptions = { width: 1_180, height: 700 };
/** After this time animations have ended and the figures in the toolbar are measured. */
const settleMs = 1_500;

async function takeScreenshot(page: BrowserPage, name: string): Promise<void> {
  await wait(settleMs);
  await page.tab.screenshot({ path: join(pictures, `${name}.png`) });
  console.log(`docs/pictures/${name}.png`);
}

const log = `Tue 09:12  spooler: queue "Front desk" is paused
Tue 09:12  spooler: 3 jobs wait
Tue 09:14  usb: LaserJet M402 was unplugged
Tue 09:15  usb: LaserJet M402 is back
Tue 09:15  spooler: queue "Front desk" goes on
Tue 09:16  spooler: job 4711 "Invoice 2031" is printed
`;

function fillDesktop({ folder, display }: DesktopFixture): void {
  const day = new Date('2026-03-03T09:00:00Z');
  for (const name of ['Invoices', 'Scans']) mkdirSync(join(folder, name));
  for (const [name, bytes] of [
    ['Price list.pdf', 184_320],
    ['Printer driver.deb', 2_411_724],
    ['printer.log', log.length],
  ] as const)
    writeFileSync(join(folder, name), name.endsWith('.log') ? log : Buffer.alloc(bytes));
  for (const name of ['Invoices', 'Scans', 'Price list.pdf', 'Printer driver.deb', 'printer.log'])
    utimesSync(join(folder, name), day, day);
  const { pixel_width: width, pixel_height: height } = display.connection.screen;
  display.paint({ x: 0, y: 0, width, height }, backgroundColour);
}

async function startPage(fixture: DesktopFixture, page: BrowserPage): Promise<void> {
  await page.emulate({ ...emulation, width: 760, height: 440 });
  await page.goto(await fixture.link());
  await page.until(`document.querySelector('.button.primary')`);
  await takeScreenshot(page, 'session-start');
}

async function work(fixture: DesktopFixture, page: BrowserPage): Promise<void> {
  await page.emulate(emulation);
  await fixture.connect(page);
  await pressToolbar(page, 'Files');
  await page.until(`document.querySelector('.files-list table')`);
  await takeScreenshot(page, 'session-files');
  await pressToolbar(page, 'Terminal');
  await page.until(`document.querySelector('.panel-terminal textarea')`);
  await page.write('clear; PS1="$ "; tail -n 3 ~/printer.log');
  await typeKeys(page, '\n');
  await takeScreenshot(page, 'session-terminal');
  await talkAndCopy(fixture, page);
  await page.click('[aria-label="End the session"]');
  await page.until(`document.querySelector('#note')`);
}

/** The chat with the person at the device, the clipboard, and the banner that the person sees. */
async function talkAndCopy({ display }: DesktopFixture, page: BrowserPage): Promise<void> {
  await pressToolbar(page, 'Chat');
  await page.type('.panel-chat textarea', 'Good morning! Which of the printers is it?');
  await page.click('.panel-chat .button.primary');
  const { x, y, width, height } = await findWindow('Drawbridge chat');
  await clickOnDisplay(x + Math.floor(width / 2), y + height - 20);
  await runOnDisplay('xdotool', 'type', 'The one at the front desk');
  await runOnDisplay('xdotool', 'key', 'Return');
  await page.until(`document.querySelectorAll('.chat-text').length === 2`);
  await takeScreenshot(page, 'session-chat');
  await pressToolbar(page, 'Close');
  await clickOnDisplay(x + width - 15, y + 15);
  await eventually(
    () => runOnDisplay('xdotool', 'search', '--onlyvisible', '--name', '^Drawbridge chat$').catch(() => ''),
    (found) => found === '',
  );
  // No other program repaints the background where the window was.
  display.paint({ x: x - 2, y: y - 2, width: width + 4, height: height + 4 }, backgroundColour);
  await pressToolbar(page, 'Clipboard');
  await page.type('.menu-form textarea', 'lpadmin -p front-desk -E');
  await takeScreenshot(page, 'session-clipboard');
  await page.tab.keyboard.press('Escape');
  await takeBanner(display);
}

/** The upper part of the device's screen, as the person there sees it. */
async function takeBanner(display: DesktopFixture['display']): Promise<void> {
  await findWindow('Drawbridge');
  const [width, height] = [display.connection.screen.pixel_width, 330];
  const pixels = (await display.pixels()).subarray(0, width * height);
  const rgb = Buffer.from(
    Array.from(pixels).flatMap((pixel) => [pixel >> 16, (pixel >> 8) & 255, pixel & 255]),
  );
  writeFileSync(join(pictures, 'session-banner.png'), compressPng(encodePng({ width, height, rgb })));
  console.log('docs/pictures/session-banner.png');
}

async function newKey(fixture: DesktopFixture, page: BrowserPage): Promise<void> {
  await page.emulate({ ...emulation, width: 760, height: 560 });
  await page.evaluate(`localStorage.setItem('drawbridge.device.${fixture.device}', 'A'.repeat(43))`);
  await page.goto(await fixture.link());
  await page.click('.button.primary');
  await page.until(`document.querySelector('.gate.red')`);
  await takeScreenshot(page, 'session-new-key');
  await page.click('.button.primary');
}

async function quickSupport({ owner }: DesktopFixture, page: BrowserPage): Promise<void> {
  const { body } = await owner.call('support/create', { client_name: 'Front desk' });
  await page.emulate({ ...emulation, width: 760, height: 700 });
  await page.goto(body['data'].invite_url as string);
  await page.click('.button.primary');
  await page.until(`document.body.innerText.includes('Share my screen')`);
  await takeScreenshot(page, 'quick-support');
}

export async function takeSessionScreenshots(): Promise<void> {
  const missing = missingPrograms();
  if (missing) throw new Error(missing);
  mkdirSync(pictures, { recursive: true });
  await using fixture = await openDesktopFixture({ width: 1_000, height: 660, email: 'anna@example.com' });
  await fixture.owner.call('agents/update', { id: fixture.device, name: 'Front desk' });
  fillDesktop(fixture);
  await using _manager = startOnDisplay('openbox');
  await eventually(
    () => runOnDisplay('xdotool', 'get_num_desktops').catch(() => ''),
    (answer) => answer !== '',
  );
  const letters = ['-fa', 'DejaVu Sans Mono', '-fs', '11'];
  const read = ['-e', 'tail', '-f', join(fixture.folder, 'printer.log')];
  const window = ['-T', 'printer.log', '-geometry', '66x11+60+110'];
  await using _terminal = startOnDisplay('xterm', ...window, ...letters, ...read);
  const page = await fixture.browser.page();
  await startPage(fixture, page);
  await work(fixture, page);
  await newKey(fixture, page);
  await quickSupport(fixture, await fixture.browser.page());
}
