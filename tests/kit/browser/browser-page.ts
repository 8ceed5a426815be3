/** A page of Chromium. */
import type { CDPSession, Page } from 'puppeteer-core';
import { createPage, type AnyPage, type EmulationOptions } from './any-page.ts';
import { eventually } from '../eventually.ts';

export interface BrowserPage extends AnyPage {
  /** The DevTools protocol, for what puppeteer does not offer. */
  devtools: CDPSession;
}

export async function openPage(tab: Page): Promise<BrowserPage> {
  const devtools = await tab.createCDPSession();
  const page = createPage(tab, {
    evaluate: (expression) => evaluate(devtools, expression),
    write: (text) => tab.keyboard.sendCharacter(text),
    emulate: (look) => emulate(tab, devtools, look),
  });
  await recordViolations(devtools, page.violations);
  return { ...page, devtools };
}

/** Reports also what was blocked before this; puppeteer's own event does not. */
async function recordViolations(devtools: CDPSession, violations: string[]): Promise<void> {
  devtools.on('Audits.issueAdded', ({ issue }) => {
    if (issue.code === 'ContentSecurityPolicyIssue') violations.push(JSON.stringify(issue.details));
  });
  await devtools.send('Audits.enable');
}

/** What tests need of a frame; the mouse belongs to the page around it. */
export type BrowserFrame = Pick<BrowserPage, 'evaluate' | 'violations'>;

/** The frame of another site in this page that is not among those taken; it has its own process. */
export async function openFrame({ tab }: BrowserPage, taken: Set<string>): Promise<BrowserFrame> {
  const root = await tab.browser().target().createCDPSession();
  const find = async (): Promise<string | undefined> =>
    (await root.send('Target.getTargets')).targetInfos.find(
      ({ targetId, type, url, browserContextId }) =>
        type === 'iframe' &&
        !taken.has(targetId) &&
        url.startsWith('https:') &&
        browserContextId === tab.browserContext().id,
    )?.targetId;
  const targetId = (await eventually(find, Boolean))!;
  taken.add(targetId);
  const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
  const devtools = root.connection()!.session(sessionId)!;
  const violations: string[] = [];
  await recordViolations(devtools, violations);
  return { violations, evaluate: (expression) => evaluate(devtools, expression) };
}

/** Puppeteer would evaluate with user activation. */
async function evaluate<T>(devtools: CDPSession, expression: string): Promise<T> {
  const asked = { expression, awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await devtools.send('Runtime.evaluate', asked);
  if (!exceptionDetails) return result.value as T;
  throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
}

/** Puppeteer would reload the page for another kind of pointer. */
async function emulate(
  tab: Page,
  devtools: CDPSession,
  { dark = false, width = 1_280, height = 900, phone = false }: EmulationOptions,
): Promise<void> {
  await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
  const screen = { width, height, deviceScaleFactor: phone ? 2 : 1, mobile: phone };
  await devtools.send('Emulation.setDeviceMetricsOverride', screen);
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: phone });
}
