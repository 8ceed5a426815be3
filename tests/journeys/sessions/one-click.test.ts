/**
 * How many clicks open a session, in a real browser: one in the panel, one on the page of a link, and none without the
 * person at the mouse, whatever another site does.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  missingPrograms,
  endSession,
  openDesktopFixture,
  openOperatorPage,
  type DesktopFixture,
} from '../../kit/display/desktop-fixture.ts';
import type { BrowserPage } from '../../kit/browser/browser-page.ts';
import { openPanelPage, signInAs, type PanelPage } from '../../kit/browser/panel-browser.ts';
import { setPassword } from '../../kit/server/panel.ts';
import { startForeignSite, type ForeignSite } from '../../kit/hostile/foreign-site.ts';
import { eventually } from '../../kit/eventually.ts';

const skip = missingPrograms();
const password = 'correct horse 7';
let fixture: DesktopFixture;
let site: ForeignSite;
before(async () => {
  if (skip) return;
  site = await startForeignSite();
  fixture = await openDesktopFixture({
    flags: ['--host-resolver-rules=MAP elsewhere.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost'],
  });
  const { service, account, owner, device } = fixture;
  await setPassword(service, account, owner, password);
  await owner.call('agents/update', { id: device, name: 'Front desk' });
  await owner.call('branding/update', { name: 'Acme Help' });
});
after(async () => {
  await fixture?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

const browserTest = (name: string, run: () => Promise<void>): void => void test(name, { skip }, run);

async function panelAt(path: string): Promise<PanelPage> {
  const page = await openPanelPage(fixture.browser, fixture.service.server.config.publicUrl);
  await signInAs(page, fixture.service, fixture.account, fixture.owner);
  await page.visit(path);
  return page;
}

const onetimeUrl = async (): Promise<string> =>
  (await fixture.owner.call('agents/info', { agent_id: fixture.device })).body['data'].onetime_url as string;

/** Polls, because the page may just be navigating. */
const shows = (page: BrowserPage, condition: string): Promise<unknown> =>
  eventually(() => page.evaluate<boolean>(`Boolean(${condition})`).catch(() => false), Boolean);

const reads = (page: BrowserPage, text: string): Promise<unknown> =>
  shows(page, `document.body.innerText.includes(${JSON.stringify(text)})`);

const seesScreen = (page: BrowserPage): Promise<unknown> =>
  shows(page, `document.querySelector('canvas.screen')?.width === 1024`);

const textOf = (page: BrowserPage): Promise<string> => page.evaluate<string>('document.body.innerText');

const runningSessions = async (): Promise<number> =>
  ((await fixture.owner.call('sessions/list')).body['data'] as unknown[]).length;

/** A page of another site in a browser of its own. */
async function elsewhere(): Promise<BrowserPage> {
  const page = await openOperatorPage(fixture.browser);
  await page.goto(`https://elsewhere.test:${site.port}/`);
  return page;
}

/** Leaves the current page by a script of it. */
const leaveBy = (page: BrowserPage, script: string): Promise<unknown> =>
  page.evaluate(`setTimeout(() => { ${script} }), undefined`);

browserTest('a click in the panel opens the session, and its tab asks nothing', async () => {
  const panel = await panelAt(`/panel/devices/${fixture.device}`);

  await panel.press('Connect');
  const session = await fixture.browser.opened(panel);
  await seesScreen(session);

  assert.deepEqual([session.errors, session.violations], [[], []]);
  await endSession(session);
  await panel.close();
});

browserTest('a link that another site opens names everything and asks once', async () => {
  const url = await fixture.link();
  const page = await elsewhere();

  await leaveBy(page, `location.href = ${JSON.stringify(url)}`);
  await reads(page, 'Connect to Front desk');
  const text = await textOf(page);
  const early = await runningSessions();
  await page.click('.button.primary');
  await seesScreen(page);

  assert.match(text, /Acme Help/);
  assert.match(text, new RegExp(`with the rights of ${fixture.owner.email}`));
  assert.match(text, /The session is not recorded\./);
  assert.equal(early, 0);
  await endSession(page);
});

browserTest('a link that is to be recorded says so', async () => {
  const asked = { agent_id: fixture.device, video: true };
  const { url } = (await fixture.owner.call('agents/connect', asked)).body['data'];
  const page = await openOperatorPage(fixture.browser);

  await page.goto(url as string);
  await reads(page, 'The session is recorded.');
  await page.close();
});

browserTest('the page of a one-time link names everything, and one press opens the session', async () => {
  const page = await openOperatorPage(fixture.browser);
  await page.goto(await onetimeUrl());
  const text = await textOf(page);

  await page.click('button');
  await seesScreen(page);

  assert.match(text, /Acme Help[^]*Connect to Front desk/);
  assert.match(text, /The session is not recorded\./);
  assert.deepEqual([page.errors, page.violations], [[], []]);
  await endSession(page);
});

browserTest('a form that another site sends to a link opens no session by itself', async () => {
  const url = (await fixture.owner.call('support/create')).body['data'].connect_url as string;
  const page = await elsewhere();

  await leaveBy(
    page,
    `const form = Object.assign(document.createElement('form'), { method: 'post', action: ${JSON.stringify(url)} });
    document.body.append(form); form.submit();`,
  );
  await shows(page, `location.pathname.startsWith('/c/')`);
  await reads(page, 'Connect to Quick support');

  assert.equal(await runningSessions(), 0);
  await page.close();
});

browserTest('consent to one link does not count for another', async () => {
  const page = await openOperatorPage(fixture.browser);
  const [first, second] = [await fixture.link(), await fixture.link()];
  await page.goto(first);
  await reads(page, 'Connect to Front desk');
  await page.evaluate(`sessionStorage.setItem('drawbridge.chosen-link', location.pathname)`);

  await page.goto(second);
  await reads(page, 'Connect to Front desk');
  assert.equal(await runningSessions(), 0);
  await page.goto(first);
  await reads(page, 'Connect to Front desk');

  assert.equal(await runningSessions(), 0);
  await page.close();
});

browserTest('a permanent link names nothing before its password, and everything after it', async () => {
  const permanent_url = { enable: true, url: 'front-desk', password };
  await fixture.owner.call('agents/update', { id: fixture.device, permanent_url });
  const base = fixture.service.server.config.publicUrl;
  const page = await openOperatorPage(fixture.browser);
  await page.goto(`${base}/p/no-such-path`);
  const guessed = await textOf(page);
  await page.goto(`${base}/p/front-desk`);
  const unproven = await textOf(page);

  await page.type('input', password);
  await page.click('button');
  await reads(page, 'Connect to Front desk');
  const text = await textOf(page);
  await page.click('.button.primary');
  await seesScreen(page);

  assert.equal(unproven, guessed);
  assert.match(text, /Acme Help/);
  assert.match(text, /The session is not recorded\./);
  await endSession(page);
});
