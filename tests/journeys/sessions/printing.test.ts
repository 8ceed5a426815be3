/** Documents that are printed on a device reach the operator in a real browser, who opens or saves them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { saveDownloads } from '../../kit/browser/browser-dialogs.ts';
import type { BrowserPage } from '../../kit/browser/browser-page.ts';
import { startCups, type Cups } from '../../kit/display/cups.ts';
import {
  endSession,
  missingPrograms,
  openDesktopFixture,
  openOperatorPage,
  pressToolbar,
  type DesktopFixture,
} from '../../kit/display/desktop-fixture.ts';
import { eventually } from '../../kit/eventually.ts';
import { createPdf } from '../../kit/pdf.ts';
import { startProgram } from '../../kit/process.ts';
import { skipWithout } from '../../kit/requirements.ts';

const skip =
  missingPrograms() || skipWithout('CUPS') || (process.getuid?.() !== 0 && 'only root can start CUPS');
const turnOn = 'Receive what is printed on the device';

let [fixture, cups, folder]: [DesktopFixture?, Cups?, string?] = [];
before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-printed-'));
  cups = await startCups();
  fixture = await openDesktopFixture({
    agentEnv: { ...cups.env, DRAWBRIDGE_AGENT_DATA: join(folder, 'agent') },
  });
});
after(async () => {
  await fixture?.[Symbol.asyncDispose]();
  await cups?.[Symbol.asyncDispose]();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

async function printerOf(page: BrowserPage): Promise<string> {
  await page.until(`document.querySelector('[aria-label^="Remove the printer"]')`);
  const [name] = await cups!.printers();
  return name!;
}

test(
  'a document that is printed on the device is offered to the operator, who saves it',
  { skip },
  async () => {
    const page = await fixture!.connect();
    const downloads = mkdtempSync(join(folder!, 'downloads-'));
    await saveDownloads(page, downloads);
    assert.deepEqual(await cups!.printers(), [], 'no printer before');
    await pressToolbar(page, turnOn);
    const printer = await printerOf(page);
    const file = join(folder!, 'letter.pdf');
    writeFileSync(file, createPdf('Dear operator'));
    await cups!.print(printer, { file, title: 'Letter: <b>1/2</b>' });

    await page.until(`document.querySelector('.document:not([hidden]) .button.primary')`);
    const card = await page.evaluate<string>(`document.querySelector('.document').innerText`);
    assert.match(
      card,
      /Document from the device\s+Letter: <b>1\/2<\/b>\s+[\d.]+ k?B\s+Open\s+Save\s+Discard/,
    );
    assert.equal((await page.tab.browserContext().pages()).length, 1, 'nothing is opened by itself');
    await page.click('.document button');
    const saved = join(downloads, 'Letter_ _b_1_2__b_.pdf');
    const text = await eventually(
      () => textOf(saved),
      (found) => found !== '',
    );
    assert.match(text, /Dear operator/);

    await page.click('.document a');
    await eventually(
      async () => (await page.tab.browserContext().pages()).length,
      (count) => count === 2,
    );
    await endSession(page);
    await eventually(cups!.printers, ({ length }) => length === 0);
  },
);

function textOf(pdf: string): string {
  try {
    readFileSync(pdf);
    return execFileSync('pdftotext', [pdf, '-'], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

test('the policy of the device forbids it while a printer is there', { skip }, async () => {
  const decide = (printing: 'off' | 'inherit') =>
    fixture!.owner.call('agents/policy/update', { agent_id: fixture!.device, printing });
  const page = await fixture!.connect();
  await pressToolbar(page, turnOn);
  await printerOf(page);
  await decide('off');

  const forbidden = `${turnOn}: The policy of this device does not allow printed documents to be sent to operators.`;
  await page.until(`document.querySelector('[aria-label="${forbidden}"]')`);
  await eventually(cups!.printers, ({ length }) => length === 0);
  await decide('inherit');
  await endSession(page);
});

test('without the permission for files no printer is offered', { skip }, async () => {
  const person = await fixture!.account.member();
  await fixture!.account.grant(person, {
    type: 'agent',
    agentId: fixture!.device,
    permissions: ['agent_connect', 'agent_control'],
  });
  const page = await openOperatorPage(fixture!.browser);
  const { body } = await person.call('agents/connect', { agent_id: fixture!.device });
  await page.goto(body['data'].url as string);
  await page.click('.button.primary');
  await page.until(`document.querySelector('canvas.screen')?.width === 1024`);

  assert.equal(await page.evaluate(`document.querySelector('[aria-label="${turnOn}"]')`), null);
  await endSession(page);
});

test(
  'a printer that a killed agent left behind is removed when the agent starts again',
  { skip },
  async () => {
    const { agent } = fixture!;
    const page = await fixture!.connect();
    await pressToolbar(page, turnOn);
    const printer = await printerOf(page);
    await agent.end('SIGKILL');
    assert.deepEqual(await cups!.printers(), [printer]);
    const env = {
      ...cups!.env,
      DRAWBRIDGE_AGENT_DATA: join(folder!, 'agent'),
      DRAWBRIDGE_AGENT_HARMLESS: '1',
    };
    await using _again = startProgram('agent/src/main.ts', ['agent', 'run'], env);

    await eventually(cups!.printers, ({ length }) => length === 0);
  },
);
