/** An operator works on a Windows device, in a real browser: the agent as it is shipped, on a desktop under Wine with Notepad. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pressWithControl, startNotepad, type Notepad } from '../../kit/agent/notepad.ts';
import {
  missingWindowsPrograms,
  openWindowsDesktop,
  type WindowsDesktop,
} from '../../kit/agent/windows-desktop.ts';
import { allowClipboard, answerFileDialog, saveDownloads } from '../../kit/browser/browser-dialogs.ts';
import { pressPaste, typeKeys } from '../../kit/browser/remote-input.ts';
import { endSession, pressToolbar } from '../../kit/display/desktop-fixture.ts';
import { clickOnDisplay, findWindow, runOnDisplay } from '../../kit/display/desktop-programs.ts';
import { eventually } from '../../kit/eventually.ts';

const skip = missingWindowsPrograms();
let desktop: WindowsDesktop;
let notepad: Notepad;
let own = '';
before(async () => {
  if (skip) return;
  desktop = await openWindowsDesktop();
  own = mkdtempSync(join(tmpdir(), 'drawbridge-operator-'));
  notepad = startNotepad(desktop.windows, desktop.display, 1_024);
});
after(async () => {
  if (own !== '') rmSync(own, { recursive: true });
  await desktop?.[Symbol.asyncDispose]();
});

const browserTest = (name: string, run: () => Promise<void>): void => void test(name, { skip }, run);

browserTest('the operator sees Notepad exactly, and what they type arrives in it', async () => {
  const page = await desktop.connect();
  const window = await notepad.focus(page);

  await typeKeys(page, 'Hello from far away, 42!\nSecond line');

  await notepad.savesAs(page, 'Hello from far away, 42!\r\nSecond line');
  await notepad.isShown(page, window);
  assert.deepEqual([page.errors, page.violations], [[], []]);
  await endSession(page);
});

browserTest('text copied on one side can be pasted on the other, both ways', async () => {
  const page = await desktop.connect();
  await allowClipboard(page);
  await notepad.focus(page);
  await typeKeys(page, 'Copied on the device\nwith two lines');

  await pressWithControl(page, 'a');
  await pressWithControl(page, 'c');
  await eventually(
    () => page.evaluate<string>('navigator.clipboard.readText()').catch(() => ''),
    (text) => text === 'Copied on the device\nwith two lines',
  );
  await page.evaluate(`navigator.clipboard.writeText('copied by the operator: ñ ж')`);
  await pressWithControl(page, 'a');
  await pressPaste(page);

  await notepad.savesAs(page, 'copied by the operator: ñ ж');
  await endSession(page);
});

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
const bytes = 5_000_000;

browserTest('a file is uploaded and downloaded unchanged', async () => {
  const file = join(own, 'photo.bin');
  const text = Array.from({ length: bytes / 100 }, (_, line) => `line ${line}`.padEnd(99)).join('\n');
  writeFileSync(file, `${text}\n`);
  const back = join(own, 'fetched', 'photo.bin');
  const page = await desktop.connect();
  await saveDownloads(page, join(own, 'fetched'));
  await pressToolbar(page, 'Files');

  await answerFileDialog(page, file, () => pressToolbar(page, 'Upload files'));
  await page.until(`document.querySelectorAll('.transfer.done').length === 1`);
  await pressToolbar(page, 'Download photo.bin');
  await eventually(
    () => existsSync(back) && statSync(back).size,
    (size) => size === bytes,
  );

  const hash = hashOf(file);
  assert.deepEqual([hashOf(join(notepad.home, 'photo.bin')), hashOf(back)], [hash, hash]);
  await endSession(page);
});

browserTest('the operator runs a command in a terminal', async () => {
  const page = await desktop.connect();
  const shown = (text: string): string =>
    `document.querySelector('.xterm-rows')?.innerText.includes(${JSON.stringify(text)})`;
  await pressToolbar(page, 'Terminal');
  await page.until(shown('>'));

  await page.write('echo from-%OS%');
  await page.tab.keyboard.press('Enter');

  await page.until(shown('from-Windows_NT'));
  await endSession(page);
});

browserTest('operator and person at the device chat', async () => {
  const page = await desktop.connect();
  await pressToolbar(page, 'Chat');

  await page.type('.panel-chat textarea', 'Good morning!');
  await page.click('.panel-chat .button.primary');
  const { x, y, width, height } = await findWindow('Drawbridge chat');
  // The window may get the focus after the first keys, so the person answers until all of them arrived.
  await eventually(
    async () => {
      await clickOnDisplay(x + Math.floor(width / 2), y + height - 20);
      await runOnDisplay('xdotool', 'type', '--delay', '40', 'good evening');
      await runOnDisplay('xdotool', 'key', 'Return');
      return page.evaluate<string[]>(
        `[...document.querySelectorAll('.chat-text')].map((each) => each.textContent)`,
      );
    },
    (texts) => texts[0] === 'Good morning!' && texts.includes('good evening'),
    60_000,
  );

  await endSession(page);
});

browserTest('the person at the device presses Stop, and the operator is told so', async () => {
  const page = await desktop.connect();
  const banner = await findWindow('Drawbridge');

  await clickOnDisplay(banner.x + banner.width - 30, banner.y + Math.floor(banner.height / 2));

  await page.until(`document.querySelector('.gate h1')?.textContent === 'The session has ended'`);
  assert.match(await page.evaluate<string>('document.body.innerText'), /It was ended on the device\./);
  await page.close();
});
