/** What the relay sees of a session: every message, and no content. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { allowClipboard, answerFileDialog, saveDownloads } from '../../kit/browser/browser-dialogs.ts';
import type { BrowserPage } from '../../kit/browser/browser-page.ts';
import { copyText, findWindow, openTypingTerminal, pasteText } from '../../kit/display/desktop-programs.ts';
import { makePhoto } from '../../kit/display/pictures.ts';
import { countMatches, pixelEncodings, tapSockets } from '../../kit/session/relay-tap.ts';
import { clickAt, shownPixels, typeKeys } from '../../kit/browser/remote-input.ts';
import { eventually } from '../../kit/eventually.ts';
import {
  missingPrograms,
  endSession,
  openDesktopFixture,
  openOperatorPage,
  pressToolbar,
  type DesktopFixture,
} from '../../kit/display/desktop-fixture.ts';

const canaries = {
  typed: 'canary-of-what-is-typed-7f3a',
  copied: 'canary-of-what-is-copied-51be',
  pasted: 'canary-of-what-is-pasted-c04d',
  chatted: 'canary-of-what-is-said-e92b',
  fetched: 'canary-in-a-file-that-is-fetched-1d86',
  fetchedName: 'canary-as-a-name-8a47.bin',
  brought: 'canary-in-a-file-that-is-brought-90ab',
  broughtName: 'canary-as-another-name-66e5.bin',
  shell: 'canary-in-the-terminal-33f0',
};
/** The position of a picture that is known to the last pixel, and its content. */
const spot = { x: 700, y: 420, width: 96, height: 96 };
const picture = makePhoto(4_711, spot);
/** How pictures begin: PNG and JPEG. */
const pictureMarks = [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from('ffd8ffe000104a464946', 'hex')];

/** Some pixels of a row of the picture. */
const rowOf = (row: number): Uint32Array => picture.subarray(row * spot.width + 8, row * spot.width + 16);

async function typeIt(page: BrowserPage): Promise<void> {
  await using writer = await openTypingTerminal();
  await clickAt(page, writer.at);
  // As keys one by one, and as a phone's keyboard sends it: in one piece.
  await typeKeys(page, `${canaries.typed}\n`);
  await eventually(writer.typed, (typed) => typed === `${canaries.typed}\n`);
  await page.write(canaries.typed);
  await typeKeys(page, '\n');
  await eventually(writer.typed, (typed) => typed === `${canaries.typed}\n`.repeat(2));
}

async function copyBothWays(page: BrowserPage): Promise<void> {
  await allowClipboard(page);
  // The clipboard there is taken over for a few seconds after an action here.
  await page.click('canvas');
  await copyText(canaries.copied);
  await eventually(
    () => page.evaluate<string>('navigator.clipboard.readText()').catch(() => ''),
    (text) => text === canaries.copied,
  );
  await pressToolbar(page, 'Clipboard');
  await page.type('.menu-form textarea', canaries.pasted);
  await page.click('.menu-form .button');
  await eventually(pasteText, (text) => text === canaries.pasted);
}

async function chatAbout(page: BrowserPage): Promise<void> {
  await pressToolbar(page, 'Chat');
  await page.type('.panel-chat textarea', canaries.chatted);
  await page.click('.panel-chat .button.primary');
  await findWindow('Drawbridge chat');
}

const textIn = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

async function sendBothWays(page: BrowserPage, { folder }: DesktopFixture): Promise<void> {
  const own = mkdtempSync(join(tmpdir(), 'drawbridge-tap-'));
  const [fetched, brought] = [join(own, canaries.fetchedName), join(own, canaries.broughtName)];
  writeFileSync(join(folder, canaries.fetchedName), canaries.fetched);
  writeFileSync(brought, canaries.brought);
  await saveDownloads(page, own);
  await pressToolbar(page, 'Files');
  await pressToolbar(page, `Download ${canaries.fetchedName}`);
  await eventually(
    () => textIn(fetched),
    (text) => text === canaries.fetched,
  );
  await answerFileDialog(page, brought, () => pressToolbar(page, 'Upload files'));
  await eventually(
    () => textIn(join(folder, canaries.broughtName)),
    (text) => text === canaries.brought,
  );
  rmSync(own, { recursive: true });
}

