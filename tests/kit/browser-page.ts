/** A page of the browser: goes somewhere, looks, clicks and types as a person would, and keeps note of all it asked for and complained of. */
import { writeFile } from 'node:fs/promises';
import type { Devtools, Fields } from './devtools.ts';
import { seen } from './seen.ts';

export interface Look {
  dark?: boolean;
  width?: number;
  height?: number;
  /** A touch screen with a phone's idea of a page. */
  phone?: boolean;
}

export interface BrowserPage {
  /** Resolves when the page and all it names have loaded. */
  goto(url: string): Promise<void>;
  /** The value of a JavaScript expression in the page; a promise is waited for. */
  evaluate<T = unknown>(expression: string): Promise<T>;
  /** Waits until the expression is truthy and resolves with it; an element is true. */
  until<T = unknown>(expression: string): Promise<T>;
  /** Waits until the element's middle can be seen, and clicks there. */
  click(selector: string): Promise<void>;
  /** Clicks into the field and types. */
  type(selector: string, text: string): Promise<void>;
  screenshot(file: string, options?: { wholePage?: boolean }): Promise<void>;
  emulate(look: Look): Promise<void>;
  /** Whatever else the browser can be told to do, in the words of its protocol. */
  send: Send;
  /** What the browser tells of the page, in the words of its protocol. */
  on(method: string, listener: (event: Fields) => void): void;
  /** What its cookies and storage belong to. */
  context: string;
  /** Every address asked for so far, whether it answered or not; pictures inside a style are not asked for. */
  requests: string[];
  /** Errors on the console, exceptions nobody caught, resources that did not load. */
  errors: string[];
  /** What the page's Content-Security-Policy has refused. */
  violations: string[];
}

const patienceMs = 60_000;

export async function openPage(devtools: Devtools, beside?: BrowserPage): Promise<BrowserPage> {
  const browserContextId = beside?.context ?? (await newContext(devtools));
  const { targetId } = await devtools.send<{ targetId: string }>('Target.createTarget', {
    url: 'about:blank',
    browserContextId,
  });
  return attach(devtools, targetId, browserContextId);
}

interface Target {
  targetId: string;
  type: string;
  attached: boolean;
  url: string;
  browserContextId?: string;
}

/** The tab that was opened by this page or its likes, that knows where it goes, and that nobody has looked at yet. */
export async function followTab(devtools: Devtools, { context }: BrowserPage): Promise<BrowserPage> {
  const isNew = ({ type, attached, url, browserContextId }: Target): boolean =>
    type === 'page' && !attached && url.startsWith('https:') && browserContextId === context;
  const { targetInfos } = await seen(
    () => devtools.send<{ targetInfos: Target[] }>('Target.getTargets'),
    (found) => found.targetInfos.some(isNew),
  );
  return attach(devtools, targetInfos.find(isNew)!.targetId, context);
}

async function attach(devtools: Devtools, targetId: string, context: string): Promise<BrowserPage> {
  const { sessionId } = await devtools.send<{ sessionId: string }>('Target.attachToTarget', {
    targetId,
    flatten: true,
  });
  const send: Send = (method, params) => devtools.send(method, params, sessionId);
  const notes = await takeNotes(devtools, sessionId, send);
  return {
    ...movesOf(devtools, sessionId, send),
    ...handsOf(send),
    send,
    on: (method, listener) => devtools.on(method, sessionId, listener),
    ...notes,
    context,
  };
}

const newContext = async (devtools: Devtools): Promise<string> =>
  (await devtools.send<{ browserContextId: string }>('Target.createBrowserContext')).browserContextId;

type Send = <Result = Fields>(method: string, params?: Fields) => Promise<Result>;

/** What is read of the events that are listened to. */
interface Events {
  'Network.requestWillBeSent': { request: { url: string } };
  'Log.entryAdded': { entry: { level: string; text: string; url?: string } };
  'Runtime.consoleAPICalled': { type: string; args: unknown[] };
  'Runtime.exceptionThrown': { exceptionDetails: Thrown };
  'Audits.issueAdded': { issue: { code: string; details: Fields } };
}

type Notes = Pick<BrowserPage, 'requests' | 'errors' | 'violations'>;

