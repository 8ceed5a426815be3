/** A page of Chromium, driven by its DevTools protocol. */
import { writeFile } from 'node:fs/promises';
import {
  createPageActions,
  withTimeout,
  type AnyPage,
  type BrowserCookie,
  type KeyboardKey,
  type EmulationOptions,
  type PageLog,
  type PagePoint,
} from './any-page.ts';
import type { Devtools, Fields } from './devtools.ts';
import { eventually } from '../eventually.ts';

export interface BrowserPage extends AnyPage {
  /** Sends any other command of the protocol. */
  send: Send;
  /** Calls the listener with events of the page, as the protocol describes them. */
  on(method: string, listener: (event: Fields) => void): void;
}

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

/**
 * The tab that this page or another page of its browser context opened, that has an address, and that no test
 * has taken yet.
 */
export async function attachToNewTab(devtools: Devtools, { context }: BrowserPage): Promise<BrowserPage> {
  const isNew = ({ type, attached, url, browserContextId }: Target): boolean =>
    type === 'page' && !attached && url.startsWith('https:') && browserContextId === context;
  const { targetInfos } = await eventually(
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
  const notes = await recordPageLog(devtools, sessionId, send);
  const input = createInput(send);
  return {
    ...createNavigation(devtools, sessionId, send),
    ...input,
    ...createPageActions(input),
    send,
    on: (method, listener) => devtools.on(method, sessionId, listener),
    ...notes,
    context,
  };
}

const newContext = async (devtools: Devtools): Promise<string> =>
  (await devtools.send<{ browserContextId: string }>('Target.createBrowserContext')).browserContextId;

type Send = <Result = Fields>(method: string, params?: Fields) => Promise<Result>;

/** The fields that are read from the events. */
interface Events {
  'Network.requestWillBeSent': { request: { url: string } };
  'Log.entryAdded': { entry: { level: string; text: string; url?: string } };
  'Runtime.consoleAPICalled': { type: string; args: unknown[] };
  'Runtime.exceptionThrown': { exceptionDetails: Thrown };
  'Audits.issueAdded': { issue: { code: string; details: Fields } };
}

async function recordPageLog(devtools: Devtools, session: string, send: Send): Promise<PageLog> {
  const notes: PageLog = { requests: [], errors: [], violations: [] };
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
    notes.errors.push(messageOf(exceptionDetails));
  });
  note('Audits.issueAdded', ({ issue }) => {
    if (issue.code === 'ContentSecurityPolicyIssue') notes.violations.push(JSON.stringify(issue.details));
  });
  for (const domain of ['Page', 'Runtime', 'Network', 'Log', 'Audits']) await send(`${domain}.enable`);
  return notes;
}

function createNavigation(devtools: Devtools, session: string, send: Send) {
  let loaded = (): void => {};
  devtools.on('Page.loadEventFired', session, () => loaded());
  return {
    async goto(url: string): Promise<void> {
      const load = new Promise<void>((resolve) => (loaded = resolve));
      const gone = await send<{ loaderId?: string; errorText?: string }>('Page.navigate', { url });
      if (gone.errorText !== undefined) throw new Error(`${url}: ${gone.errorText}`);
      // A fragment of the same page: nothing is loaded.
      if (gone.loaderId !== undefined) await withTimeout(load, `${url} did not load`);
    },
    async emulate({
      dark = false,
      width = 1_280,
      height = 900,
      phone = false,
    }: EmulationOptions): Promise<void> {
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
    async keep(cookie: BrowserCookie): Promise<void> {
      const kind = { path: '/', secure: true, httpOnly: true, sameSite: 'Strict' };
      await send('Network.setCookie', { ...cookie, ...kind });
    },
    async close(): Promise<void> {
      await send('Page.close');
    },
  };
}

function createInput(send: Send) {
  let isDown = false;
  return {
    async evaluate<T>(expression: string): Promise<T> {
      const asked = { expression, awaitPromise: true, returnByValue: true };
      const reply = await send<{ result: { value: T }; exceptionDetails?: Thrown }>(
        'Runtime.evaluate',
        asked,
      );
      if (reply.exceptionDetails) throw new Error(`${expression}: ${messageOf(reply.exceptionDetails)}`);
      return reply.result.value;
    },
    async byHand(expression: string): Promise<void> {
      await send('Runtime.evaluate', { expression, userGesture: true });
    },
    async write(text: string): Promise<void> {
      await send('Input.insertText', { text });
    },
    async mouse(action: keyof typeof mouseEvents, at: PagePoint): Promise<void> {
      isDown = action === 'press' || (isDown && action === 'move');
      const button = isDown || action === 'release' ? { button: 'left', clickCount: 1 } : {};
      const event = { type: mouseEvents[action], ...at, buttons: Number(isDown), ...button };
      await send('Input.dispatchMouseEvent', event);
    },
    async wheel(at: PagePoint, deltaY: number): Promise<void> {
      await send('Input.dispatchMouseEvent', { type: 'mouseWheel', ...at, deltaX: 0, deltaY });
    },
    async key(action: 'press' | 'release', { code, key }: KeyboardKey): Promise<void> {
      const text = key === 'Enter' ? '\r' : key.length === 1 ? key : undefined;
      const isPressed = action === 'press' && text !== undefined;
      const type = action === 'press' ? 'keyDown' : 'keyUp';
      await send('Input.dispatchKeyEvent', { type, code, key, ...(isPressed && { text }) });
    },
  };
}

const mouseEvents = { move: 'mouseMoved', press: 'mousePressed', release: 'mouseReleased' } as const;

interface Thrown {
  text: string;
  exception?: { description?: string };
}

const messageOf = ({ text, exception }: Thrown): string => exception?.description ?? text;
