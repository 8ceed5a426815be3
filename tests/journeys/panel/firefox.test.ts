/** The pages in Firefox as in Chromium: someone signs in, visits the whole panel, and works on a device. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { AnyBrowser, AnyPage, EmulationOptions } from '../../kit/browser/any-page.ts';
import { openTypingTerminal } from '../../kit/display/desktop-programs.ts';
import { openFirefox } from '../../kit/browser/firefox.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { allPagePaths, openPanelPage, signInAs, type PanelActions } from '../../kit/browser/panel-browser.ts';
import { fillPanelAccount } from '../../kit/server/panel-fixture.ts';
import { setPassword } from '../../kit/server/panel.ts';
import { makePhoto, makeTextPicture } from '../../kit/display/pictures.ts';
import { startServerProcess } from '../../kit/process.ts';
import { clickAt, shownPixels, typeKeys } from '../../kit/browser/remote-input.ts';
import { eventually } from '../../kit/eventually.ts';
import {
  openDesktopFixtureIn,
  endSession,
  type DesktopFixtureIn,
} from '../../kit/display/desktop-fixture.ts';

const skip = skipWithout('Firefox') || skipWithout('Xvfb') || skipWithout('programs of a desktop');
const wide: EmulationOptions = { width: 1_280, height: 800 };
const narrow: EmulationOptions = { width: 390, height: 844, phone: true };
const password = 'correct horse 7';

type Page = AnyPage & PanelActions;

/** A page learns from a refusal that nobody is signed in, or that something does not exist. */
const isRefusal = (error: string): boolean => /status of 403/.test(error);

function isSound(page: AnyPage): void {
  assert.deepEqual([page.violations, page.errors.filter((each) => !isRefusal(each))], [[], []]);
}

describe('in Firefox', { skip }, () => {
  let firefox: AnyBrowser<AnyPage>;
  let fixture: DesktopFixtureIn<AnyPage>;
  before(async () => {
    firefox = await openFirefox();
    fixture = await openDesktopFixtureIn(firefox);
  });
  after(() => fixture?.[Symbol.asyncDispose]());

  test('the owner signs in by the link of the first start, and again by the password', async (context) => {
    const server = await startServerProcess();
    context.after(async () => {
      await server.end('SIGKILL');
      rmSync(server.folder, { recursive: true, force: true });
    });
    const page = await openPanelPage(firefox, server.url);
    await page.goto(/Sign-in link.*:\s+(\S+)/.exec(server.output())![1]!);
    await page.press('Sign in');
    await page.fill('New password', password);
    await page.press('Set the password');
    await page.reads('Add a device');

    const other = await openPanelPage(firefox, server.url);
    await other.visit('/panel/integration');
    await other.fill('E-mail address', 'owner@localhost');
    await other.fill('Password', password);
    await other.press('Sign in');
    await other.reads('API keys');

    for (const each of [page, other]) isSound(each);
    for (const each of [page, other]) await each.close();
  });

  async function walk(page: Page, paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      await page.visit(path);
      const aside = 'document.documentElement.scrollWidth - innerWidth';
      assert.ok((await page.evaluate<number>(aside)) <= 0, `${path} is wider than the screen`);
      assert.equal(await page.evaluate('globalThis.__ran'), undefined, `${path} ran a script`);
    }
    isSound(page);
  }

  test('every page of the panel is accessible, wide and light, narrow and dark', async () => {
    const account = await fixture.service.account();
    await setPassword(fixture.service, account, account.owner, password);
    const { parts, tabs } = await fillPanelAccount(fixture.service, account);
    const page = await openPanelPage(firefox, fixture.service.server.config.publicUrl);
    await signInAs(page, fixture.service, account, account.owner);
    const device = `/panel/devices/${parts['devices:id']}`;

    await page.emulate(wide);
    await walk(page, [...allPagePaths(parts), ...tabs.map((tab) => `${device}?tab=${tab}`)]);
    await page.visit('/panel/profile');
    await page.press('Dark');
    await page.emulate(narrow);
    await walk(page, allPagePaths(parts));

    assert.equal(await page.evaluate('document.documentElement.style.colorScheme'), 'dark');
    await page.close();
  });

  test('two tabs share one stream, and both show the changes of others', async () => {
    const { service, account, owner } = fixture;
    await setPassword(service, account, owner, password);
    const first = await openPanelPage(firefox, service.server.config.publicUrl);
    await signInAs(first, service, account, owner);
    await first.visit('/panel/devices');
    const second = await openPanelPage(firefox, service.server.config.publicUrl, first);
    await second.visit('/panel/devices');

    await owner.call('agents/update', { id: fixture.device, name: 'Front desk' });
    for (const each of [second, first]) await each.reads('Front desk');

    const streams = [first, second].map(
      ({ requests }) => requests.filter((each) => each.endsWith('/panel/api/events')).length,
    );
    assert.deepEqual(streams, [1, 0]);
    for (const each of [first, second]) isSound(each);
    for (const each of [first, second]) await each.close();
  });

  test('a click in the panel opens the session in a new tab, which asks nothing', async () => {
    const { service, account, owner, device } = fixture;
    const page = await openPanelPage(firefox, service.server.config.publicUrl);
    await signInAs(page, service, account, owner);
    await page.visit(`/panel/devices/${device}`);

    await page.press('Connect');
    const tabs = async () => (await page.tab.browserContext().pages()).filter((each) => each !== page.tab);
    const [session] = await eventually(tabs, ([first]) => first?.url().includes('/c/') === true);
    const isShown = `document.querySelector('canvas.screen')?.width === 1024`;
    await eventually(() => session!.evaluate(isShown).catch(() => false), Boolean);

    await session!.evaluate(`document.querySelector('[aria-label="End the session"]').click(), undefined`);
    await session!.close();
    isSound(page);
    await page.close();
  });

  test('an operator sees the screen of a device exactly, and types there', async () => {
    const { display } = fixture;
    const box = { x: 0, y: 120, width: 1_024, height: 480 };
    const [lines, photo] = [
      { x: 100, y: 160, width: 480, height: 200 },
      { x: 640, y: 200, width: 160, height: 120 },
    ];
    display.paint(box, 0x336699);
    display.draw(lines, makeTextPicture(1, lines));
    display.draw(photo, makePhoto(5, photo));
    await display.done();
    const page = await fixture.connect();
    const from = box.y * box.width;
    const expected = (await display.pixels()).subarray(from, from + box.width * box.height);
    await eventually(
      async () => differing(await shownPixels(page, box), expected),
      (different) => different === 0,
    );

    await using writer = await openTypingTerminal();
    await clickAt(page, writer.at);
    await typeKeys(page, 'hello from firefox 42\n');
    await eventually(writer.typed, (typed) => typed === 'hello from firefox 42\n');

    isSound(page);
    await endSession(page);
  });
});

const differing = (shown: Uint32Array, expected: Uint32Array): number =>
  shown.filter((pixel, at) => pixel !== expected[at]).length;
