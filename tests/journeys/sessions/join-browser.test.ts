/**
 * Quick support in two browsers: the client shares a screen from a page, the operator sees it, and both chat
 * and talk.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import type { BrowserPage } from '../../kit/browser/browser-page.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { eventually } from '../../kit/eventually.ts';
import {
  samplePixels,
  fakeScreenFlags,
  offerProgram,
  pressButtonSaying,
  waitForText,
  startJoinFixture,
  type JoinFixture,
} from './join-fixture.ts';

const skip = skipWithout('Chromium');
let browser: Browser;
before(async () => {
  if (!skip) browser = await openBrowser({ wholeBrowser: true, flags: fakeScreenFlags });
});
after(() => browser?.close());

const browserTest = (name: string, run: () => Promise<void>): void => void test(name, { skip }, run);

const share = async (client: BrowserPage): Promise<void> => {
  await pressButtonSaying(client, 'Continue');
  await pressButtonSaying(client, 'Share my screen from this browser');
  await waitForText(client, 'You are sharing your screen');
};

/** Waits until the operator sees a picture, and then another one. */
async function moves(operator: BrowserPage): Promise<void> {
  await operator.until(`document.querySelector('canvas')?.width > 100`);
  const [, ...colours] = (await eventually(() => samplePixels(operator), isLit)).split(/[:,]/);
  await eventually(
    () => samplePixels(operator),
    (now) => now.split(/[:,]/).slice(1).join() !== colours.join(),
  );
}
/** The button in the panel, not the one of the same name that opens and closes the panel. */
const pressCall = (operator: BrowserPage): Promise<void> => operator.click('.panel-voice .button.primary');

const isLit = (picture: string): boolean => /[1-9]/.test(picture.split(':')[1] ?? '');

/** Both are connected, and the operator sees the screen. */
async function connected(fixture: JoinFixture): Promise<{ client: BrowserPage; operator: BrowserPage }> {
  const client = await fixture.client();
  await share(client);
  const operator = await fixture.operator();
  await pressButtonSaying(client, 'Allow');
  await moves(operator);
  return { client, operator };
}

browserTest(
  'the invitation has status 0, 1, 2, 1, 2, 3 while the client shares and the operator joins, leaves and closes',
  async () => {
    await using fixture = await startJoinFixture(browser);
    assert.equal((await fixture.info())['status'], 0);
    const client = await fixture.client();
    await client.until(`document.querySelector('.code')`);
    assert.equal((await fixture.info())['status'], 0, 'looking at the page uses nothing up');

    await share(client);
    const joined = await fixture.status(1);
    const operator = await fixture.operator();
    await waitForText(client, `Allow ${fixture.owner.email} to connect?`);
    await pressButtonSaying(client, 'Allow');
    await moves(operator);
    const active = await fixture.status(2);
    await waitForText(client, `${fixture.owner.email} sees your screen`);
    await pressButtonSaying(operator, 'End');
    await fixture.status(1);
    await waitForText(client, 'Waiting for your helper');
    await fixture.operator();
    await pressButtonSaying(client, 'Allow');
    await fixture.status(2);
    await fixture.owner.call('support/close', { connection_id: active['id'] });
    await fixture.status(3);
    await waitForText(client, 'Thank you!');

    assert.deepEqual([joined['client_os'], active['client_os']], ['linux', 'linux']);
    const preview = await fixture.service.testClient.send({
      path: new URL(String(active['client_preview_url'])).pathname,
    });
    assert.equal(preview.headers['content-type'], 'image/svg+xml', 'the picture is gone with the client');
    assert.deepEqual(client.violations, []);
  },
);

browserTest('a thumbnail of the shared screen is in the list, and no wider than 320 pixels', async () => {
  await using fixture = await startJoinFixture(browser);
  await share(await fixture.client());

  const { client_preview_url: url } = await fixture.status(1);
  const { pathname } = new URL(String(url));
  const answer = await eventually(
    () => fixture.service.testClient.send({ path: pathname }),
    ({ headers }) => headers['content-type'] === 'image/jpeg',
  );

  const page = await browser.page();
  await page.goto(String(url));
  const [width, height] = await page.evaluate<[number, number]>(
    `(() => { const { naturalWidth, naturalHeight } = document.querySelector('img'); return [naturalWidth, naturalHeight]; })()`,
  );
  await page.close();
  assert.deepEqual([answer.http, width, height], [200, 320, 180]);
});

browserTest('an operator who is declined sees nothing, and is told so', async () => {
  await using fixture = await startJoinFixture(browser);
  const client = await fixture.client();
  await share(client);
  const operator = await fixture.operator();

  await pressButtonSaying(client, 'Decline');
  await waitForText(operator, 'The person at the device did not allow it.');

  assert.equal(await operator.evaluate(`document.querySelectorAll('canvas').length`), 0);
  await waitForText(client, 'Waiting for your helper');
});

