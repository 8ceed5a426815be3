/**
 * The console in a real browser with a real server and a real agent: the direct connection, the terminal and
 * the files beside the screen.
 */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { buildWeb } from '../../../scripts/build-web.ts';
import type { Files } from '@drawbridge/agent/platform/files';
import { openFiles } from '@drawbridge/agent/platform/linux/files/session-files';
import { openShell } from '@drawbridge/agent/platform/linux/shell';
import { startAgent } from '../../kit/agent/agent.ts';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import { answerFileDialog } from '../../kit/browser/browser-dialogs.ts';
import type { BrowserPage } from '../../kit/browser/browser-page.ts';
import { listDevices, createEnrolToken } from '../../kit/server/enrolment.ts';
import { startService } from '../../kit/server/service.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { createFakePlatform } from '../../kit/agent/fake-platform.ts';
import { eventually } from '../../kit/eventually.ts';
import { useEmptyHome } from '../../kit/agent/empty-home.ts';

const panel = (id: string): string => `[data-panel="${id}"]`;
const shown = (text: string): string => `document.body.innerText.includes(${JSON.stringify(text)})`;

/** The files of a device; its folder `huge` holds more entries than devices list. */
async function filesOf(folder: string): Promise<Files> {
  const files = await openFiles({ DRAWBRIDGE_AGENT_FILES: folder });
  const list: Files['list'] = async (path, behind) => ({
    ...(await files.list(path, behind)),
    ...(path === '/huge' && { total: 20_050 }),
  });
  return { ...files, list };
}

