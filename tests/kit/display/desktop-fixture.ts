/**
 * A complete fixture for session tests: a server, a device with a real screen whose agent is a separate
 * program, and operators in a real browser.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWeb } from '../../../scripts/build-web.ts';
import type { TestPerson, TestAccount } from '../server/account.ts';
import type { AnyBrowser, AnyPage } from '../browser/any-page.ts';
import { openBrowser, type Browser } from '../browser/browser.ts';
import type { BrowserPage } from '../browser/browser-page.ts';
import { startDisplay, type TestDisplay } from './display.ts';
import { listDevices, createEnrolToken } from '../server/enrolment.ts';
import { startService, type TestService } from '../server/service.ts';
import { skipWithout } from '../requirements.ts';
import { boundToParent, startAgentProcess, type Program } from '../process.ts';
import { eventually } from '../eventually.ts';

export interface DesktopFixtureIn<Page extends AnyPage> extends AsyncDisposable {
  service: TestService;
  account: TestAccount;
  owner: TestPerson;
  display: TestDisplay;
  agent: Program;
  device: number;
  /** The device's folder that operators see. */
  folder: string;
  browser: AnyBrowser<Page>;
  /** Creates a link to the device. */
  link(): Promise<string>;
  /** An operator opens a new link in a new page, presses Connect, and sees the screen. */
  connect(page?: Page): Promise<Page>;
}

export interface DesktopFixture extends DesktopFixtureIn<BrowserPage> {
  browser: Browser;
}

export const missingPrograms = (): string | false =>
  skipWithout('Chromium') || skipWithout('Xvfb') || skipWithout('programs of a desktop');

export interface DesktopOptions {
  width?: number;
  height?: number;
  /** The owner's key; the owner is the operator. */
  email?: string;
  /** Options of the browser. */
  flags?: readonly string[];
  /** Settings of the server, by the names of the environment. */
  env?: Record<string, string>;
  /** Further environment of the agent for this system. */
  agentEnv?: Record<string, string>;
  /** Starts the agent of the device, instead of the one for this system. */
  startAgent?: StartAgent;
}

/** `folder` is what operators see of a device with Linux. */
export type StartAgent = (given: {
  server: string;
  token: string;
  display: TestDisplay;
  folder: string;
}) => Program;

const startOwnAgent =
  (env: Record<string, string>): StartAgent =>
  ({ server, token, display, folder }) => {
    const own = {
      DISPLAY: display.name,
      HOME: folder,
      DRAWBRIDGE_AGENT_FILES: folder,
      LC_ALL: 'C.UTF-8',
      CUPS_SERVER: '/missing',
    };
    const variables = Object.entries({ ...own, ...env }).map(([name, value]) => `${name}=${value}`);
    return startAgentProcess(server, token, ['env', ...variables]);
  };

export async function openDesktopFixture(options: DesktopOptions = {}): Promise<DesktopFixture> {
  const browser = await openBrowser({ wholeBrowser: true, flags: options.flags ?? [] });
  return { ...(await openDesktopFixtureIn(browser, options)), browser };
}

/** A fixture whose operators use this browser; disposing of the fixture closes the browser. */
export async function openDesktopFixtureIn<Page extends AnyPage>(
  browser: AnyBrowser<Page>,
  options: DesktopOptions = {},
): Promise<DesktopFixtureIn<Page>> {
  const { width = 1_024, height = 640, env: settings = {}, agentEnv = {} } = options;
  const { startAgent = startOwnAgent(agentEnv) } = options;
  await using opened = new AsyncDisposableStack();
  opened.use(browser);
  await buildWeb();
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-workplace-'));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const service = opened.use(await startService({ realTime: true, env: settings }));
  const display = opened.use(await startDisplay(width, height));
  const account = await service.account(options.email);
  const { owner } = account;
  const token = await createEnrolToken(owner);
  const agent = opened.use(startAgent({ server: service.testClient.baseUrl, token, display, folder }));
  const [found] = await eventually(
    () => listDevices(owner),
    ([first]) => first?.online === true,
  );
  const device = found!.id;
  const link = async (): Promise<string> =>
    (await owner.call('agents/connect', { agent_id: device })).body['data'].url as string;
  const all = opened.move();
  const fixture = { service, account, owner, display, agent, device, folder, browser, link };
  return {
    ...fixture,
    async connect(page) {
      const own = page ?? (await openOperatorPage(browser));
      await own.goto(await link());
      await own.click('.button.primary');
      await own.until(`document.querySelector('canvas.screen')?.width === ${width}`);
      return own;
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Large enough to show the screen of the device pixel by pixel. */
export async function openOperatorPage<Page extends AnyPage>(browser: AnyBrowser<Page>): Promise<Page> {
  const page = await browser.page();
  await page.emulate({ width: 1_500, height: 800 });
  return page;
}

/** Ends the session first: a page that is closed during a session asks for confirmation. */
export async function endSession(page: AnyPage): Promise<void> {
  await pressToolbar(page, 'End the session');
  await page.until(`document.querySelector('.gate h1')?.textContent === 'The session has ended'`);
  await page.close();
}

/** Opens a panel or a menu of the toolbar. */
export const pressToolbar = (page: AnyPage, title: string): Promise<void> =>
  page.click(`[aria-label="${title}"]`);

/** Opens a menu and chooses the item that starts with this text. */
export async function chooseMenuItem(page: AnyPage, menu: string, item: string): Promise<void> {
  await pressToolbar(page, menu);
  const found = `[...document.querySelectorAll('.menu:popover-open .menu-item')].find((each) => each.textContent.startsWith('${item}'))`;
  await page.until(found);
  await page.evaluate(`${found}.click()`);
}

/** A program with windows on the display that runs until disposed. */
export function startOnDisplay(program: string, ...args: string[]): AsyncDisposable {
  const child: ChildProcess = spawn(...boundToParent(program, args), {
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    stdio: 'ignore',
  });
  return {
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