browserTest(
  'an operator who joins before the screen is shared waits, chats, and sees it as soon as it is',
  async () => {
    await using fixture = await startJoinFixture(browser);
    const operator = await fixture.operator();
    await waitForText(operator, 'Waiting for');
    const client = await fixture.client();
    await pressButtonSaying(client, 'Continue');
    await pressButtonSaying(client, 'Allow');

    await waitForText(operator, 'The person has not shared a screen yet.');
    await operator.click('[data-panel=chat]');
    await operator.type('.chat-writing textarea', 'Please press the blue button.');
    await pressButtonSaying(operator, 'Send');
    await waitForText(client, 'Please press the blue button.');
    await client.type('.chat-writing textarea', '<i>I did</i>');
    await pressButtonSaying(client, 'Send');
    await waitForText(operator, '<i>I did</i>');
    await pressButtonSaying(client, 'Share my screen from this browser');

    await moves(operator);
    await pressButtonSaying(client, 'Stop sharing');
    await operator.until(
      `document.querySelector('.trouble:not([hidden])')?.textContent.includes('not shared')`,
    );
  },
);

browserTest(
  'both sides show the same safety code, and the client is asked about a second operator too',
  async () => {
    await using fixture = await startJoinFixture(browser);
    const { client, operator } = await connected(fixture);
    const member = await fixture.account.member([
      { type: 'quick_support', permissions: ['quick_support_technical', 'agent_connect', 'agent_chat'] },
    ]);
    const second = await fixture.operator(member);
    await waitForText(client, `Allow ${member.email} to connect?`);
    await pressButtonSaying(client, 'Allow');
    await moves(second);

    const shown = await client.evaluate<string[]>(
      `[...document.querySelectorAll('.safety span')].map((each) => each.textContent)`,
    );
    await operator.click('[aria-label="Safety code"]');
    await waitForText(operator, shown[0]!);
    await second.click('[aria-label="Safety code"]');
    await waitForText(second, shown[1]!);
    await waitForText(client, `${fixture.owner.email} and ${member.email} see your screen`);
    await pressButtonSaying(client, 'Disconnect');
    await waitForText(second, 'The person ended the session.');

    assert.notEqual(shown[0], shown[1]);
    await moves(operator);
  },
);

browserTest(
  'a call is answered on the page only when the person accepts, and either side hangs up',
  async () => {
    await using fixture = await startJoinFixture(browser);
    const { client, operator } = await connected(fixture);
    await operator.click('[data-panel=voice]');

    await pressCall(operator);
    await waitForText(client, 'Do you want to talk?');
    await pressButtonSaying(client, 'Accept');
    await waitForText(client, 'You are talking with');
    await pressButtonSaying(client, 'Hang up');
    await client.until(`document.querySelector('.call').hidden`);
    await pressCall(operator);
    await pressButtonSaying(client, 'Decline');

    await waitForText(operator, 'The call was not answered.');
  },
);

/** The page gets no microphone until `failMicrophones` fails all requests so far; later ones succeed. */
const holdMicrophones = `
  const { mediaDevices } = navigator;
  const real = mediaDevices.getUserMedia.bind(mediaDevices);
  const held = [];
  mediaDevices.getUserMedia = () => new Promise((_, reject) => held.push(reject));
  globalThis.heldMicrophones = () => held.length;
  globalThis.failMicrophones = () => {
    mediaDevices.getUserMedia = real;
    held.forEach((reject) => reject(new Error('no microphone')));
  };
`;

browserTest('a call that ended before the microphone was open does not end the next call', async () => {
  await using fixture = await startJoinFixture(browser);
  const { client, operator } = await connected(fixture);
  await operator.evaluate(`(() => {${holdMicrophones}})()`);
  await operator.click('[data-panel=voice]');
  await pressCall(operator);
  await pressButtonSaying(client, 'Accept');
  await operator.until('heldMicrophones() === 1');
  await pressButtonSaying(client, 'Hang up');
  await pressCall(operator);

  await operator.evaluate('failMicrophones()');

  await pressButtonSaying(client, 'Accept');
  await waitForText(client, 'You are talking with');
  await pressButtonSaying(operator, 'Mute my microphone');
});

browserTest(
  'a client whose connection is cut reconnects with the same key, and the operator continues without a question',
  async () => {
    await using fixture = await startJoinFixture(browser);
    const { client, operator } = await connected(fixture);

    await client.evaluate('cutSockets()');
    await operator.until(`document.querySelector('.trouble:not([hidden])')?.textContent.includes('lost')`);
    await operator.until(`document.querySelector('.trouble').hidden`);
    await moves(operator);

    assert.equal(await client.evaluate(`document.querySelectorAll('dialog').length`), 0);
    assert.equal((await fixture.status(2))['client_os'], 'linux');
  },
);

