/** Quick support tells both sides the truth at each moment: who is awaited, what is shown, and what was written. */
import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import type { BrowserPage } from '../../kit/browser/browser-page.ts';
import { answerOnDisplay } from '../../kit/display/answer-on-display.ts';
import { startDisplay } from '../../kit/display/display.ts';
import { eventually } from '../../kit/eventually.ts';
import { startProgram } from '../../kit/process.ts';
import { skipWithout } from '../../kit/requirements.ts';
import {
  fakeScreenFlags,
  offerProgram,
  pressButtonSaying,
  samplePixels,
  startJoinFixture,
  waitForText,
  withholdProgram,
  type JoinFixture,
} from './join-fixture.ts';

const skip = skipWithout('Chromium');
let browser: Browser;
before(async () => {
  if (!skip) browser = await openBrowser({ wholeBrowser: true, flags: fakeScreenFlags });
});
after(() => browser?.close());

/** What is written over the operator's screen. */
const waitForStatus = (operator: BrowserPage, words: string): Promise<unknown> =>
  operator.until(
    `document.querySelector('.trouble:not([hidden])')?.textContent.includes(${JSON.stringify(words)})`,
  );
const waitForScreen = async (operator: BrowserPage): Promise<void> => {
  await operator.until(`document.querySelector('.trouble')?.hidden`);
  await eventually(
    () => samplePixels(operator),
    (picture) => picture !== '' && !isBlack(picture),
  );
};
const isBlack = (picture: string): boolean => !/[1-9]/.test(picture.split(':')[1] ?? '1');
/** Waits until every pixel is black: the old picture is removed. */
const waitForBlank = (operator: BrowserPage): Promise<string> =>
  eventually(() => samplePixels(operator), isBlack);

/** Confirms that the page may be left while somebody is connected. */
const allowLeaving = (page: BrowserPage): void =>
  void page.tab.on('dialog', (dialog) => void dialog.accept().catch(() => {}));

async function reload(page: BrowserPage): Promise<void> {
  await page.tab.reload();
}

async function connected(fixture: JoinFixture): Promise<{ client: BrowserPage; operator: BrowserPage }> {
  const client = await fixture.client();
  await pressButtonSaying(client, 'Continue');
  await pressButtonSaying(client, 'Share my screen from this browser');
  const operator = await fixture.operator();
  await pressButtonSaying(client, 'Allow');
  await waitForScreen(operator);
  return { client, operator };
}

