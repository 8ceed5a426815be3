/** Public pages in frames of other sites, in a real browser: who may frame them, what they show there, and which clicks count. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { buildWeb } from '../../../scripts/build-web.ts';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import type { BrowserFrame, BrowserPage } from '../../kit/browser/browser-page.ts';
import {
  becomes,
  clickInside,
  cover,
  reads,
  showFrame,
  uncover,
  untilDisabled,
  untilEnabled,
} from '../../kit/browser/framed-page.ts';
import { signInAs } from '../../kit/browser/panel-browser.ts';
import { setPassword } from '../../kit/server/panel.ts';
import { startForeignSite, untilNotFramed, type ForeignSite } from '../../kit/hostile/foreign-site.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { eventually } from '../../kit/eventually.ts';
import type { TestAccount } from '../../kit/server/account.ts';

const skip = skipWithout('Chromium');
const password = 'correct horse 7';

interface Links {
  console: string;
  operator: string;
  /** Asks for the link when it is needed, because it is short-lived. */
  onetime(): Promise<string>;
  permanent: string;
  invitation: string;
}

async function createLinks(service: TestService, account: TestAccount): Promise<Links> {
  const { owner } = account;
  const { id } = await account.agent({ name: 'Front desk' });
  const path = `desk-${id}`;
  await owner.call('agents/update', { id, permanent_url: { enable: true, url: path, password } });
  const { data: invited } = (await owner.call('support/create', { client_name: 'Ann' })).body;
  return {
    console: (await owner.call('agents/connect', { agent_id: id })).body['data'].url,
    operator: invited.connect_url,
    onetime: async () => (await owner.call('agents/info', { agent_id: id })).body['data'].onetime_url,
    permanent: `${service.server.config.publicUrl}/p/${path}`,
    invitation: invited.invite_url,
  };
}

