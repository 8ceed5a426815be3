/**
 * The operator's page with a hostile device or client: what it sends is only ever text, names do not mislead,
 * and nothing fills the page or the clipboard.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileEntry } from '@drawbridge/contract/session/messages';
import type { DeviceSession } from '@drawbridge/web/join/accept-session';
import type { BrowserPage } from '../../../kit/browser/browser-page.ts';
import { allowClipboard, saveDownloads } from '../../../kit/browser/browser-dialogs.ts';
import { hostileNames } from '../../../kit/hostile/hostile-names.ts';
import { hostileTexts, misleading } from '../../../kit/hostile/hostile.ts';
import { eventually } from '../../../kit/eventually.ts';
import { connectConsole, nextOf, openItems, startConsoleFixture } from './console-fixture.ts';
import { browser, browserTest, waitUntilSettled } from './console-browser.ts';

const markup = [
  '<img src=x onerror="globalThis.pwned=1">',
  '<script>globalThis.pwned=1</script>',
  '<svg onload="globalThis.pwned=1">',
  '"><iframe srcdoc="<script>parent.pwned=1</script>">',
  'javascript:globalThis.pwned=1',
  '[click](javascript:globalThis.pwned=1)',
];
const texts = [...markup, ...Object.values(hostileTexts)];
const upTo = (text: string, length: number): string => text.slice(0, length);

/**
 * The outcome: whether anything ran, what the page shows that could mislead, and what the browser had to
 * block.
 */
async function judge(page: BrowserPage): Promise<unknown> {
  const shown = await page.evaluate<string>('document.body.innerText');
  const made = await page.evaluate<number>(
    `document.querySelectorAll('#app img[src=x], #app iframe, #app script, #app a[href], #app [onload], #app [onerror], #app [onclick]').length`,
  );
  const ran = await page.evaluate<boolean>('globalThis.pwned !== undefined');
  const left = shown.replace(/[\n\t]/g, '').match(new RegExp(misleading, 'gu')) ?? [];
  return { ran, made, left: left.length, violations: page.violations, errors: page.errors };
}

const clean = { ran: false, made: 0, left: 0, violations: [], errors: [] };

browserTest('whatever a device writes, calls itself or refuses with is shown as text', async () => {
  await using fixture = await startConsoleFixture(browser);
  const { page } = fixture;
  const device = await connectConsole(fixture, { unable: { agent_lock_screen: markup[0]! } });
  await page.click('[data-panel=chat]');

  for (const text of texts) {
    device.send('chat', { name: upTo(text, 320), text: upTo(text, 4_096) });
    device.send('refused', { kind: 'lock', message: upTo(text, 512) });
  }
  await page.until(`document.querySelectorAll('.chat-line').length === ${texts.length}`);
  const chatted = await judge(page);
  await page.click('[data-panel=people]');
  device.send('people', {
    people: texts.map((text, seat) => ({ seat, name: upTo(text, 320), driver: seat === 1, you: seat === 0 })),
  });
  await page.until(`document.querySelectorAll('.person').length === ${texts.length}`);
  const met = await judge(page);
  await page.click('[data-panel=software]');
  device.send('programs', {
    programs: texts.map((text) => ({
      name: upTo(text, 256),
      version: upTo(text, 64),
      publisher: '',
      install_date: '',
    })),
  });
  await page.until(`document.querySelectorAll('.software-list tbody tr').length > 0`);
  const listed = await judge(page);
  device.send('end', { by: 'device', message: upTo(markup.join(' '), 512), back: false });
  await page.until(`document.querySelector('.gate')`);

  assert.deepEqual([chatted, met, listed, await judge(page)], [clean, clean, clean, clean]);
});

/**
 * Answers every request for a list with these names, page by page, and every request for a file with one
 * byte.
 */
function serve(device: DeviceSession, entries: readonly FileEntry[]): void {
  device.on('file', (request) => {
    if (request.do === 'list')
      device.send('file_answer', {
        is: 'list',
        id: request.id,
        path: request.path,
        entries: [...entries],
        more: false,
      });
    if (request.do !== 'get') return;
    device.send('file_answer', { is: 'get', id: request.id, size: 0, time: 0 });
    const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    device.send('file_answer', { is: 'sent', id: request.id, sha256 });
  });
}

const entry = (name: string, kind: FileEntry['kind'] = 'file'): FileEntry => ({
  name,
  kind,
  size: 0,
  time: 0,
  writable: true,
});

/** Those that are valid file names. */
const isName = (name: string): boolean => name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name);
const names = [
  ...new Set([
    ...hostileNames.map((name) => upTo(name, 255)).filter(isName),
    ...markup.filter(isName),
    'a\nb',
    'con.txt',
    'x. . .',
  ]),
];

