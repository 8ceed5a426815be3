/** What tests ask of a page in whichever browser: goes somewhere, looks, clicks and types as a person would, and keeps note of all it asked for and complained of. */

export interface EmulationOptions {
  dark?: boolean;
  width?: number;
  height?: number;
  /** A touch screen with a phone's idea of a page. */
  phone?: boolean;
}

/** A place in the window. */
export interface PagePoint {
  x: number;
  y: number;
}

/** In the words of `KeyboardEvent`. */
export interface KeyboardKey {
  code: string;
  key: string;
}

export type PressAction = 'press' | 'release';

export interface BrowserCookie {
  name: string;
  value: string;
  /** Of the server that could have set it. */
  url: string;
}

export interface AnyPage {
  /** Resolves when the page and all it names have loaded. */
  goto(url: string): Promise<void>;
  /** The value of a JavaScript expression in the page; a promise is waited for. */
  evaluate<T = unknown>(expression: string): Promise<T>;
  /** As by hand: what a browser allows only then, such as a new tab, is allowed. */
  byHand(expression: string): Promise<void>;
  /** Waits until the expression is truthy and resolves with it; an element is true. */
  until<T = unknown>(expression: string): Promise<T>;
  /** Waits until the element's middle can be seen, and clicks there. */
  click(selector: string): Promise<void>;
  /** Clicks into the field and types. */
  type(selector: string, text: string): Promise<void>;
  /** Writes where the focus is. */
  write(text: string): Promise<void>;
  /** Moves the mouse, or does this with its left button there. */
  mouse(action: 'move' | PressAction, at: PagePoint): Promise<void>;
  wheel(at: PagePoint, deltaY: number): Promise<void>;
  key(action: PressAction, key: KeyboardKey): Promise<void>;
  screenshot(file: string, options?: { wholePage?: boolean }): Promise<void>;
  emulate(look: EmulationOptions): Promise<void>;
  /** Puts a cookie there that is safe from scripts and other sites. */
  keep(cookie: BrowserCookie): Promise<void>;
  close(): Promise<void>;
  /** What its cookies and storage belong to. */
  context: string;
  /** Every address asked for so far, whether it answered or not; pictures inside a style are not asked for. */
  requests: string[];
  /** Errors on the console, exceptions nobody caught, resources that did not load. */
  errors: string[];
  /** What the page's Content-Security-Policy has refused. */
  violations: string[];
}

export interface AnyBrowser<Page extends AnyPage> extends AsyncDisposable {
  /** A new page, with nothing of the other pages in it; or beside one, as a tab of the same browser. */
  page(beside?: Page): Promise<Page>;
  close(): Promise<void>;
}

export type PageLog = Pick<AnyPage, 'requests' | 'errors' | 'violations'>;

const pageTimeoutMs = 180_000;

/** What follows from being able to look, to point and to write. */
export function createPageActions({
  evaluate,
  mouse,
  write,
}: Pick<AnyPage, 'evaluate' | 'mouse' | 'write'>): Pick<AnyPage, 'until' | 'click' | 'type'> {
  const until = <T>(expression: string): Promise<T> =>
    withTimeout(evaluate<T>(pollingScript(expression)), `it never came true: ${expression}`);
  const click = async (selector: string): Promise<void> => {
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

/** The page itself looks again and again, as what is waited for may be anything it shows. */
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