describe('public pages in a frame', { skip, concurrency: true }, () => {
  let closedService: TestService;
  let service: TestService;
  let browser: Browser;
  let site: ForeignSite;
  before(async () => {
    await buildWeb();
    site = await startForeignSite();
    const allowed = `https://127.0.0.1:${site.port}`;
    [closedService, service, browser] = await Promise.all([
      startService({ realTime: true }),
      startService({
        realTime: true,
        env: { DRAWBRIDGE_FRAME_ORIGINS: `${allowed}, https://tickets.example.com` },
      }),
      // The headless shell does not report what covers an element.
      openBrowser({ wholeBrowser: true }),
    ]);
  });
  after(async () => {
    await browser.close();
    for (const each of [site, service, closedService]) await each[Symbol.asyncDispose]();
  });

  async function newAccount(): Promise<{ account: TestAccount; links: Links }> {
    const account = await service.account();
    await account.owner.call('branding/update', { name: 'Acme Help' });
    return { account, links: await createLinks(service, account) };
  }

  /** A page of the foreign site under the allowed name. */
  async function openSite(name = '127.0.0.1', beside?: BrowserPage): Promise<BrowserPage> {
    const page = await browser.page(beside);
    await page.emulate({ width: 800, height: 640 });
    await page.goto(`https://${name}:${site.port}/`);
    return page;
  }

  async function openFrame(
    link: string | Links['onetime'],
  ): Promise<{ page: BrowserPage; frame: BrowserFrame }> {
    const page = await openSite();
    await showFrame(page, typeof link === 'string' ? link : await link());
    return { page, frame: await browser.framed(page) };
  }

  test('no site may frame them by default', async () => {
    const links = await createLinks(closedService, await closedService.account());

    for (const link of Object.values(links) as Links[keyof Links][]) {
      const page = await openSite();
      await untilNotFramed(page, typeof link === 'string' ? link : await link());
      await page.close();
    }
  });

  test('another site than those that the owner named may not, and the panel stays closed to all', async () => {
    const { links } = await newAccount();
    const page = await openSite('localhost');
    const allowed = await openSite();

    await showFrame(page, links.console);
    await eventually(
      () => page.errors,
      (errors) =>
        errors.some((error) =>
          /violates .*"frame-ancestors https:\/\/127\.0\.0\.1:\d+ https:\/\/tickets\.example\.com"/.test(
            error,
          ),
        ),
    );

    await untilNotFramed(allowed, `${service.server.config.publicUrl}/sign-in`);
  });

  test('the console names the device and the brand, and connects after a click', async () => {
    const { account, links } = await newAccount();
    const { page, frame } = await openFrame(links.console);
    await reads(frame, 'Connect to Front desk');
    await reads(frame, 'Acme Help');
    await reads(frame, `with the rights of ${account.owner.email}`);
    await untilEnabled(frame, 'Connect');

    await clickInside(page, frame, 'Connect');

    await reads(frame, 'The session did not begin');
    assert.deepEqual(frame.violations, []);
  });

  test('a page that is covered, faded or cut off takes no click', async () => {
    const { links } = await newAccount();
    const { page, frame } = await openFrame(links.console);
    await untilEnabled(frame, 'Connect');
    const tricks: [string, string][] = [
      [cover, uncover],
      [
        `document.querySelector('iframe').style.opacity = '0.01'`,
        `document.querySelector('iframe').style.opacity = ''`,
      ],
      [
        `document.querySelector('iframe').style.clipPath = 'inset(300px 0 0 0)'`,
        `document.querySelector('iframe').style.clipPath = ''`,
      ],
    ];

    for (const [trick, undo] of tricks) {
      await page.evaluate(`void (${trick})`);
      await untilDisabled(frame, 'Connect');
      await clickInside(page, frame, 'Connect');
      await reads(frame, 'completely visible');
      await page.evaluate(`void (${undo})`);
      await untilEnabled(frame, 'Connect');
    }
    assert.ok(await frame.evaluate(`document.body.innerText.includes('Connect to Front desk')`));
  });

  test('one-time and operator links name their device or invitation, and one click opens the session', async () => {
    const { account, links } = await newAccount();
    for (const [link, name, begun] of [
      [links.onetime, /Connect to Front desk/, 'The session did not begin'],
      [links.operator, /Connect to Quick support \d+/, 'The client has not joined yet'],
    ] as const) {
      const { page, frame } = await openFrame(link);
      await reads(frame, 'Acme Help');
      await reads(frame, `with the rights of ${account.owner.email}`);
      assert.match(await frame.evaluate<string>('document.body.innerText'), name);
      await untilEnabled(frame, 'Connect');

      await clickInside(page, frame, 'Connect');

      await becomes(frame, `location.pathname.startsWith('/c/')`);
      await reads(frame, begun);
      assert.deepEqual(frame.violations, []);
      await page.close();
    }
  });

  test('the permanent link asks for its password, and the page after it names the device', async () => {
    const { links } = await newAccount();
    const { page, frame } = await openFrame(links.permanent);
    await untilEnabled(frame, 'Continue');
    assert.doesNotMatch(await frame.evaluate<string>('document.body.innerText'), /Front desk|Acme/);

    await frame.evaluate(`void (document.querySelector('input').value = ${JSON.stringify(password)})`);
    await clickInside(page, frame, 'Continue');

    await reads(frame, 'Connect to Front desk');
  });

  test('the invitation names who invites, and the client joins after a click', async () => {
    const { account, links } = await newAccount();
    const { page, frame } = await openFrame(links.invitation);
    await reads(frame, account.owner.email);
    await reads(frame, 'Acme Help');
    await untilEnabled(frame, 'Continue');

    await clickInside(page, frame, 'Continue');

    await reads(frame, 'Waiting for your helper');
  });

  test('who connects again does so on a page that says whose session it is', async () => {
    const { account, links } = await newAccount();
    const [operator, client] = [await openFrame(links.console), await openFrame(links.invitation)];
    const press = async ({ page, frame }: typeof operator, label: string): Promise<void> => {
      await untilEnabled(frame, label);
      await clickInside(page, frame, label);
    };

    await untilEnabled(operator.frame, 'Connect');
    await operator.frame.evaluate(`void (globalThis.fetch = () => Promise.reject(new Error('no network')))`);
    for (const label of ['Connect', 'Connect again']) await press(operator, label);
    await reads(operator.frame, 'Connect to Front desk');
    for (const label of ['Continue', 'End', 'Connect again']) await press(client, label);

    await reads(client.frame, account.owner.email);
    await untilEnabled(client.frame, 'Continue');
  });

  test('a sign-in to the panel does not count in a frame: the link works as for anyone else', async () => {
    const { account, links } = await newAccount();
    await setPassword(service, account, account.owner, password);
    const own = await browser.page();
    await signInAs(own, service, account, account.owner);
    const page = await openSite('127.0.0.1', own);
    await showFrame(page, links.operator);
    const frame = await browser.framed(page);
    await untilEnabled(frame, 'Connect');
    await clickInside(page, frame, 'Connect');
    await becomes(frame, `location.pathname.startsWith('/c/')`);

    const again = await openSite('127.0.0.1', own);
    await showFrame(again, links.operator);
    await reads(await browser.framed(again), 'This link does not work');
    await own.goto(links.operator);

    await reads(own, 'Connect to Ann');
  });
});
