/**
 * A real Chromium, headless unless a display is given, for tests of what people see. It ends with the process
 * that opened it.
 */
import type { Page } from 'puppeteer-core';
import type { AnyBrowser } from './any-page.ts';
import { openFrame, openPage, type BrowserFrame, type BrowserPage } from './browser-page.ts';
import { launchBrowser } from './launch.ts';
import { eventually } from '../eventually.ts';
import { findChromium, findHeadlessShell } from '../requirements.ts';

export interface Browser extends AnyBrowser<BrowserPage> {
  /**
   * The tab that this page or another page of its browser context has opened or is just opening, that has an
   * address, and that no test has taken yet.
   */
  opened(by: BrowserPage): Promise<BrowserPage>;
  /** The frame of another site that a page shows or is just loading. */
  framed(by: BrowserPage): Promise<BrowserFrame>;
}

/** Every other host name does not resolve: only this machine is reachable. */
const onlyThisMachine = 'MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1';

export interface BrowserOptions {
  /** The display its windows are on, such as `:5`. */
  display?: string;
  /**
   * Use the whole Chromium even without a display. Otherwise it is Chromium's headless shell, where that is
   * installed: it has no windows, tabs and toolbars, and takes up to a third less CPU time.
   */
  wholeBrowser?: boolean;
  /** Further command-line flags; they override the default ones. */
  flags?: readonly string[];
  /** Without it, the browser does not report requests and frames of WebSockets, which costs time for every byte. */
  networkEnabled?: boolean;
}

/** Windows that are covered by others keep working. */
const inWindows = ['--disable-backgrounding-occluded-windows', '--ozone-platform=x11'];

/** Two renderers for suggestions below the address bar, which each window would start: more work than most pages are. */
const unusedFeatures = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** Chromium ends when the pipes close, even if this process is killed. */
const flagsOf = (profile: string, { display, flags = [] }: BrowserOptions): string[] => [
  ...(display === undefined ? ['--headless'] : inWindows),
  '--remote-debugging-pipe',
  `--user-data-dir=${profile}`,
  `--host-resolver-rules=${onlyThisMachine}`,
  '--ignore-certificate-errors',
  '--no-sandbox',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-extensions',
  `--disable-features=${unusedFeatures.join(',')}`,
  '--disable-sync',
  '--disable-breakpad',
  '--hide-scrollbars',
  ...flags,
  'about:blank',
];

export async function openBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const isWhole = options.wholeBrowser ?? options.display !== undefined;
  const executablePath = (isWhole ? undefined : findHeadlessShell()) ?? findChromium();
  if (executablePath === undefined) throw new Error('Chromium is not installed');
  const taken = new WeakSet<Page>();
  const takenFrames = new Set<string>();
  const take = (tab: Page): Promise<BrowserPage> => {
    taken.add(tab);
    return openPage(tab);
  };
  const browser = await launchBrowser({
    display: options.display,
    options: (profile) => ({
      executablePath,
      args: flagsOf(profile, options),
      networkEnabled: options.networkEnabled ?? true,
    }),
    openPage: take,
  });
  const isNew = (tab: Page): boolean => !taken.has(tab) && tab.url().startsWith('https:');
  return {
    ...browser,
    async opened({ tab }) {
      const find = async (): Promise<Page | undefined> => (await tab.browserContext().pages()).find(isNew);
      return take((await eventually(find, Boolean))!);
    },
    framed: (by) => openFrame(by, takenFrames),
  };
}