browserTest(
  'a reloaded page is admitted again at once; another browser is not, until the first has ended',
  async () => {
    await using fixture = await startJoinFixture(browser);
    const client = await fixture.client();
    await pressButtonSaying(client, 'Continue');
    await waitForText(client, 'You are invited by');

    await client.tab.reload();
    await client.until(
      `document.querySelector('.client-page') && document.body.textContent.includes('You are invited by')`,
    );
    const outsider = await fixture.client();
    await pressButtonSaying(outsider, 'Continue');
    await waitForText(outsider, 'This code is in use');
    await pressButtonSaying(client, 'End');
    await waitForText(client, 'Thank you!');
    await pressButtonSaying(outsider, 'Try again');

    await waitForText(outsider, 'You are invited by');
    assert.equal(await keptKeys(client), 0, 'no key stays in the browser');
  },
);

const keptKeys = (page: BrowserPage): Promise<number> =>
  page.evaluate(`new Promise((resolve) => {
    const opening = indexedDB.open('drawbridge-join');
    opening.onsuccess = () => {
      const counting = opening.result.transaction('keys').objectStore('keys').count();
      counting.onsuccess = () => resolve(counting.result);
    };
  })`);

browserTest(
  'another window of the same browser replaces the first, which says so and stays out',
  async () => {
    await using fixture = await startJoinFixture(browser);
    const client = await fixture.client();
    await pressButtonSaying(client, 'Continue');
    await waitForText(client, 'You are invited by');

    await client.byHand('globalThis.other = open(location.href)');
    await waitForText(client, 'You continued in another window');

    await client.until(`other.document.body.textContent.includes('You are invited by')`);
    assert.equal((await fixture.info())['status'], 1);
    await client.evaluate('other.close()');
  },
);

browserTest('codes are typed or pasted, wrong ones are reported, and another can be tried', async () => {
  await using fixture = await startJoinFixture(browser);
  const page = await fixture.client();
  await pressButtonSaying(page, 'I have another code');
  await page.type('#code', '000-000-000');
  assert.equal(await page.evaluate(`document.querySelector('#code').value`), '000 000 000');
  await pressButtonSaying(page, 'Continue');
  await waitForText(page, 'This code does not work');

  await pressButtonSaying(page, 'I have another code');
  await page.type('#code', `https://help.example/i/${fixture.code}`);
  await pressButtonSaying(page, 'Continue');
  await page.until(`location.pathname === '/i/${fixture.code}'`);
  await pressButtonSaying(page, 'Continue');

  await waitForText(page, 'You are invited by');
});

browserTest(
  'a browser that cannot encode video sends changes as pictures, and the operator sees them',
  async () => {
    await using fixture = await startJoinFixture(browser);
    const client = await fixture.client();
    await client.tab.evaluateOnNewDocument('delete globalThis.VideoEncoder');
    await client.tab.reload();
    await client.until(`typeof VideoEncoder === 'undefined' && document.querySelector('.code')`);
    await share(client);
    const operator = await fixture.operator();
    await pressButtonSaying(client, 'Allow');

    await moves(operator);
  },
);

const telephone =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36';

browserTest('a phone gets the instructions and can chat, and everything fits its width', async () => {
  await using fixture = await startJoinFixture(browser);
  const client = await fixture.client({ phone: true, width: 360, height: 740 });
  await client.tab.setUserAgent({ userAgent: telephone });
  await client.tab.reload();
  await client.until(`navigator.userAgent.includes('Android') && document.querySelector('.code')`);
  await pressButtonSaying(client, 'Continue');
  await waitForText(client, 'To show a screen, use a computer');

  const operator = await fixture.operator();
  await pressButtonSaying(client, 'Allow');
  await waitForText(operator, 'cannot share a screen');
  await client.type('.chat-writing textarea', 'I am on my telephone.');
  await pressButtonSaying(client, 'Send');
  await operator.until(`document.querySelector('[data-panel=chat].news')`);

  assert.equal((await fixture.info())['client_os'], 'android');
  assert.equal(
    await client.evaluate(`document.documentElement.scrollWidth <= innerWidth && innerWidth === 360`),
    true,
  );
  assert.equal(await client.evaluate(`document.body.textContent.includes('Share my screen')`), false);
});

browserTest(
  'a client who prefers the program is shown the command, and the code is free for it',
  async () => {
    await using fixture = await startJoinFixture(browser);
    const client = await fixture.client();
    await pressButtonSaying(client, 'Continue');
    await fixture.status(1);

    await offerProgram(client);
    await pressButtonSaying(client, 'Show me how');
    await waitForText(client, 'Let somebody work on this computer');
    await fixture.status(0);
    await client.until(`document.querySelector('.line')?.textContent === 'run ${fixture.code}'`);
    await pressButtonSaying(client, 'Back');

    await fixture.status(1);
  },
);
