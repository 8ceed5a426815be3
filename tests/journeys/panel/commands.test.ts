/** The commands that the integration page shows: run as a person runs them, on a server with its own certificate. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import { openPanelPage, signInAs, type PanelPage } from '../../kit/browser/panel-browser.ts';
import { openImpostorServer, openTlsInterceptor } from '../../kit/server/proxies.ts';
import { setPassword } from '../../kit/server/panel.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { skipWithout } from '../../kit/requirements.ts';
import type { TestAccount } from '../../kit/server/account.ts';

const skip = skipWithout('Chromium') || skipWithout('curl');
const launcher = join(import.meta.dirname, '../../../cli/bin/drawbridge.cjs');

async function runLine(
  line: string,
  home: string,
): Promise<{ exit: number | null; out: string; err: string }> {
  const child = spawn('sh', ['-c', line], { cwd: home, env: { PATH: process.env['PATH'], HOME: home } });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { exit: await ended, out, err };
}

describe('the commands of the integration page', { skip }, () => {
  let service: TestService;
  let browser: Browser;
  let account: TestAccount;
  let page: PanelPage;
  const home = mkdtempSync(join(tmpdir(), 'drawbridge-commands-'));
  before(async () => {
    [service, browser] = await Promise.all([
      startService({ realTime: true }),
      openBrowser({ wholeBrowser: true }),
    ]);
    account = await service.account();
    await setPassword(service, account, account.owner, 'correct horse 7');
    page = await openPanelPage(browser, service.server.config.publicUrl);
    await page.emulate({ width: 1_280, height: 1_000 });
    await signInAs(page, service, account, account.owner);
    await page.visit('/panel/integration');
    await page.reads('Self-signed certificate');
  });
  after(async () => {
    await browser.close();
    await service[Symbol.asyncDispose]();
    rmSync(home, { recursive: true });
  });

  /** The command with this title, with the key of the owner. */
  const shown = async (title: string): Promise<string> => {
    const line = await page.evaluate<string>(
      `document.querySelector('code[aria-label="${title}"]').innerText`,
    );
    return line.replace('YOUR_KEY', account.owner.apiKey);
  };

  test('each curl command reaches the server and gets its answer', async () => {
    const { id } = await account.agent({ name: 'Front desk' });
    const linkLine = (await shown('Create a link to a device')).replace('agent_id=1', `agent_id=${id}`);

    const devices = await runLine(await shown('List the devices'), home);
    const invited = await runLine(await shown('Create an invitation'), home);
    const linked = await runLine(linkLine, home);
    const history = await runLine(await shown('List the connection history'), home);

    assert.deepEqual([devices.exit, invited.exit, linked.exit, history.exit], [0, 0, 0, 0], devices.err);
    assert.equal(JSON.parse(devices.out).data[0].name, 'Front desk');
    assert.equal(JSON.parse(invited.out).data.client_name, 'Ann');
    assert.match(JSON.parse(linked.out).data.url, /\/c\//);
    assert.deepEqual(JSON.parse(history.out).data, []);
  });

  test('curl sends nothing to a server with another key', async () => {
    const { publicUrl } = service.server.config;
    await using eavesdropper = await openTlsInterceptor(service.testClient.baseUrl);
    const logged = service.logged.length;

    const { exit, out } = await runLine(
      (await shown('List the devices')).replace(publicUrl, eavesdropper.url),
      home,
    );

    assert.deepEqual([exit, out, eavesdropper.count()], [90, '', 1]);
    assert.deepEqual(
      service.logged.slice(logged).filter((line) => line.includes('agents/list')),
      [],
    );
  });

  test('the command line tool logs in with the command shown, and refuses a server with another key', async () => {
    await using impostor = await openImpostorServer(() => {});
    const line = (await shown('Save server and key')).replace(
      'npx drawbridge',
      `'${process.execPath}' '${launcher}'`,
    );

    const refused = await runLine(line.replace(service.server.config.publicUrl, impostor.url), home);
    const saved = await runLine(line, home);
    const used = await runLine(`'${process.execPath}' '${launcher}' agents list --json`, home);

    assert.deepEqual([refused.exit, saved.exit, used.exit], [3, 0, 0], saved.err + used.err);
    assert.match(refused.err, /does not have this fingerprint; nothing was sent/);
    assert.ok(Array.isArray(JSON.parse(used.out).data));
  });
});
