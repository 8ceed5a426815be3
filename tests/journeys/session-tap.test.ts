/** What the relay gets to see of a session: everything of it, and nothing in it. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BrowserPage } from '../kit/browser-page.ts';
import { copyText, findWindow, openTypeWriter } from '../kit/desktop-programs.ts';
import { hits, tapSockets } from '../kit/relay-tap.ts';
import { clickAt, shownPixels, typeKeys } from '../kit/remote-hands.ts';
import { seen } from '../kit/seen.ts';
import { lacking, leave, openWorkplace, press, type Workplace } from '../kit/workplace.ts';

const canaries = {
  typed: 'canary-of-what-is-typed-7f3a',
  copied: 'canary-of-what-is-copied-51be',
  pasted: 'canary-of-what-is-pasted-c04d',
  chatted: 'canary-of-what-is-said-e92b',
  file: 'canary-in-a-file-1d86',
  fileName: 'canary-as-a-name-8a47',
  shell: 'canary-in-the-terminal-33f0',
};
/** How pictures begin: PNG and JPEG. */
const pictureMarks = [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from('ffd8ffe000104a464946', 'hex')];

async function typeIt(page: BrowserPage): Promise<void> {
  await using writer = await openTypeWriter();
  await clickAt(page, writer.at);
  // As keys one by one, and as a phone's keyboard sends it: in one piece.
  await typeKeys(page, `${canaries.typed}\n`);
  await seen(writer.typed, (typed) => typed === `${canaries.typed}\n`);
  await page.send('Input.insertText', { text: canaries.typed });
  await typeKeys(page, '\n');
  await seen(writer.typed, (typed) => typed === `${canaries.typed}\n`.repeat(2));
}

async function copyBothWays(page: BrowserPage): Promise<void> {
  await copyText(canaries.copied);
  await press(page, 'Clipboard');
  await page.type('.menu-form textarea', canaries.pasted);
  await page.click('.menu-form .button');
  await page.until(
    `[...document.querySelectorAll('.notice')].some(({ textContent }) => /clipboard of the device/.test(textContent))`,
  );
}

async function chatAbout(page: BrowserPage): Promise<void> {
  await press(page, 'Chat');
  await page.type('.panel-chat textarea', canaries.chatted);
  await page.click('.panel-chat .button.primary');
  await findWindow('Drawbridge chat');
}

async function fetchFile(page: BrowserPage, { folder }: Workplace): Promise<void> {
  writeFileSync(join(folder, canaries.fileName), canaries.file);
  await page.send('Page.setDownloadBehavior', { behavior: 'deny', downloadPath: tmpdir() });
  await press(page, 'Files');
  await press(page, `Fetch ${canaries.fileName}`);
  await page.until(`document.querySelector('.transfer.done')`);
}

async function useShell(page: BrowserPage, { folder }: Workplace): Promise<void> {
  await press(page, 'Terminal');
  await page.until(`document.querySelector('.panel-terminal textarea')`);
  const file = join(folder, 'said-in-shell');
  await page.send('Input.insertText', { text: `echo ${canaries.shell} > ${file}` });
  await typeKeys(page, '\n');
  await seen(
    () => {
      try {
        return readFileSync(file, 'utf8');
      } catch {
        return '';
      }
    },
    (text) => text === `${canaries.shell}\n`,
  );
}

test(
  'who listens at the relay finds nothing of what was typed, copied, said, sent or shown',
  { skip: lacking(), timeout: 90_000 },
  async () => {
    using tap = tapSockets();
    // Nothing may pass it by.
    await using place = await openWorkplace({ env: { DRAWBRIDGE_DIRECT: 'false' } });
    const page = await place.connect();
    await typeIt(page);
    await copyBothWays(page);
    await chatAbout(page);
    await fetchFile(page, place);
    await useShell(page, place);
    const shown = await shownPixels(page, { x: 0, y: 0, width: 1_024, height: 640 });
    await leave(page);

    const heard = tap.messages();
    const found = [...Object.values(canaries), ...pictureMarks].map((what) => [what, hits(heard, what)]);
    assert.deepEqual(
      found.filter(([, count]) => count !== 0),
      [],
    );
    // What it does find: it was there, and it hears what is said in the clear.
    assert.ok(hits(heard, '"grant":') > 0, 'the tap heard no handshake');
    assert.ok(heard.length > 100, `it heard ${heard.length} messages`);
    assert.ok(new Set(shown).size > 10, 'something was shown');
  },
);

test('whoever looks for a text finds it in every spelling', () => {
  const text = 'canary-7f3a';
  const messages = [text, `x${text}`, `xy${text}z`].flatMap((each) => [
    Buffer.from(each),
    Buffer.from(each, 'utf16le'),
    Buffer.from(Buffer.from(each).toString('base64')),
    Buffer.from(Buffer.from(each).toString('base64url')),
    Buffer.from(Buffer.from(each).toString('hex')),
  ]);
  for (const message of messages) assert.ok(hits([message], text) > 0, message.toString('latin1'));
});