async function connected(browser: Browser, folder: string, env: Record<string, string> = {}) {
  const service = await startService({ realTime: true, env });
  const { owner } = await service.account();
  const machine = createFakePlatform('desk', { shell: openShell, files: () => filesOf(folder) });
  const agent = startAgent({
    server: service.testClient.baseUrl,
    token: await createEnrolToken(owner),
    machine,
  });
  const [device] = await eventually(
    () => listDevices(owner),
    ([first]) => first?.online === true,
  );
  const { body } = await owner.call('agents/connect', { agent_id: device!.id });
  const page = await browser.page();
  await page.goto(body['data'].url as string);
  await page.click('.button.primary');
  await page.until(`document.querySelector('${panel('terminal')}')`);
  return {
    page,
    agent,
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

describe('panels beside the screen', { skip: skipWithout('Chromium') }, () => {
  useEmptyHome();
  let browser: Browser;
  let folder = '';
  before(async () => {
    await buildWeb();
    browser = await openBrowser({ wholeBrowser: true });
    folder = await mkdtemp(join(tmpdir(), 'drawbridge-panels-'));
  });
  after(async () => {
    await browser.close();
    await rm(folder, { recursive: true });
  });

  test('the browser and the device establish a direct connection, and the terminal runs over it', async () => {
    await using fixture = await connected(browser, folder);
    const { page, agent } = fixture;
    await agent.until(/switched to the direct connection/);
    await page.click(panel('terminal'));
    await page.until(`document.querySelector('.xterm-helper-textarea')`);
    await enter(page, 'echo $((6*7))-direct');
    await page.until(`document.querySelector('.xterm-rows')?.innerText.includes('42-direct')`);
    assert.deepEqual(page.violations, []);
    assert.deepEqual(page.errors, []);
  });

  test('if direct connections are switched off, the terminal runs over the relay', async () => {
    await using fixture = await connected(browser, folder, { DRAWBRIDGE_DIRECT: 'false' });
    const { page, agent } = fixture;
    await page.click(panel('terminal'));
    await page.until(`document.querySelector('.xterm-helper-textarea')`);
    await enter(page, 'echo $((6*7))-relay');
    await page.until(`document.querySelector('.xterm-rows')?.innerText.includes('42-relay')`);
    assert.ok(!agent.lines.some((line) => line.includes('switched to the direct connection')));
  });

  test('the operator lists files, creates folders and uploads files', async () => {
    await writeFile(join(folder, 'report.txt'), 'the report');
    await writeFile(join(folder, '<img src=x onerror=alert(1)>'), 'evil');
    await using fixture = await connected(browser, folder);
    const { page } = fixture;
    await page.click(panel('files'));
    await page.until(shown('report.txt'));
    await page.until(shown('<img src=x onerror=alert(1)>'));
    await bring(page, 'brought.txt', 'brought by hand');
    await page.until(shown('brought.txt'));
    await page.until(shown('done'));
    assert.equal(await readFile(join(folder, 'brought.txt'), 'utf8'), 'brought by hand');
    assert.deepEqual(page.violations, []);
    assert.deepEqual(page.errors, []);
  });

  test('files dropped onto the picture are uploaded, each listed as soon as it is done, with rate and time left', async () => {
    await using fixture = await connected(browser, folder);
    const { page } = fixture;
    const small = { name: 'small.txt', size: 3 };
    await page.until(`document.querySelector('.stage')`);

    await dropOnScreen(page, 'dragover', [small]);
    await page.until(
      `document.querySelector('.drop-hint:not([hidden])')?.textContent === 'Drop to upload to /'`,
    );
    await dropOnScreen(page, 'drop', [small, { name: 'large.bin', size: 300_000_000 }]);

    await page.until(`document.querySelector('.drop-hint').hidden`);
    await page.until(
      `[...document.querySelectorAll('.files-name bdi')].some((each) => each.textContent === 'small.txt')`,
    );
    assert.equal(
      await page.evaluate(`document.querySelectorAll('.transfer.running').length`),
      1,
      'one is not done',
    );
    await page.until(
      `/MB of 300 MB · .* [kM]B\\/s · .*s left/.test(document.querySelector('.transfer.running')?.textContent)`,
    );
    await page.click('.transfer.running .tool');
    await page.until(`document.querySelector('.transfer.failed')?.textContent.includes('stopped')`);
    assert.deepEqual([page.violations, page.errors], [[], []]);
  });

  test('uploading a folder again asks once, and a folder that is not listed completely says so', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'drawbridge-brought-'));
    await mkdir(join(outside, 'photos/inner'), { recursive: true });
    for (const name of ['a', 'b', 'inner/c']) await writeFile(join(outside, 'photos', name), 'one');
    await mkdir(join(folder, 'huge'));
    await writeFile(join(folder, 'huge/first'), '');
    await using fixture = await connected(browser, folder);
    const { page } = fixture;
    await page.click(panel('files'));
    await page.until(shown('huge'));
    await bringFolder(page, join(outside, 'photos'));
    await page.until(`document.querySelectorAll('.transfer.done').length === 3`);

    await writeFile(join(outside, 'photos/inner/c'), 'two');
    await bringFolder(page, join(outside, 'photos'));
    await page.until(shown('3 files already exist'));
    await page.click('dialog .button.danger');
    await page.until(`document.querySelectorAll('.transfer.done').length === 6`);
    assert.equal(await readFile(join(folder, 'photos/inner/c'), 'utf8'), 'two');
    assert.equal(await page.evaluate(`document.querySelectorAll('dialog[open]').length`), 0);

    // The list is reloaded after the transfers: the entry may be absent for a moment.
    await page.until(`[...document.querySelectorAll('.files-name button')]
      .filter((button) => button.innerText.includes('huge'))
      .map((button) => button.click()).length > 0`);
    await page.until(shown('This folder has 20050 entries. The first 1, sorted by name'));
    assert.deepEqual([page.violations, page.errors], [[], []]);
    await rm(outside, { recursive: true });
  });
});

const uploadFolder = `[aria-label="Upload a folder"], [title="Upload a folder"]`;

/** Chooses a folder in the browser's own dialog. */
const bringFolder = (page: BrowserPage, path: string): Promise<void> =>
  answerFileDialog(page, path, () => page.click(uploadFolder));

/** Types a line and presses Enter; the terminal has the keyboard since it was opened. */
async function enter(page: BrowserPage, text: string): Promise<void> {
  await page.write(text);
  await page.tab.keyboard.press('Enter');
}

/** Drags files of these sizes over the picture, or drops them there. */
const dropOnScreen = (
  page: BrowserPage,
  event: 'dragover' | 'drop',
  files: readonly { name: string; size: number }[],
): Promise<unknown> =>
  page.evaluate(`(() => {
    const transfer = new DataTransfer();
    for (const { name, size } of ${JSON.stringify(files)})
      transfer.items.add(new File([new Uint8Array(size)], name));
    document.querySelector('.stage').dispatchEvent(
      new DragEvent('${event}', { dataTransfer: transfer, bubbles: true, cancelable: true }),
    );
  })()`);

/** Drops a file on the panel, as a mouse does. */
const bring = (page: BrowserPage, name: string, text: string): Promise<unknown> =>
  page.evaluate(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
    document.querySelector('.panel-files').dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true }));
  })()`);
