/**
 * The interface of a page in either browser, over a tab of puppeteer: it navigates, reads, clicks and types as
 * a person does, and records every request and complaint of the page.
 */
import type { Page } from 'puppeteer-core';

export interface EmulationOptions {
  dark?: boolean;
  width?: number;
  height?: number;
  /** A touch screen with the viewport of a phone. */
  phone?: boolean;
}

/** A point in the window. */
export interface PagePoint {
  x: number;
  y: number;
}

export interface AnyPage {
  /** The tab in puppeteer, for everything else. Its `evaluate` runs with user activation. */
  tab: Page;
  /** Resolves when the page and all its resources have loaded. */
  goto(url: string): Promise<void>;
  /** The value of a JavaScript expression in the page; a promise is awaited. */
  evaluate<T = unknown>(expression: string): Promise<T>;
  /** Evaluates with user activation: what a browser allows only then, such as a new tab, is allowed. */
  byHand(expression: string): Promise<void>;
  /** Waits until the expression is truthy and resolves with its value; an element counts as true. */
  until<T = unknown>(expression: string): Promise<T>;
  /** Waits until the centre of the element is visible, and clicks there. */
  click(selector: string): Promise<void>;
  /** Clicks into the field and types. */
  type(selector: string, text: string): Promise<void>;
  /** Types where the focus is. */
  write(text: string): Promise<void>;
  emulate(look: EmulationOptions): Promise<void>;
  close(): Promise<void>;
  /** Every address requested so far, whether it answered or not; data URLs in styles make no request. */
  requests: string[];
  /** Console errors, uncaught exceptions, and resources that did not load. */
  errors: string[];
  /** What the page's Content-Security-Policy has blocked. */
  violations: string[];
}

export interface AnyBrowser<OwnPage extends AnyPage> extends AsyncDisposable {
  /** A new page in a fresh browser context; or beside another page, as a tab of the same browser. */
  page(beside?: OwnPage): Promise<OwnPage>;
  close(): Promise<void>;
}

/** What each browser needs its own code for. */
type BrowserSpecific = Pick<AnyPage, 'evaluate' | 'write' | 'emulate'>;

/** Longer than anything takes on a busy machine: it only keeps a test from hanging. */
export const browserTimeoutMs = 180_000;

export function createPage(tab: Page, specific: BrowserSpecific): AnyPage {
  tab.setDefaultTimeout(browserTimeoutMs);
  const until = <T>(expression: string): Promise<T> =>
    withTimeout(specific.evaluate<T>(pollingScript(expression)), `it never came true: ${expression}`);
  const clickOnce = async (selector: string): Promise<boolean> => {
    let at = await until<PagePoint>(centreOf(selector));
    for (let last; last?.x !== at.x || last.y !== at.y;) {
      last = at;
      await specific.evaluate(nextFrame);
      at = await until<PagePoint>(centreOf(selector));
    }
    await specific.evaluate(watchPress(selector));
    await tab.mouse.click(at.x, at.y);
    return (await specific.evaluate(isPressMissed).catch(() => false)) !== true;
  };
  const click = async (selector: string): Promise<void> => {
    await until(hasPainted);
    while (!(await clickOnce(selector)));
  };
  return {
    ...specific,
    ...recordPageLog(tab),
    tab,
    until,
    click,
    async goto(url) {
      await tab.goto(url);
    },
    async byHand(expression) {
      await tab.evaluate(`${expression}, undefined`);
    },
    async type(selector, text) {
      await click(selector);
      await specific.write(text);
    },
    close: () => tab.close(),
  };
}

function recordPageLog(tab: Page): Pick<AnyPage, 'requests' | 'errors' | 'violations'> {
  const requests: string[] = [];
  const errors: string[] = [];
  tab.on('request', (request) => {
    if (!request.url().startsWith('data:')) requests.push(request.url());
  });
  tab.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url ?? ''}`);
  });
  tab.on('pageerror', (error) => void errors.push(String(error)));
  return { requests, errors, violations: [] };
}

/**
 * The page itself polls, because the expression may depend on anything it shows. Puppeteer's `waitForFunction`
 * compiles the expression in the page, which its Content-Security-Policy does not allow.
 */
const pollingScript = (expression: string): string => `new Promise((resolve, reject) => {
  const look = () => {
    try {
      const found = (${expression});
      if (found) resolve(found instanceof Node ? true : found);
      else setTimeout(look, 20);
    } catch (error) {
      reject(error);
    }
  };
  look();
})`;

/** Browsers ignore the mouse on a page that they have not shown yet. */
const hasPainted = `document.hidden || performance.getEntriesByName('first-contentful-paint').length > 0`;

/** Layout that follows a change, such as the labels of a toolbar, is done one frame later. */
const nextFrame = `document.hidden || new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))))`;

/** Puppeteer clicks on an element even if another one covers it. An element that still moves is waited for. */
const centreOf = (selector: string): string => `(() => {
  const element = document.querySelector(${JSON.stringify(selector)});
  if (!element) return;
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const box = element.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return element.contains(document.elementFromPoint(x, y)) && { x, y };
})()`;

/** The page may move the element between the look and the press, as it does under the hand of a person. */
const watchPress = (selector: string): string => `(() => {
  globalThis.isPressMissed = false;
  const element = document.querySelector(${JSON.stringify(selector)});
  const look = ({ target }) => {
    globalThis.isPressMissed = element?.isConnected === true && !element.contains(target);
  };
  addEventListener('pointerdown', look, { capture: true, once: true });
})()`;

/** The press may have opened another page. */
const isPressMissed = `globalThis.isPressMissed === true`;

async function withTimeout<T>(work: Promise<T>, otherwise: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(otherwise)), browserTimeoutMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
