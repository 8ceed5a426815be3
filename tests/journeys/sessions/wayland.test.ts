/**
 * An operator works on real Wayland desktops of another user, in a real browser: sway with terminals, and GNOME with a window that records,
 * because its test system has no terminal.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { socketsSetting } from '@drawbridge/agent/platform/linux/display';
import { runtimeFoldersSetting } from '@drawbridge/agent/platform/linux/wayland/wayland-session';
import { allowClipboard } from '../../kit/browser/browser-dialogs.ts';
import { openPage, type BrowserPage } from '../../kit/browser/browser-page.ts';
import { clickAt, drag, pressPaste, shownPixels, wheel } from '../../kit/browser/remote-input.ts';
import {
  chooseMenuItem,
  endSession,
  missingPrograms,
  openDesktopFixture,
  type DesktopFixture,
} from '../../kit/display/desktop-fixture.ts';
import { startGnome } from '../../kit/display/gnome.ts';
import { recordingWindowColour } from '../../kit/display/recording-window.ts';
import { startSway, swayTerminalColour } from '../../kit/display/sway.ts';
import { eventually } from '../../kit/eventually.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { stopRed } from '../../kit/session/desktop-session.ts';

const [width, height] = [1_024, 640];
const letters = 'äß€ж漢';
/** What a turn of the wheel by one notch is in Chromium. */
const notchPixels = 100;
const stopped = `document.querySelector('.gate h1')?.textContent === 'The session has ended'`;

/** A device whose agent finds only the Wayland desktop that was started before. */
function openFixture(): Promise<DesktopFixture> {
  const settings = [socketsSetting, runtimeFoldersSetting].map((name) => [name, process.env[name]!]);
  return openDesktopFixture({ width, height, agentEnv: { DISPLAY: '', ...Object.fromEntries(settings) } });
}

/** Presses one key that gives this character on the operator's keyboard. */
async function pressCharacter({ devtools }: BrowserPage, key: string): Promise<void> {
  await devtools.send('Input.dispatchKeyEvent', { type: 'keyDown', code: 'KeyA', key, text: key });
  await devtools.send('Input.dispatchKeyEvent', { type: 'keyUp', code: 'KeyA', key });
}

async function typeLetters(page: BrowserPage, text: string): Promise<void> {
  for (const letter of text) await pressCharacter(page, letter);
}

/** Waits until this part of the picture has exactly this colour. */
const seesColour = (page: BrowserPage, box: Parameters<typeof shownPixels>[1], colour: number) =>
  eventually(
    async () => (await shownPixels(page, box)).every((pixel) => pixel === colour),
    (isSeen) => isSeen,
  );

/** The person presses Stop in the banner. */
async function pressStop(page: BrowserPage): Promise<void> {
  const upper = { x: 0, y: 0, width, height: 120 };
  const at = await eventually(
    async () => (await shownPixels(page, upper)).indexOf(stopRed),
    (found) => found >= 0,
  );
  await clickAt(page, { x: (at % width) + 2, y: Math.floor(at / width) + 2 });
  await page.until(stopped);
  assert.match(await page.evaluate<string>('document.body.innerText'), /It was ended on the device\./);
  assert.deepEqual([page.errors, page.violations], [[], []]);
}

/** Ctrl+Shift+V, with which terminals paste. */
async function pressTerminalPaste({ tab }: BrowserPage): Promise<void> {
  for (const key of ['Control', 'Shift'] as const) await tab.keyboard.down(key);
  await tab.keyboard.press('V', { commands: ['Paste'] });
  for (const key of ['Shift', 'Control'] as const) await tab.keyboard.up(key);
}

const copiedText = (page: BrowserPage): Promise<string> =>
  page.evaluate<string>('navigator.clipboard.readText()').catch(() => '');

