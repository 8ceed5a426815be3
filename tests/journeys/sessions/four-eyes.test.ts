/** An operator in a real browser on a device with four eyes, who loads the page again after the second person has approved. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Desktop } from '@drawbridge/agent/platform/desktop';
import { buildWeb } from '../../../scripts/build-web.ts';
import { startAgent } from '../../kit/agent/agent.ts';
import { createFakePlatform } from '../../kit/agent/fake-platform.ts';
import { openBrowser } from '../../kit/browser/browser.ts';
import { endSession, openOperatorPage } from '../../kit/display/desktop-fixture.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { createEnrolToken, waitUntilOnline } from '../../kit/server/enrolment.ts';
import { startService } from '../../kit/server/service.ts';
import { addApprover, runAsApprover } from '../../kit/session/second-person.ts';

const desktop = {
  banner: async () => ({ onStop() {}, setText() {}, close() {} }),
  onClose() {},
  close() {},
} as unknown as Desktop;

const title = `document.querySelector('.gate h1')?.textContent`;
const isLive = `document.querySelector('[aria-label="End the session"]') !== null`;

/** A device with four eyes, its operator and the person who approves. */
async function openFixture() {
  await using opened = new AsyncDisposableStack();
  await buildWeb();
  const browser = opened.use(await openBrowser());
  const service = opened.use(await startService({ realTime: true }));
  const account = await service.account();
  const { owner } = account;
  const agent = opened.use(
    startAgent({
      server: service.testClient.baseUrl,
      token: await createEnrolToken(owner),
      machine: createFakePlatform('till', { desktop: async () => desktop }),
    }),
  );
  await agent.until(/connected as device/);
  await waitUntilOnline(owner, agent.state.id);
  const person = await account.member();
  await account.grant(person, { type: 'agent', agentId: agent.state.id, permissions: ['agent_connect'] });
  await addApprover(agent, { service, person });
  const link = async (): Promise<string> =>
    (await owner.call('agents/connect', { agent_id: agent.state.id })).body['data'].url;
  const approve = (answer: string) => runAsApprover({ service, person, answer }, ['approve']);
  const all = opened.move();
  return { browser, link, approve, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

test(
  'an approved session continues in the page that was loaded again, and a new one is asked for',
  { skip: skipWithout('Chromium') },
  async () => {
    await using fixture = await openFixture();
    const page = await openOperatorPage(fixture.browser);
    await page.goto(await fixture.link());
    await page.click('.button.primary');
    await page.until(`${title} === 'Waiting for a second person'`);
    const asked = await page.evaluate<string>(`document.querySelector('.gate').innerText`);
    const { exit, err } = await fixture.approve(/code ([\d ]+\d) and/.exec(asked)![1]!);
    assert.equal(exit, 0, err);
    await page.until(isLive);
    const approval = await page.evaluate<string>(
      `Object.values(sessionStorage).map((text) => /"approval":"([^"]+)"/.exec(text)?.[1]).find(Boolean)`,
    );
    const sent: string[] = [];
    page.tab.on('request', (request) => void sent.push(`${request.url()} ${request.postData() ?? ''}`));

    page.tab.once('dialog', (dialog) => void dialog.accept());
    await page.tab.reload();
    await page.click('.button.primary');
    await page.until(`${isLive} || ${title} === 'Waiting for a second person'`);
    assert.equal(await page.evaluate<boolean>(isLive), true);
    await endSession(page);
    const other = await openOperatorPage(fixture.browser);
    await other.goto(await fixture.link());
    await other.click('.button.primary');

    assert.ok(sent.some((each) => each.includes('/resume')));
    assert.ok(
      !sent.join('\n').includes(approval),
      'the server is not told what proves the approved operator',
    );
    await other.until(`${title} === 'Waiting for a second person'`);
  },
);