/** Keeps what the page is about to decode: the pictures before they were encrypted. */
const keepPictures = `{
  const { createImageBitmap, EncodedVideoChunk } = globalThis;
  globalThis.pictures = [];
  const keep = (bytes) => pictures.push(new Uint8Array(bytes).slice());
  globalThis.createImageBitmap = (blob, ...rest) => {
    void blob.arrayBuffer().then(keep);
    return createImageBitmap(blob, ...rest);
  };
  globalThis.EncodedVideoChunk = class extends EncodedVideoChunk {
    constructor(given) {
      super(given);
      keep(given.data);
    }
  };
}`;

/**
 * Draws the picture and waits until the page shows it; returns bytes from the middle of what the page decoded
 * for it.
 */
async function showPicture(page: BrowserPage, { display }: DesktopFixture): Promise<Buffer[]> {
  await page.evaluate('pictures.length = 0');
  display.draw(spot, picture);
  await display.done();
  await eventually(
    async () => (await shownPixels(page, spot)).filter((pixel, at) => pixel !== picture[at]).length,
    (different) => different === 0,
  );
  const middles = await page.evaluate<string[]>(
    `pictures.filter(({ length }) => length > 1_000).map((bytes) => bytes.slice(bytes.length / 2, bytes.length / 2 + 32).toBase64())`,
  );
  return middles.map((text) => Buffer.from(text, 'base64'));
}

async function useShell(page: BrowserPage, { folder }: DesktopFixture): Promise<void> {
  await pressToolbar(page, 'Terminal');
  await page.until(`document.querySelector('.panel-terminal textarea')`);
  const file = join(folder, 'said-in-shell');
  await page.write(`echo ${canaries.shell} > ${file}`);
  await typeKeys(page, '\n');
  await eventually(
    () => textIn(file),
    (text) => text === `${canaries.shell}\n`,
  );
}

test(
  'anyone who listens at the relay finds nothing of what was typed, copied, said, sent or shown',
  { skip: missingPrograms() },
  async () => {
    using tap = tapSockets();
    // Nothing may bypass the relay.
    await using fixture = await openDesktopFixture({ env: { DRAWBRIDGE_DIRECT: 'false' } });
    const page = await openOperatorPage(fixture.browser);
    await page.tab.evaluateOnNewDocument(keepPictures);
    await fixture.connect(page);
    const encoded = await showPicture(page, fixture);
    await typeIt(page);
    await copyBothWays(page);
    await chatAbout(page);
    await sendBothWays(page, fixture);
    await useShell(page, fixture);
    await endSession(page);

    const received = tap.messages();
    const rows = [0, 33, 95].flatMap((row) => pixelEncodings(rowOf(row)));
    const found = [...Object.values(canaries), ...pictureMarks, ...rows, ...encoded].map((what) => [
      what,
      countMatches(received, what),
    ]);
    assert.deepEqual(
      found.filter(([, count]) => count !== 0),
      [],
    );
    // What it does find: that it listened, and what is sent in the clear.
    assert.ok(countMatches(received, '"grant":') > 0, 'the tap received no handshake');
    assert.ok(received.length > 100, `it heard ${received.length} messages`);
    assert.ok(encoded.length > 0, 'the picture came in no piece');
  },
);

test('the search for a picture finds it in every memory layout', () => {
  const withUnused = Buffer.from(picture.slice().buffer);
  const plain = Buffer.from(
    Array.from(picture).flatMap((pixel) => [pixel >> 16, (pixel >> 8) & 255, pixel & 255]),
  );
  for (const bytes of [withUnused, plain])
    assert.ok(pixelEncodings(rowOf(33)).some((spelling) => countMatches([bytes], spelling) > 0));
});

test('the search for a text finds it in every encoding', () => {
  const text = 'canary-7f3a';
  const messages = [text, `x${text}`, `xy${text}z`].flatMap((each) => [
    Buffer.from(each),
    Buffer.from(each, 'utf16le'),
    Buffer.from(Buffer.from(each).toString('base64')),
    Buffer.from(Buffer.from(each).toString('base64url')),
    Buffer.from(Buffer.from(each).toString('hex')),
  ]);
  for (const message of messages) assert.ok(countMatches([message], text) > 0, message.toString('latin1'));
});
