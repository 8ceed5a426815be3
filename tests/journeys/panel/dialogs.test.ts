/**
 * Every dialog and menu of the panel, opened and used once in a real browser, with scripts in all names: each
 * is accessible, and nothing runs.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TestPerson, TestAccount } from '../../kit/server/account.ts';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openPanelPage, signInAs, type PanelPage } from '../../kit/browser/panel-browser.ts';
import { accountSteps } from '../../kit/browser/panel-dialogs/account.ts';
import { connectionSteps, readerSteps } from '../../kit/browser/panel-dialogs/connections.ts';
import { directoryDialogSteps } from '../../kit/browser/panel-dialogs/directories.ts';
import { deviceListSteps } from '../../kit/browser/panel-dialogs/devices.ts';
import { singleDeviceSteps } from '../../kit/browser/panel-dialogs/device.ts';
import { groupSteps } from '../../kit/browser/panel-dialogs/groups.ts';
import { peopleSteps } from '../../kit/browser/panel-dialogs/people.ts';
import { profileSteps } from '../../kit/browser/panel-dialogs/profile.ts';
import { identitySteps } from '../../kit/browser/panel-dialogs/identity.ts';
import { createDialogFixture, type DialogFixture } from '../../kit/browser/panel-dialogs/fixture.ts';
import { runSteps, type DialogStep } from '../../kit/browser/panel-dialogs/step.ts';
import { askSteps, requestSteps } from '../../kit/browser/panel-dialogs/requests.ts';
import { teamSteps } from '../../kit/browser/panel-dialogs/team.ts';

const tables: Record<string, (it: DialogFixture) => DialogStep[]> = {
  'of groups': groupSteps,
  'around the list of devices': deviceListSteps,
  'of identity providers and their tokens': identitySteps,
  'of departments, roles and access': teamSteps,
  'of directories': directoryDialogSteps,
  'of people': peopleSteps,
  'of access requests': requestSteps,
  'around one device': singleDeviceSteps,
  'of connections and of quick support': connectionSteps,
  'of keys, the account and the server': accountSteps,
  'of one’s own profile': profileSteps,
};

describe('the dialogs and menus of the panel', { skip: skipWithout('Chromium') }, () => {
  let service: TestService;
  let browser: Browser;
  let account: TestAccount;
  let page: PanelPage;
  let it: DialogFixture;
  let isAtOdds = false;
  before(async () => {
    // Its clock is fixed, so that a fresh sign-in is as old as the test says.
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    account = await service.account();
    it = await createDialogFixture(service, account);
    page = await enter(account.owner);
  });
  after(async () => {
    rmSync(it.folder, { recursive: true });
    await browser.close();
    await service[Symbol.asyncDispose]();
  });

  async function enter(person: TestPerson): Promise<PanelPage> {
    const entered = await openPanelPage(browser, service.server.config.publicUrl);
    await entered.emulate({ width: 1_280, height: 800 });
    await signInAs(entered, service, account, person);
    await entered.visit('/panel/devices');
    return entered;
  }

  test('for a member who may read a note and not write one, and asks for access', async () => {
    const reading = await enter(it.reader);
    await runSteps(reading, [...readerSteps(), ...askSteps(it)]);
    assert.deepEqual(reading.violations, []);
  });

  for (const [name, steps] of Object.entries(tables))
    test(name, async () => {
      // One continues where the other has ended.
      assert.ok(!isAtOdds, 'what came before has failed');
      isAtOdds = true;
      await runSteps(page, steps(it));
      isAtOdds = false;
      assert.deepEqual(page.violations, []);
    });
});

const panel = join(import.meta.dirname, '../../../web/src/panel');

/** How many dialogs, questions and menus a file opens. */
const opens = (file: string): number =>
  [...readFileSync(join(panel, file), 'utf8').matchAll(/\b(openDialog|confirmAction)\(|<Menu\b/g)].length;

test('no dialog, question or menu of the panel is left out here', () => {
  const steps = [...Object.values(tables), readerSteps, askSteps].flatMap((table) =>
    table({} as DialogFixture),
  );
  const files = globSync('**/*.{ts,tsx}', { cwd: panel }).filter((file) => !/^ui\/(dialog|menu)/.test(file));
  const missing = files
    .map((file) => [file, opens(file) - steps.filter(({ from }) => from === file).length] as const)
    .filter(([, lacking]) => lacking > 0);

  assert.deepEqual(Object.fromEntries(missing), {});
});
