/**
 * The interface of a page in either browser: it navigates, reads, clicks and types as a person does, and
 * records every request and complaint of the page.
 */

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

/** Named as in `KeyboardEvent`. */
export interface KeyboardKey {
  code: string;
  key: string;
}

export type PressAction = 'press' | 'release';

export interface BrowserCookie {
  name: string;
  value: string;
  /** The server that could have set it. */
  url: string;
}

export interface AnyPage {
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
  /** Moves the mouse, or presses or releases its left button there. */
  mouse(action: 'move' | PressAction, at: PagePoint): Promise<void>;
  wheel(at: PagePoint, deltaY: number): Promise<void>;
  key(action: PressAction, key: KeyboardKey): Promise<void>;
  screenshot(file: string, options?: { wholePage?: boolean }): Promise<void>;
  emulate(look: EmulationOptions): Promise<void>;
  /** Sets a cookie that is HttpOnly and SameSite. */
  keep(cookie: BrowserCookie): Promise<void>;
  close(): Promise<void>;
  /** The browser context that holds its cookies and storage. */
  context: string;
  /** Every address requested so far, whether it answered or not; data URLs in styles make no request. */
  requests: string[];
  /** Console errors, uncaught exceptions, and resources that did not load. */
  errors: string[];
  /** What the page's Content-Security-Policy has blocked. */
  violations: string[];
}

export interface AnyBrowser<Page extends AnyPage> extends AsyncDisposable {
  /** A new page in a fresh browser context; or beside another page, as a tab of the same browser. */
  page(beside?: Page): Promise<Page>;
  close(): Promise<void>;
}

export type PageLog = Pick<AnyPage, 'requests' | 'errors' | 'violations'>;

const pageTimeoutMs = 180_000;

/** The methods that follow from evaluating, pointing and typing. */
export function createPageActions({
  evaluate,
  mouse,
  write,
}: Pick<AnyPage, 'evaluate' | 'mouse' | 'write'>): Pick<AnyPage, 'until' | 'click' | 'type'> {
  const until = <T>(expression: string): Promise<T> =>
    withTimeout(evaluate<T>(pollingScript(expression)), `it never came true: ${expression}`);
  const click = async (selector: string): Promise<void> => {
    await until(hasPainted);
    const spot = await until<PagePoint>(centreOf(selector));
    for (const action of ['press', 'release'] as const) await mouse(action, spot);
  };
  return {
    until,
    click,
    async type(selector, text) {
      await click(selector);
      await write(text);
    },
  };
}

/** The page itself polls, because the expression may depend on anything it shows. */
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

const centreOf = (selector: string): string => `(() => {
  const element = document.querySelector(${JSON.stringify(selector)});
  if (!element) return;
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const box = element.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return element.contains(document.elementFromPoint(x, y)) && { x, y };
})()`;

export async function withTimeout<T>(work: Promise<T>, otherwise: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(otherwise)), pageTimeoutMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