test(
  'on sway, the operator sees the desktop, types, drags, scrolls, pastes both ways and resizes, and the person stops it',
  { skip: missingPrograms() || skipWithout('sway') },
  async () => {
    await using sway = await startSway(width, height);
    await using fixture = await openFixture();
    const page = await fixture.connect();
    await allowClipboard(page);
    await seesColour(page, { x: 100, y: 200, width: 800, height: 400 }, swayTerminalColour);

    // Programs notice a virtual keyboard only some time after it was created.
    await clickAt(page, { x: 500, y: 300 });
    await eventually(
      async () => {
        await page.tab.keyboard.press('Enter');
        return sway.typed();
      },
      (typed) => typed !== '',
    );
    await typeLetters(page, letters);
    await page.tab.keyboard.press('Enter');
    await eventually(
      () => copiedText(page),
      (text) => text === letters,
    );
    await drag(page, { x: 300, y: 300 }, { x: 400, y: 300 });
    await wheel(page, { x: 400, y: 300 }, notchPixels);
    await page.tab.keyboard.press('Enter');
    await eventually(sway.typed, (typed) => /\[<32;\d+;\d+M.*\[<0;\d+;\d+m.*\[<65;\d+;\d+M/.test(typed));
    await eventually(
      async () => {
        // Again each time, because the terminal copies the lines before at some moment.
        await page.evaluate(`navigator.clipboard.writeText('from the operator ☃')`);
        await pressTerminalPaste(page);
        await page.tab.keyboard.press('Enter');
        return sway.typed();
      },
      (typed) => typed.includes('from the operator ☃'),
    );
    await chooseMenuItem(page, 'View', '800 × 600');
    await page.until(`document.querySelector('canvas.screen').width === 800`);
    await chooseMenuItem(page, 'View', 'As it was');
    await page.until(`document.querySelector('canvas.screen').width === ${width}`);
    await pressStop(page);

    assert.ok(sway.typed().split('\n').includes(letters), sway.typed());
  },
);

async function openMonitor(page: BrowserPage, name: string): Promise<BrowserPage> {
  const opened = new Promise<Page>((resolve) => page.tab.once('popup', (tab) => resolve(tab!)));
  await chooseMenuItem(page, 'View', `${name} in its own window`);
  return openPage(await opened);
}

test(
  'on sway, each of two monitors has a browser window of its own, and takes clicks there',
  { skip: missingPrograms() || skipWithout('sway') },
  async () => {
    await using sway = await startSway(width, height);
    sway.command('create_output');
    sway.command(`output HEADLESS-2 resolution 800x500 position ${width} 0`);
    sway.command('focus output HEADLESS-2');
    const received = await sway.openTerminal('second', 0xaa3300);
    await using fixture = await openFixture();
    const page = await fixture.connect();

    const own = await openMonitor(page, 'HEADLESS-2');
    await own.until(`document.querySelector('canvas.screen')?.width === 800`);
    await seesColour(own, { x: 400, y: 300, width: 300, height: 150 }, 0xaa3300);
    await eventually(
      async () => {
        await clickAt(own, { x: 20, y: 300 });
        await own.tab.keyboard.press('Enter');
        return received();
      },
      (text) => /\[<0;\d+;\d+M/.test(text),
    );

    assert.deepEqual([own.errors, own.violations], [[], []]);
    await endSession(page);
  },
);

test(
  'on GNOME, the operator sees the desktop, types, drags, scrolls and pastes both ways, and the person stops it',
  { skip: missingPrograms() || skipWithout('GNOME') },
  async () => {
    await using gnome = await startGnome(width, height, '--unsafe-mode');
    await gnome.beginWork();
    await using fixture = await openFixture();
    const page = await fixture.connect();
    await allowClipboard(page);
    const records = (fits: (line: string) => boolean) =>
      eventually(gnome.events, (lines) => lines.some(fits));
    await seesColour(page, { x: 100, y: 200, width: 800, height: 400 }, recordingWindowColour);

    await clickAt(page, { x: 500, y: 300 });
    // Programs notice a keyboard only some time after it was created.
    await records((line) => line === 'active true');
    await typeLetters(page, letters);
    await records((line) => line.startsWith('text ') && line.endsWith(letters));
    await drag(page, { x: 300, y: 300 }, { x: 420, y: 350 });
    await records((line) => line === 'drag 120 50');
    await wheel(page, { x: 400, y: 300 }, notchPixels);
    await records((line) => line === 'scroll 0 1');
    await page.evaluate(`navigator.clipboard.writeText('from the operator ß漢')`);
    await pressPaste(page);
    await records((line) => line === 'clipboard from the operator ß漢');
    await page.tab.keyboard.press('F9');
    await eventually(
      () => copiedText(page),
      (text) => text === 'from the device äж漢',
    );
    await pressStop(page);
  },
);
