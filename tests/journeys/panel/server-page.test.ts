/** The page for server administrators in the browser: what it warns of. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acmeFolderOf, writeIssued } from '@drawbridge/server/tls/acme/acme-files';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { unreachableAuthority } from '../../kit/acme/unreachable-authority.ts';
import { accessibilityProblems } from '../../kit/browser/accessibility.ts';
import { openBrowser } from '../../kit/browser/browser.ts';
import { openPanelPage, signInAs, type PanelPage } from '../../kit/browser/panel-browser.ts';
import { freePort } from '../../kit/free-port.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { must } from '../../kit/server/account.ts';
import { setPassword } from '../../kit/server/panel.ts';
import { startService } from '../../kit/server/service.ts';

const warning = `document.querySelector('main [role=status] .warning-box')`;

/** What the warning says, and the first time that it names. */
async function readWarning(page: PanelPage): Promise<{ text: string; time: string }> {
  await page.until(warning);
  return page.evaluate(
    `(({ innerText: text }, { dateTime: time }) => ({ text, time }))(${warning}, ${warning}.querySelector('time'))`,
  );
}

test(
  'a certificate that could not be obtained or renewed is a warning above the accounts',
  { skip: skipWithout('Chromium') },
  async (context) => {
    const env = { ...unreachableAuthority, DRAWBRIDGE_LISTEN: `127.0.0.1:${await freePort()}` };
    await using service = await startService({ realTime: true, env });
    const browser = await openBrowser();
    context.after(() => browser.close());
    const account = await service.account();
    const { store, config, certificate } = service.server;
    await must(store, 'operators/add', { member: { accountId: account.id, id: account.owner.id } });
    await setPassword(service, account, account.owner, 'correct horse 7');
    const page = await openPanelPage(browser, config.publicUrl);
    await signInAs(page, service, account, account.owner);
    await page.visit('/panel/server');
    const first = await readWarning(page);

    assert.match(
      first.text,
      /^No certificate could be obtained yet; the server presents one that it created/,
    );
    assert.match(first.text, /ECONNREFUSED/);
    assert.doesNotMatch(first.text, /ends/);
    assert.notEqual(first.time, certificate.notAfter.toISOString());
    assert.deepEqual(await accessibilityProblems(page), []);

    const folder = acmeFolderOf(service.folder);
    const issued = await writeIssued(folder, await createSelfSigned(['help.example.com'], new Date()));
    await service.restart();
    await page.visit('/panel/server');
    const second = await readWarning(page);

    assert.match(second.text, /^The certificate of this server could not be renewed\./);
    assert.match(second.text, /The certificate ends: /);
    assert.equal(second.time, issued.notAfter.toISOString());
  },
);