browserTest('names of files are shown unchanged, with a visible sign for invisible characters', async () => {
  await using fixture = await startConsoleFixture(browser);
  const { page } = fixture;
  const device = await connectConsole(fixture);
  serve(
    device,
    names.map((name) => entry(name)),
  );

  await page.click('[data-panel=files]');
  await page.until(`document.querySelectorAll('.files-name').length === ${names.length}`);
  const shown = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.files-name bdi')].map(({ textContent }) => textContent)`,
  );
  const listed = await judge(page);
  await page.evaluate(`[...document.querySelectorAll('.files-name bdi')]
    .find(({ textContent }) => textContent.startsWith('invoice')).closest('tr').querySelector('.menu-place .tool').click()`);
  const remove = `${openItems}.find(({ textContent }) => textContent === 'Remove')`;
  await page.until(remove);
  await page.evaluate(`${remove}.click()`);
  await page.until(`document.querySelector('dialog[open]')`);
  const asked = await page.evaluate<string>(`document.querySelector('dialog[open]').innerText`);

  assert.deepEqual(
    shown.filter((name) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)),
    [],
  );
  assert.ok(shown.includes('invoice\ufffdfdp.exe') && shown.includes('a\ufffdb'));
  assert.doesNotMatch(asked.replaceAll('\n', ''), misleading);
  assert.deepEqual(listed, clean);
});

browserTest(
  'a downloaded file gets a name that is one file in the download folder, on every system',
  async () => {
    await using fixture = await startConsoleFixture(browser);
    const { page } = fixture;
    const folder = await mkdtemp(join(tmpdir(), 'drawbridge-downloads-'));
    await saveDownloads(page, folder);
    const chosen = [
      '..\\..\\x',
      'con.txt',
      'a\nb',
      'invoice\u202egpj.exe',
      'x. . .',
      `${'n'.repeat(240)}.txt`,
      '<img src=x>',
    ];
    const device = await connectConsole(fixture);
    serve(
      device,
      chosen.map((name) => entry(name)),
    );
    await page.click('[data-panel=files]');
    await page.until(`document.querySelectorAll('.files-name').length === ${chosen.length}`);
    await page.evaluate(`{
    globalThis.saved = [];
    const click = HTMLAnchorElement.prototype.click;
    HTMLAnchorElement.prototype.click = function () {
      saved.push(this.download);
      click.call(this);
    };
    document.querySelectorAll('.files-name button').forEach((button) => button.click());
  }`);
    await page.until(`document.querySelectorAll('.transfer.done').length === ${chosen.length}`);
    const saved = await page.evaluate<string[]>('saved');
    const files = await eventually(
      () => readdir(folder),
      (found) => found.length > 0 && found.every((name) => !name.endsWith('.crdownload')),
    );
    await rm(folder, { recursive: true });

    assert.deepEqual(
      saved.toSorted(),
      [
        '.._.._x',
        '_con.txt',
        '_img src=x_',
        'a_b',
        'invoice_gpj.exe',
        `${'n'.repeat(196)}.txt`,
        'x',
      ].toSorted(),
    );
    assert.ok(
      files.every((name) => !/[\p{Cc}\p{Cf}\\/]/u.test(name)),
      JSON.stringify(files),
    );
  },
);

browserTest('a device that never stops writing or refusing does not fill the page', async () => {
  await using fixture = await startConsoleFixture(browser);
  const { page } = fixture;
  const device = await connectConsole(fixture);
  await page.click('[data-panel=chat]');

  for (let number = 0; number < 1_500; number += 1) {
    device.send('chat', { name: 'device', text: `line ${number}` });
    device.send('refused', { kind: 'lock', message: `no ${number}` });
  }
  await page.until(
    `document.querySelector('.chat-list')?.lastElementChild?.textContent.endsWith('line 1499')`,
  );

  assert.equal(await page.evaluate(`document.querySelectorAll('.chat-line').length`), 500);
  assert.ok((await page.evaluate<number>(`document.querySelectorAll('.notice').length`)) <= 12);
});

const copied = '<b onclick="pwned=1">bold</b>\u202e\n=1+1';

browserTest('the device’s clipboard is taken over only as text, and only after a user action', async () => {
  await using fixture = await startConsoleFixture(browser);
  const { page } = fixture;
  const device = await connectConsole(fixture);
  await allowClipboard(page);
  await page.evaluate(`navigator.clipboard.writeText('my own')`);
  // A click counts as user activation for some seconds.
  await page.until('!navigator.userActivation.isActive');

  device.send('clipboard', { text: copied });
  await page.until(`document.body.innerText.includes('Use the clipboard menu to get it')`);
  const alone = await page.evaluate('navigator.clipboard.readText()');
  const pressed = nextOf(device, 'pointer');
  await page.click('canvas');
  await pressed;
  device.send('clipboard', { text: `${copied}!` });
  await waitUntilSettled(page, device);
  const taken = await eventually(
    () =>
      page.evaluate<[string, string[]]>(
        `navigator.clipboard.read().then(async ([item]) => [await navigator.clipboard.readText(), [...item.types]])`,
      ),
    ([text]) => text !== 'my own',
  );

  assert.equal(alone, 'my own');
  assert.deepEqual(taken, [`${copied}!`, ['text/plain']]);
});

browserTest(
  'if the browser cannot detect a user action, the device’s clipboard waits in the menu',
  async () => {
    await using fixture = await startConsoleFixture(browser);
    const { page } = fixture;
    const device = await connectConsole(fixture);
    await allowClipboard(page);
    await page.evaluate(`navigator.clipboard.writeText('my own')`);
    await page.evaluate(`delete Navigator.prototype.userActivation`);

    device.send('clipboard', { text: copied });
    await page.until(`document.body.innerText.includes('Use the clipboard menu to get it')`);

    assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'my own');
  },
);