async function takeNotes(devtools: Devtools, session: string, send: Send): Promise<Notes> {
  const notes: Notes = { requests: [], errors: [], violations: [] };
  const note = <Name extends keyof Events>(method: Name, take: (event: Events[Name]) => void): void =>
    devtools.on(method, session, take as (event: Fields) => void);
  note('Network.requestWillBeSent', ({ request }) => {
    if (!request.url.startsWith('data:')) notes.requests.push(request.url);
  });
  note('Log.entryAdded', ({ entry }) => {
    if (entry.level === 'error') notes.errors.push(`${entry.text} ${entry.url ?? ''}`);
  });
  note('Runtime.consoleAPICalled', ({ type, args }) => {
    if (type === 'error') notes.errors.push(JSON.stringify(args));
  });
  note('Runtime.exceptionThrown', ({ exceptionDetails }) => {
    notes.errors.push(wordsOf(exceptionDetails));
  });
  note('Audits.issueAdded', ({ issue }) => {
    if (issue.code === 'ContentSecurityPolicyIssue') notes.violations.push(JSON.stringify(issue.details));
  });
  for (const domain of ['Page', 'Runtime', 'Network', 'Log', 'Audits']) await send(`${domain}.enable`);
  return notes;
}

function movesOf(devtools: Devtools, session: string, send: Send) {
  let loaded = (): void => {};
  devtools.on('Page.loadEventFired', session, () => loaded());
  return {
    async goto(url: string): Promise<void> {
      const load = new Promise<void>((resolve) => (loaded = resolve));
      const gone = await send<{ loaderId?: string; errorText?: string }>('Page.navigate', { url });
      if (gone.errorText !== undefined) throw new Error(`${url}: ${gone.errorText}`);
      // Another place in the same page: nothing is loaded.
      if (gone.loaderId !== undefined) await inTime(load, `${url} did not load`);
    },
    async emulate({ dark = false, width = 1_280, height = 900, phone = false }: Look): Promise<void> {
      const scheme = { name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' };
      await send('Emulation.setEmulatedMedia', { features: [scheme] });
      const screen = { width, height, deviceScaleFactor: phone ? 2 : 1, mobile: phone };
      await send('Emulation.setDeviceMetricsOverride', screen);
      await send('Emulation.setTouchEmulationEnabled', { enabled: phone });
    },
    async screenshot(file: string, { wholePage = false } = {}): Promise<void> {
      const { data } = await send<{ data: string }>('Page.captureScreenshot', {
        captureBeyondViewport: wholePage,
      });
      await writeFile(file, Buffer.from(data, 'base64'));
    },
  };
}

function handsOf(send: Send) {
  const evaluate = async <T>(expression: string): Promise<T> => {
    const asked = { expression, awaitPromise: true, returnByValue: true };
    const reply = await send<{ result: { value: T }; exceptionDetails?: Thrown }>('Runtime.evaluate', asked);
    if (reply.exceptionDetails) throw new Error(`${expression}: ${wordsOf(reply.exceptionDetails)}`);
    return reply.result.value;
  };
  const until = <T>(expression: string): Promise<T> =>
    inTime(evaluate<T>(waiting(expression)), `it never came true: ${expression}`);
  const click = async (selector: string): Promise<void> => {
    const { x, y } = await until<{ x: number; y: number }>(middleOf(selector));
    const mouse = { x, y, button: 'left', clickCount: 1 };
    for (const type of ['mousePressed', 'mouseReleased'])
      await send('Input.dispatchMouseEvent', { type, ...mouse });
  };
  const type = async (selector: string, text: string): Promise<void> => {
    await click(selector);
    await send('Input.insertText', { text });
  };
  return { evaluate, until, click, type };
}

/** The page itself looks again and again, as what is waited for may be anything it shows. */
const waiting = (expression: string): string => `new Promise((resolve, reject) => {
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

const middleOf = (selector: string): string => `(() => {
  const element = document.querySelector(${JSON.stringify(selector)});
  if (!element) return;
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const box = element.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return element.contains(document.elementFromPoint(x, y)) && { x, y };
})()`;

interface Thrown {
  text: string;
  exception?: { description?: string };
}

const wordsOf = ({ text, exception }: Thrown): string => exception?.description ?? text;

async function inTime<T>(work: Promise<T>, otherwise: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(otherwise)), patienceMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
