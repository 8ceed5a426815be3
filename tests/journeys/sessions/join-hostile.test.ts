/**
 * The client's page with a hostile operator: what they send is only ever text, and clients cannot be tricked
 * into consent.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { OpenReply } from '@drawbridge/contract/session/open';
import { createKeyPair } from '@drawbridge/session/node/crypto';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import { hostileTexts, misleading } from '../../kit/hostile/hostile.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { postToSession, linkCode } from '../../kit/session/session-ends.ts';
import { connectOperator, type Operator } from '../../kit/session/operator.ts';
import { pressButtonSaying, waitForText, startJoinFixture, type JoinFixture } from './join-fixture.ts';

const skip = skipWithout('Chromium');
let browser: Browser;
before(async () => {
  if (!skip) browser = await openBrowser({ wholeBrowser: true });
});
after(() => browser?.close());

async function comeIn({ owner, service, info }: JoinFixture): Promise<Operator> {
  const { body } = await owner.call('support/connect', { connection_id: (await info())['id'] as number });
  const sessionKey = createKeyPair();
  const answer = await postToSession(service, 'open', {
    code: linkCode(body['data'].url),
    key: sessionKey.publicKey,
  });
  const { relay, ticket, pair, server_key: serverKey, device } = JSON.parse(answer.text) as OpenReply;
  return connectOperator({ relay, ticket, pair, serverKey, deviceKey: device.key!, sessionKey });
}

const markup =
  '<img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>javascript:pwned=1';
const texts = [markup, ...Object.values(hostileTexts)];

test(
  'an operator can neither run code in the page of a client nor trick them into consent',
  { skip },
  async () => {
    await using fixture = await startJoinFixture(browser);
    const client = await fixture.client();
    await pressButtonSaying(client, 'Continue');
    await fixture.status(1);
    await using operator = await comeIn(fixture);
    await client.until(`document.querySelector('dialog[open]')`);
    // A click that was aimed at an earlier control consents to nothing.
    const early = await client.evaluate(`document.querySelector('dialog[open] .button.primary').disabled`);
    await pressButtonSaying(client, 'Allow');
    await operator.until('state', ({ phase }) => phase === 'live');

    for (const text of texts) operator.sendMessage('chat', { name: 'Bank', text: text.slice(0, 4_096) });
    await client.until(`document.querySelectorAll('.chat-line').length === ${texts.length}`);
    for (let times = 0; times < 50; times += 1)
      operator.sendMessage('install', { message: texts[times % texts.length]!.slice(0, 512) });
    operator.sendMessage('chat', { name: 'Bank', text: 'the last' });
    await waitForText(client, 'the last');
    const asked = await client.evaluate(`document.querySelectorAll('dialog[open]').length`);
    const shown = await client.evaluate<string>('document.body.innerText');
    const names = await client.evaluate<string[]>(
      `[...new Set([...document.querySelectorAll('.chat-name')].map(({ textContent }) => textContent))]`,
    );
    await client.evaluate(`document.querySelector('dialog[open]').close()`);
    await operator.until('chat');
    const left = await client.evaluate(`document.querySelectorAll('dialog[open]').length`);

    assert.deepEqual([early, asked, left], [true, 1, 0]);
    assert.deepEqual(names, [fixture.owner.email], 'under the name that the server has signed');
    assert.doesNotMatch(shown.replace(/[\n\t]/g, ''), misleading);
    assert.equal(
      await client.evaluate(`document.querySelectorAll('img[src=x], script[src=x], iframe').length`),
      0,
    );
    assert.deepEqual([await client.evaluate('globalThis.pwned'), client.violations], [undefined, []]);
  },
);
