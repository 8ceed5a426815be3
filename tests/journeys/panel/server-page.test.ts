/** The page for server administrators in the browser: what it warns of. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unreachableAuthority } from '../../kit/acme/unreachable-authority.ts';
import { accessibilityProblems } from '../../kit/browser/accessibility.ts';
import { openBrowser } from '../../kit/browser/browser.ts';
import { openPanelPage, signInAs } from '../../kit/browser/panel-browser.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { must } from '../../kit/server/account.ts';
import { setPassword } from '../../kit/server/panel.ts';
import { startService } from '../../kit/server/service.ts';

test(
  'a certificate that could not be renewed is a warning above the accounts',
  { skip: skipWithout('Chromium') },
  async (context) => {
    await using service = await startService({ realTime: true, env: unreachableAuthority });
    const browser = await openBrowser();
    context.after(() => browser.close());
    const account = await service.account();
    const { store, config, certificate } = service.server;
    await must(store, 'operators/add', { member: { accountId: account.id, id: account.owner.id } });
    await setPassword(service, account, account.owner, 'correct horse 7');
    const page = await openPanelPage(browser, config.publicUrl);
    await signInAs(page, service, account, account.owner);
    await page.visit('/panel/server');
    await page.until(`document.querySelector('main [role=note]')`);
    const text = await page.evaluate<string>(`document.querySelector('main [role=note]').innerText`);

    assert.match(text, /^The certificate of this server could not be renewed\./);
    assert.match(text, /ECONNREFUSED/);
    assert.equal(
      await page.evaluate(`document.querySelector('main [role=note] time').dateTime`),
      certificate.notAfter.toISOString(),
    );
    assert.deepEqual(await accessibilityProblems(page), []);
  },
);
