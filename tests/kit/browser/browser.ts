/**
 * A real Chromium, headless unless a display is given, for tests of what people see. It ends with the process
 * that opened it.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { AnyBrowser } from './any-page.ts';
import { attachToNewTab, openPage, type BrowserPage } from './browser-page.ts';
import { openDevtools } from './devtools.ts';
import { findChromium } from '../requirements.ts';

export interface Browser extends AnyBrowser<BrowserPage> {
  /** The tab that a page has opened or is just opening. */
  opened(by: BrowserPage): Promise<BrowserPage>;
}

/** Every other host name does not resolve: only this machine is reachable. */
const onlyThisMachine = 'MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1';

export interface BrowserOptions {
  /** The display its windows are on, such as `:5`. */
  display?: string;
  /** Further command-line flags; they override the default ones. */
  flags?: readonly string[];
}

/** Windows that are covered by others keep working. */
const inWindows = ['--disable-backgrounding-occluded-windows', '--ozone-platform=x11'];

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
  '--disable-sync',
  '--disable-breakpad',
  '--hide-scrollbars',
  ...flags,
  'about:blank',
];

export async function openBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const program = findChromium();
  if (!program) throw new Error('Chromium is not installed');
  const profile = mkdtempSync(join(tmpdir(), 'drawbridge-browser-'));
  // Chromium also writes to the home folder. It ends when the pipes close, even if this process is killed.
  const own = { HOME: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile };
  const { display } = options;
  const child = spawn(program, flagsOf(profile, options), {
    env: { ...process.env, ...own, ...(display !== undefined && { DISPLAY: display }) },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const devtools = openDevtools(child.stdio[3] as Writable, child.stdio[4] as Readable);
  const close = async (): Promise<void> => {
    if (isRunning(child)) await devtools.send('Browser.close').catch(() => child.kill('SIGKILL'));
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  try {
    await devtools.send('Browser.getVersion');
  } catch (error) {
    await close();
    throw error;
  }
  return {
    page: (beside) => openPage(devtools, beside),
    opened: (by) => attachToNewTab(devtools, by),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;
