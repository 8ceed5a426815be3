/**
 * The brand of an account on the client's page, in a real browser: the client sees it, it is readable, and
 * the page's policy reports nothing.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import { pngOf } from '../../kit/display/logo.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { pressButtonSaying, startJoinFixture } from './join-fixture.ts';

const skip = skipWithout('Chromium');
let browser: Browser;
before(async () => {
  if (!skip) browser = await openBrowser();
});
after(() => browser?.close());

test(
  'a client who joins sees the name, logo and colour of the account, and a visitor who does not join does not',
  { skip },
  async () => {
    await using fixture = await startJoinFixture(browser);
    await fixture.owner.call('branding/update', { name: 'Acme <b>Help</b>', accent: '#ffe000' });
    await fixture.owner.call('branding/logo', {}, pngOf(64, 32));
    const client = await fixture.client();
    const words = `document.body.textContent`;
    await client.until(`document.querySelector('.code')`);
    assert.equal(await client.evaluate(`${words}.includes('Acme')`), false);

    await pressButtonSaying(client, 'Continue');
    await client.until(`document.querySelector('.brand')?.textContent === 'Acme <b>Help</b>'`);

    await client.until(`document.querySelector('.brand img')?.naturalWidth === 64`);
    assert.equal(await client.evaluate(`document.title`), 'Get help · Acme <b>Help</b>');
    // Yellow cannot be read on a light background: a darker shade is used.
    const shades = await client.evaluate(`document.documentElement.style.cssText`);
    assert.match(String(shades), /--accent: light-dark\(#[0-9a-f]{6}, #ffe000\)/);
    const colour = `getComputedStyle(document.querySelector('.button.primary')).backgroundColor`;
    assert.notEqual(await client.evaluate(colour), 'rgb(31, 111, 235)');
    assert.deepEqual([client.errors, client.violations], [[], []]);
  },
);
