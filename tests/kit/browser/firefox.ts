/** A real Firefox, headless, for tests of what people see. It ends with the process that opened it. */
import type { Page } from 'puppeteer-core';
import { createPage, type AnyBrowser, type AnyPage } from './any-page.ts';
import { launchBrowser } from './launch.ts';
import { findFirefox } from '../requirements.ts';
import { boundToParent } from '../process.ts';

/** Every other host goes to a proxy that does not exist: only this machine is reached directly. */
const extraPrefsFirefox = {
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  'browser.startup.page': 0,
  // Overlay scrollbars, as in a window, which take no space.
  'ui.useOverlayScrollbars': 1,
  'layout.css.prefers-color-scheme.content-override': 1,
};

export async function openFirefox(): Promise<AnyBrowser<AnyPage>> {
  const program = findFirefox();
  if (program === undefined) throw new Error('Firefox is not installed');
  return launchBrowser({
    options(profile) {
      const own = ['--headless', '--remote-debugging-port=0', '--no-remote', '--profile', profile];
      const [executablePath, args] = boundToParent(program, own);
      return { browser: 'firefox', executablePath, args, extraPrefsFirefox, acceptInsecureCerts: true };
    },
    openPage: openFirefoxPage,
  });
}

async function openFirefoxPage(tab: Page): Promise<AnyPage> {
  const page = createPage(tab, {
    evaluate: <T>(expression: string) => tab.evaluate(expression) as Promise<T>,
    // Typing an empty text over a selection deletes it.
    write: (text) => (text === '' ? tab.keyboard.press('Backspace') : tab.keyboard.type(text)),
    /** The colour scheme and the kind of pointer are settings of the whole browser. */
    emulate: ({ width = 1_280, height = 900, phone = false }) =>
      tab.setViewport({ width, height, deviceScaleFactor: phone ? 2 : 1 }),
  });
  recordFailedRequests(tab, page.errors);
  await recordViolations(tab, page.violations);
  return page;
}

/** Chromium prints these errors to the console. */
function recordFailedRequests(tab: Page, errors: string[]): void {
  tab.on('response', (response) => {
    if (response.status() >= 400)
      errors.push(`the server responded with a status of ${response.status()} ${response.url()}`);
  });
  tab.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // A request that the page itself cancelled is no error.
    if (reason !== 'NS_BINDING_ABORTED') errors.push(`${reason} ${request.url()}`);
  });
}

const violationMark = 'policy violation:';

/** Firefox does not report blocked requests to the driver, but it reports them to the page. */
const watchPolicy = `addEventListener('securitypolicyviolation',
  ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) =>
    console.debug('${violationMark}', effectiveDirective, blockedURI, sourceFile, lineNumber))`;

async function recordViolations(tab: Page, violations: string[]): Promise<void> {
  tab.on('console', (message) => {
    if (message.text().startsWith(violationMark)) violations.push(message.text());
  });
  await tab.evaluateOnNewDocument(watchPolicy);
}
