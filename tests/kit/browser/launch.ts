/** Starts a browser under puppeteer with its own profile and home folder, which are removed with it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser, type LaunchOptions, type Page } from 'puppeteer-core';
import { browserTimeoutMs, type AnyBrowser, type AnyPage } from './any-page.ts';

export interface Launched<OwnPage extends AnyPage> {
  /** The display its windows are on, such as `:5`. */
  display?: string | undefined;
  /** The browser, its arguments and preferences. */
  options(profile: string): LaunchOptions;
  /** Prepares a new tab. */
  openPage(tab: Page): Promise<OwnPage>;
}

export async function launchBrowser<OwnPage extends AnyPage>({
  display,
  options,
  openPage,
}: Launched<OwnPage>): Promise<AnyBrowser<OwnPage>> {
  const profile = mkdtempSync(join(tmpdir(), 'drawbridge-browser-'));
  const removeProfile = (): void =>
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  const env = { ...process.env, HOME: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile };
  let browser: Browser;
  try {
    browser = await puppeteer.launch({
      ...ownOptions,
      env: { ...env, ...(display !== undefined && { DISPLAY: display }) },
      ...options(profile),
    });
  } catch (error) {
    removeProfile();
    throw error;
  }
  const close = async (): Promise<void> => {
    await browser.close();
    removeProfile();
  };
  return {
    async page(beside) {
      const context = beside?.tab.browserContext() ?? (await browser.createBrowserContext());
      return openPage(await context.newPage());
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

const ownOptions: LaunchOptions = {
  ignoreDefaultArgs: true,
  defaultViewport: null,
  timeout: browserTimeoutMs,
  // An expression may wait in the page for as long as its test wants.
  protocolTimeout: 0,
  // Signals end the process as they do without a browser.
  handleSIGHUP: false,
  handleSIGINT: false,
  handleSIGTERM: false,
};
