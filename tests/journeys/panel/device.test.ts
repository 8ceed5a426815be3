/**
 * A real device in the panel: its screen, a session with it, its answers to commands, its notes and files,
 * and its removal.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { saveDownloads } from '../../kit/browser/browser-dialogs.ts';
import { openPanelPage, readPicture, signInAs, type PanelPage } from '../../kit/browser/panel-browser.ts';
import { chooseFile } from '../../kit/browser/panel-dialogs/step.ts';
import { setPassword } from '../../kit/server/panel.ts';
import { eventually } from '../../kit/eventually.ts';
import {
  missingPrograms,
  endSession,
  openDesktopFixture,
  type DesktopFixture,
} from '../../kit/display/desktop-fixture.ts';

const green = 0x1e9632;

/** Thumbnails are lossy. */
const isNear = (found: number[], colour: number): boolean =>
  [colour >> 16, (colour >> 8) & 255, colour & 255].every((value, at) => Math.abs(value - found[at]!) < 14);

describe('a device in the panel', { skip: missingPrograms() }, () => {
  let fixture: DesktopFixture;
  let own: string;
  let name: string;
  before(async () => {
    own = mkdtempSync(join(tmpdir(), 'drawbridge-own-'));
    fixture = await openDesktopFixture();
    const { account, service, owner, device } = fixture;
    await setPassword(service, account, owner, 'correct horse 7');
    name = (await owner.call('agents/info', { agent_id: device })).body['data'].name;
  });
  after(async () => {
    rmSync(own, { recursive: true });
    await fixture[Symbol.asyncDispose]();
  });

  async function somebodyAt(path: string, person = fixture.owner): Promise<PanelPage> {
    const page = await openPanelPage(fixture.browser, fixture.service.server.config.publicUrl);
    await signInAs(page, fixture.service, fixture.account, person);
    await page.visit(path);
    return page;
  }

  const pageOfDevice = (tab = ''): Promise<PanelPage> => somebodyAt(`/panel/devices/${fixture.device}${tab}`);

  /** Chooses an item of the device's menu. */
  async function choose(page: PanelPage, item: string): Promise<void> {
    await page.press(`More for ${name}`);
    await page.press(item);
  }

  /** Which of these its menu offers. */
  async function offered(page: PanelPage, which: RegExp): Promise<string[]> {
    await page.press(`More for ${name}`);
    const items = await page.until<string[]>(
      `(found => found.length > 0 && found)([...document.querySelectorAll('.menu:popover-open .menu-item')].map((each) => each.innerText.trim()))`,
    );
    return items.filter((each) => which.test(each));
  }

  test('its page shows its screen, opens a session, shows that it runs, and ends it', async () => {
    fixture.display.paint({ x: 0, y: 0, width: 1_024, height: 640 }, green);
    await fixture.display.done();
    const page = await pageOfDevice();
    const shown = await eventually(
      () => readPicture(page, 'main .preview img'),
      // An earlier preview is shown until the next one.
      ({ middle }) => isNear(middle, green),
    );
    await page.press('Connect');
    const session = await fixture.browser.opened(page);
    await session.until(`document.querySelector('canvas.screen')?.width === 1024`);

    await page.tab.bringToFront();
    await page.reads('Connected now');
    await page.reads(fixture.owner.email);
    await page.press('End');
    await page.answer('End');
    await page.reads('The connection was ended.');
    await session.until(`document.querySelector('.gate h1')?.textContent === 'The session has ended'`);
    await page.until(`!document.body.innerText.includes('Connected now')`);

    assert.deepEqual([shown.width, shown.height], [320, 200]);
    assert.deepEqual([page.violations, session.violations], [[], []]);
  });

  test('notes and attachments stay with it, also for someone who views it at the same time', async () => {
    const file = join(own, 'rack plan ä.bin');
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => at % 251));
    writeFileSync(file, bytes);
    const [page, other] = [await pageOfDevice(), await pageOfDevice()];
    await page.press('Edit');
    await page.fill('What others should know about this device', 'Behind the <b>printer</b>');
    await page.press('Save');
    await Promise.all([page, other].map((each) => each.reads('Behind the <b>printer</b>')));

    await page.visit(`/panel/devices/${fixture.device}?tab=files`);
    await other.visit(`/panel/devices/${fixture.device}?tab=files`);
    await page.press('Attach a file');
    await chooseFile(page, '#attached-file', file);
    await page.press('Attach');
    await other.reads('rack plan ä.bin');
    await saveDownloads(other, join(own, 'got'));
    await other.press('Download');
    const got = join(own, 'got', 'rack plan ä.bin');
    await eventually(
      () => existsSync(got) && readFileSync(got),
      (found) => found !== false && found.equals(bytes),
    );
    await page.press('Remove rack plan ä.bin');
    await page.answer('Remove');
    await other.reads('No files are attached');
  });

  test('its page follows changes to the device, to its group and to its sessions', async () => {
    const { account, device, owner } = fixture;
    const groupId = await account.group('Berlin');
    // A member who sees no one-time links, which refresh themselves, depends on change hints.
    const watcher = await account.member([
      { type: 'agent', permissions: ['agent_sessions'], agentId: device },
    ]);
    await setPassword(fixture.service, account, watcher, 'battery staple 9');
    const page = await somebodyAt(`/panel/devices/${device}`, watcher);
    await page.evaluate('globalThis.__same = true');

    await owner.call('groups/agent/insert', { id: groupId, agent_id: device });
    await page.reads('Berlin');
    await owner.call('groups/edit', { id: groupId, name: 'Hamburg' });
    await page.reads('Hamburg');
    const { total } = (await owner.call('agents/info', { agent_id: device })).body['data'].sessions;
    await endSession(await fixture.connect());
    await page.reads(`Connections so far\n${total + 1}`);

    assert.equal(await page.evaluate('__same'), true);
  });

  test('a command asks for confirmation first, and the page shows the device’s answer', async () => {
    const page = await pageOfDevice();
    await choose(page, 'Lock the screen');
    await page.answer('Cancel');
    await choose(page, 'Reboot');
    await page.answer('Reboot');
    await page.reads(`${name} is rebooting.`);
    await choose(page, 'Lock the screen');
    await page.answer('Lock the screen');
    await page.reads(`The screen of ${name} is locked.`);
    // Safe mode is not offered for a system that has none.
    assert.deepEqual(await offered(page, /^Reboot/), ['Reboot']);

    const done = fixture.agent.output().matchAll(/would run (.*)/g);
    assert.deepEqual(
      Array.from(done, ([, each]) => each),
      ['systemctl reboot', 'loginctl lock-sessions'],
    );
  });

  test('waking it says so if nobody on its network can', async () => {
    const asleep = await fixture.account.agent({ name: 'Attic' });
    const page = await somebodyAt(`/panel/devices/${asleep.id}`);

    await page.press('Wake');

    await page.reads('neither the server nor a device that is online is in its network');
  });

  test('unlinked, it leaves every list at once, and its agent is notified', async () => {
    const [page, list] = [await pageOfDevice(), await somebodyAt('/panel/devices')];
    const listed = `document.querySelector('main a[href="/panel/devices/${fixture.device}"]')`;
    await list.until(listed);

    await choose(page, 'Unlink');
    await page.answer('Unlink');
    await list.until(`!${listed}`);
    await page.until(`location.pathname === '/panel/devices'`);
    await fixture.agent.until(/unlinked/);
  });
});