const write = async (page: BrowserPage, text: string): Promise<void> => {
  await page.type('.chat-writing textarea', text);
  await pressButtonSaying(page, 'Send');
};
const linesOf = (page: BrowserPage): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('.chat-line .chat-text')].map((each) => each.textContent)`);

test(
  'the operator reads each moment over the screen: not joined, asked, not shared, gone, returning',
  { skip },
  async () => {
    await using fixture = await startJoinFixture(browser);
    const operator = await fixture.operator();
    await waitForText(operator, 'The client has not joined yet.');
    const client = await fixture.client();
    allowLeaving(client);
    await pressButtonSaying(client, 'Continue');
    await waitForText(operator, 'The client is asked whether you may connect.');
    await pressButtonSaying(client, 'Allow');
    await waitForStatus(operator, 'has not shared a screen yet');

    await pressButtonSaying(client, 'Share my screen from this browser');
    await waitForScreen(operator);
    await pressButtonSaying(client, 'Stop sharing');
    await waitForStatus(operator, 'has not shared a screen yet');
    await waitForBlank(operator);

    await pressButtonSaying(client, 'Share my screen from this browser');
    await waitForScreen(operator);
    const address = await client.evaluate<string>('location.href');
    await client.goto('about:blank');
    await waitForStatus(operator, 'The connection to the client was lost.');
    await waitForBlank(operator);
    await waitForStatus(operator, 'The client has left.');
    await client.goto(address);
    await waitForStatus(operator, 'The client is asked whether you may connect.');
    await pressButtonSaying(client, 'Allow');
    await waitForStatus(operator, 'has not shared a screen yet');
  },
);

test(
  'the client reads that the connection to the helper was lost, and that the helper is back',
  { skip },
  async () => {
    await using fixture = await startJoinFixture(browser);
    const { client, operator } = await connected(fixture);

    await operator.devtools.send('Network.setBlockedURLs', { urls: ['*/session/resume'] });
    await operator.evaluate('cutSockets()');
    await waitForText(client, `The connection to ${fixture.owner.email} was lost.`);
    await operator.devtools.send('Network.setBlockedURLs', { urls: [] });

    await waitForText(client, `${fixture.owner.email} sees your screen`);
  },
);

test(
  'the chat survives a reload on both sides, and nothing of it stays when the session is over',
  { skip },
  async () => {
    await using fixture = await startJoinFixture(browser);
    const { client, operator } = await connected(fixture);
    for (const page of [client, operator]) allowLeaving(page);
    await operator.click('[data-panel=chat]');
    await write(operator, 'Hello, what can I do?');
    await waitForText(client, 'Hello, what can I do?');
    await write(client, 'My printer is silent.');
    await waitForText(operator, 'My printer is silent.');
    const both = ['Hello, what can I do?', 'My printer is silent.'];

    await reload(client);
    await pressButtonSaying(client, 'Allow');
    await waitForText(client, 'My printer is silent.');
    assert.deepEqual(await linesOf(client), both);

    await reload(operator);
    await pressButtonSaying(operator, 'Connect again');
    await operator.click('[data-panel=chat]');
    await waitForText(operator, 'My printer is silent.');
    assert.deepEqual(await linesOf(operator), both);

    await pressButtonSaying(client, 'End');
    await waitForText(client, 'Thank you!');
    await waitForText(operator, 'The session has ended');
    for (const page of [client, operator])
      assert.equal(
        await page.evaluate(`Object.keys(sessionStorage).filter((name) => name.includes('chat')).length`),
        0,
      );
  },
);

test('a client whose server offers no program stays connected', { skip }, async () => {
  await using fixture = await startJoinFixture(browser);
  const { client, operator } = await connected(fixture);
  await pressButtonSaying(client, 'Stop sharing');

  await withholdProgram(client);
  await pressButtonSaying(client, 'Show me how');
  await waitForText(client, 'This server does not offer the program yet.');
  await pressButtonSaying(client, 'Back');

  await waitForText(client, `${fixture.owner.email} is connected`);
  await waitForStatus(operator, 'has not shared a screen yet');
});

const skipProgram = skip || skipWithout('Xvfb') || skipWithout('programs of a desktop');
test(
  'the session goes on when the client switches from the browser to the program',
  { skip: skipProgram },
  async () => {
    await using _display = await startDisplay(1_000, 700);
    await using fixture = await startJoinFixture(browser);
    const { client, operator } = await connected(fixture);
    await operator.click('[data-panel=chat]');
    await write(operator, 'Please start the program.');
    await waitForText(client, 'Please start the program.');

    await pressButtonSaying(client, 'Stop sharing');
    await offerProgram(client);
    await pressButtonSaying(client, 'Show me how');
    await waitForText(client, 'Your helper waits until you have started the program.');
    await waitForStatus(operator, 'The client is switching to the program.');
    const home = mkdtempSync(join(tmpdir(), 'drawbridge-switch-'));
    const { testClient, server } = fixture.service;
    const fingerprint = createHash('sha256').update(new X509Certificate(testClient.ca).raw).digest('hex');
    const args = ['join', fixture.code, '--server', server.config.publicUrl, '--fingerprint', fingerprint];
    await using program = startProgram('agent/src/main.ts', ['agent', ...args], {
      HOME: home,
      TMPDIR: home,
      DRAWBRIDGE_AGENT_HARMLESS: '1',
      DISPLAY: process.env['DISPLAY']!,
    });
    await waitForStatus(operator, 'The client is asked whether you may connect.');
    await answerOnDisplay('Allow', () => program.output().includes('is connected'));

    await operator.until(`document.querySelector('.trouble')?.hidden`);
    await operator.until(`document.querySelector('canvas.screen').width === 1000`);
    await operator.until(`document.querySelector('[data-panel=files]:not([disabled])')`);
    assert.deepEqual(await linesOf(operator), ['Please start the program.']);
    assert.equal((await fixture.owner.call('history/list')).body['data'].length, 1, 'it is the same session');
    await program.end('SIGINT');
    rmSync(home, { recursive: true, force: true });
  },
);
