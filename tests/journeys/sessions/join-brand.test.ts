/**
 * The brand of an account on the client's page, in a real browser: the client sees it, it is readable, and
 * the page's policy reports nothing.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import { pngOf } from '../../kit/display/logo.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { pressButtonSaying, startJoinFixture, waitForText } from './join-fixture.ts';

const skip = skipWithout('Chromium');
let browser: Browser;
before(async () => {
  if (!skip) browser = await openBrowser({ wholeBrowser: true });
});
after(() => browser?.close());

/** Another code than this one. */
const wrongCode = (code: string): string => code.replace(/.$/, (last) => String((Number(last) + 1) % 10));

test(
  'a client sees the name, logo and colour of the account before and after joining, and a visitor without the code does not',
  { skip },
  async () => {
    await using fixture = await startJoinFixture(browser);
    await fixture.owner.call('branding/update', { name: 'Acme <b>Help</b>', accent: '#ffe000' });
    await fixture.owner.call('branding/logo', {}, pngOf(64, 32));
    const visitor = await browser.page();
    await visitor.goto(`${fixture.service.server.config.publicUrl}/i/${wrongCode(fixture.code)}`);
    await waitForText(visitor, 'This code does not work');
    assert.equal(await visitor.evaluate(`document.body.textContent.includes('Acme')`), false);
    const client = await fixture.client();
    const isBranded = `document.querySelector('.brand')?.textContent === 'Acme <b>Help</b>' &&
      document.querySelector('.brand img')?.naturalWidth === 64`;
    await client.until(isBranded);
    await waitForText(client, `You are invited by ${fixture.owner.email}`);
    await waitForText(client, 'The session is not recorded.');

    await pressButtonSaying(client, 'Continue');
    await waitForText(client, 'Waiting for your helper');
    await client.until(isBranded);
    assert.equal(await client.evaluate(`document.title`), 'Get help · Acme <b>Help</b>');
    // Yellow cannot be read on a light background: a darker shade is used.
    const shades = await client.evaluate(`document.documentElement.style.cssText`);
    assert.match(String(shades), /--accent: light-dark\(#[0-9a-f]{6}, #ffe000\)/);
    const colour = `getComputedStyle(document.querySelector('.button.primary')).backgroundColor`;
    assert.notEqual(await client.evaluate(colour), 'rgb(31, 111, 235)');
    assert.deepEqual([client.errors, client.violations], [[], []]);
  },
);
