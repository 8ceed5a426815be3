/** The page for server administrators in the browser: what it warns of. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { acmeFolderOf, readAttempt, writeAttempt, writeIssued } from '@drawbridge/server/tls/acme/acme-files';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { startPebble } from '../../kit/acme/pebble.ts';
import { unreachableAuthority } from '../../kit/acme/unreachable-authority.ts';
import { accessibilityProblems } from '../../kit/browser/accessibility.ts';
import { openBrowser } from '../../kit/browser/browser.ts';
import { openPanelPage, signInAs, type PanelPage } from '../../kit/browser/panel-browser.ts';
import { freePort } from '../../kit/free-port.ts';
import { isClusterRun } from '../../kit/nodes/cluster-run.ts';
import { openGate } from '../../kit/nodes/gate.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { must } from '../../kit/server/account.ts';
import { setPassword } from '../../kit/server/panel.ts';
import { startService, type TestService } from '../../kit/server/service.ts';

const skipNodes = isClusterRun && 'several servers cannot obtain a certificate themselves';
const warning = `document.querySelector('main [role=status] .warning-box')`;

/** What the warning says, and the first time that it names. */
async function readWarning(page: PanelPage): Promise<{ text: string; time: string }> {
  await page.until(warning);
  return page.evaluate(
    `(({ innerText: text }, { dateTime: time }) => ({ text, time }))(${warning}, ${warning}.querySelector('time'))`,
  );
}

/** As a server administrator. */
async function openServerPage(context: TestContext, service: TestService): Promise<PanelPage> {
  const browser = await openBrowser();
  context.after(() => browser.close());
  const account = await service.account();
  const { store, config } = service.server;
  await must(store, 'operators/add', { member: { accountId: account.id, id: account.owner.id } });
  await setPassword(service, account, account.owner, 'correct horse 7');
  const page = await openPanelPage(browser, config.publicUrl);
  await signInAs(page, service, account, account.owner);
  await page.visit('/panel/server');
  return page;
}

test(
  'a certificate that could not be obtained or renewed is a warning above the accounts',
  { skip: skipNodes || skipWithout('Chromium') },
  async (context) => {
    const env = { ...unreachableAuthority, DRAWBRIDGE_LISTEN: `127.0.0.1:${await freePort()}` };
    await using service = await startService({ realTime: true, env });
    const { certificate } = service.server;
    const page = await openServerPage(context, service);
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

test(
  'the warning goes without a reload when the authority answers',
  { skip: skipNodes || skipWithout('Chromium') || skipWithout('pebble') },
  async (context) => {
    const [tlsPort, authorityPort] = [await freePort(), await freePort()];
    await using pebble = await startPebble({ tlsPort });
    const directory = new URL(pebble.env['DRAWBRIDGE_ACME_DIRECTORY']!);
    const pebblePort = Number(directory.port);
    directory.port = String(authorityPort); // nobody answers there yet
    const env = {
      ...pebble.env,
      DRAWBRIDGE_ACME_DIRECTORY: directory.href,
      DRAWBRIDGE_ACME_DOMAINS: 'help.example.com',
      DRAWBRIDGE_LISTEN: `127.0.0.1:${tlsPort}`,
    };
    await using service = await startService({ realTime: true, env });
    const page = await openServerPage(context, service);
    await readWarning(page);
    const folder = acmeFolderOf(service.folder);
    await writeAttempt(folder, { ...(await readAttempt(folder))!, restartAt: 0 });
    await using gate = await openGate(pebblePort, authorityPort);
    gate.hold();
    await service.restart();
    await page.visit('/panel/server');
    await readWarning(page);
    await page.evaluate(`window.isSamePage = true`);

    gate.release();

    await page.until(`!${warning}`);
    assert.equal(await page.evaluate(`window.isSamePage`), true);
  },
);
