/**
 * What an operator does besides viewing: uploads and downloads a large file (DRAWBRIDGE_TEST_MEGABYTES sets its
 * size), copies and pastes both ways, chats; and the person at the device ends the session.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { allowClipboard, answerFileDialog, saveDownloads } from '../../kit/browser/browser-dialogs.ts';
import type { BrowserPage } from '../../kit/browser/browser-page.ts';
import {
  clickOnDisplay,
  copyText,
  findWindow,
  focusByClick,
  runOnDisplay,
  openTypingTerminal,
  pasteText,
} from '../../kit/display/desktop-programs.ts';
import { clickAt, pressPaste } from '../../kit/browser/remote-input.ts';
import { eventually } from '../../kit/eventually.ts';
import {
  missingPrograms,
  endSession,
  openDesktopFixture,
  pressToolbar,
  type DesktopFixture,
} from '../../kit/display/desktop-fixture.ts';

const skip = missingPrograms();
let fixture: DesktopFixture;
let own = '';
before(async () => {
  if (skip) return;
  own = mkdtempSync(join(tmpdir(), 'drawbridge-operator-'));
  fixture = await openDesktopFixture();
});
after(async () => {
  if (own !== '') rmSync(own, { recursive: true });
  await fixture?.[Symbol.asyncDispose]();
});

const browserTest = (name: string, run: () => Promise<void>): void => void test(name, { skip }, run);

/** Twenty times what is under way at once, so that a sender that stops or loses anything is noticed. */
const megabytes = Number(process.env['DRAWBRIDGE_TEST_MEGABYTES'] ?? 40);

/** Bytes in which no two pieces are equal. */
async function writeLarge(file: string): Promise<void> {
  const stream = createWriteStream(file);
  for (let piece = 0; piece < megabytes; piece += 1) {
    const bytes = Buffer.alloc(1_000_000, createHash('sha512').update(`piece ${piece}`).digest());
    if (!stream.write(bytes)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

const transferDone = (page: BrowserPage, count: number): Promise<unknown> =>
  eventually(
    () => page.evaluate<number>(`document.querySelectorAll('.transfer.done').length`),
    (done) => done === count,
    600_000,
  );

browserTest(`a file of ${megabytes} MB is uploaded and downloaded unchanged`, async () => {
  const file = join(own, 'large.bin');
  await writeLarge(file);
  const page = await fixture.connect();
  await saveDownloads(page, join(own, 'fetched'));
  await pressToolbar(page, 'Files');

  await answerFileDialog(page, file, () => pressToolbar(page, 'Upload files'));
  await transferDone(page, 1);
  await pressToolbar(page, 'Download large.bin');
  await transferDone(page, 2);
  const back = join(own, 'fetched', 'large.bin');
  await eventually(
    () => existsSync(back) && statSync(back).size,
    (bytes) => bytes === megabytes * 1_000_000,
  );

  const hash = await hashOf(file);
  assert.deepEqual([await hashOf(join(fixture.folder, 'large.bin')), await hashOf(back)], [hash, hash]);
  await endSession(page);
  const moved = 2 * megabytes * 1_000_000;
  const { bytes } = await eventually(
    async () =>
      (await fixture.owner.call('history/list')).body['data'][0] as { bytes: number; stop?: number },
    ({ stop }) => stop !== undefined,
  );
  assert.ok(bytes >= moved && bytes < 1.2 * moved, String(bytes));
});

browserTest('text copied on one side can be pasted on the other, both ways', async () => {
  await using writer = await openTypingTerminal();
  const page = await fixture.connect();
  await allowClipboard(page);

  // The clipboard there is taken over for a few seconds after an action here.
  await clickAt(page, writer.at);
  await copyText('copied on the device: äöü');
  await eventually(
    () => page.evaluate<string>('navigator.clipboard.readText()').catch(() => ''),
    (text) => text === 'copied on the device: äöü',
  );
  await page.evaluate(`navigator.clipboard.writeText('copied by the operator: ñ')`);
  await clickAt(page, writer.at);
  await pressPaste(page);
  await eventually(pasteText, (text) => text === 'copied by the operator: ñ');

  await endSession(page);
});

browserTest('operator and person at the device chat', async () => {
  const page = await fixture.connect();
  await pressToolbar(page, 'Chat');

  await page.type('.panel-chat textarea', 'Good morning!');
  await page.click('.panel-chat .button.primary');
  const { x, y, width, height } = await findWindow('Drawbridge chat');
  await focusByClick('Drawbridge chat', x + Math.floor(width / 2), y + height - 20);
  await runOnDisplay('xdotool', 'type', 'good evening');
  await runOnDisplay('xdotool', 'key', 'Return');

  await page.until(
    `[...document.querySelectorAll('.chat-text')].map((each) => each.textContent).join() === 'Good morning!,good evening'`,
  );
  await endSession(page);
});

browserTest(
  'the person at the device presses Stop, and the operator is told that the session is over',
  async () => {
    const page = await fixture.connect();
    const banner = await findWindow('Drawbridge');

    await clickOnDisplay(banner.x + banner.width - 30, banner.y + Math.floor(banner.height / 2));

    await page.until(`document.querySelector('.gate h1')?.textContent === 'The session has ended'`);
    assert.match(await page.evaluate<string>('document.body.innerText'), /It was ended on the device\./);
    await page.close();
  },
);
