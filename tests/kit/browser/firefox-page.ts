/** A page of Firefox, driven by WebDriver BiDi. */
import { writeFile } from 'node:fs/promises';
import {
  createPageActions,
  withTimeout,
  type AnyPage,
  type BrowserCookie,
  type PressAction,
  type KeyboardKey,
  type EmulationOptions,
  type PageLog,
  type PagePoint,
} from './any-page.ts';
import { toPlainValue, type Bidi, type RemoteValue } from './bidi.ts';
import type { Fields } from './devtools.ts';

export interface FirefoxPage extends AnyPage {
  /** Its id in the protocol. */
  tab: string;
}

interface Requested {
  request: { url: string };
}

/** The fields that are read from the events. */
interface Events {
  'network.beforeRequestSent': Requested;
  'network.responseCompleted': Requested & { response: { status: number } };
  'network.fetchError': Requested & { errorText: string };
  'log.entryAdded': { level: string; text: string };
  'script.message': { data: RemoteValue };
}

/** Events are delivered only after a subscription. */
export const subscribedEvents: readonly (keyof Events)[] = [
  'network.beforeRequestSent',
  'network.responseCompleted',
  'network.fetchError',
  'log.entryAdded',
  'script.message',
];

export async function openFirefoxPage(bidi: Bidi, beside?: FirefoxPage): Promise<FirefoxPage> {
  const context = beside?.context ?? (await newContext(bidi));
  const opened = { type: 'tab', userContext: context };
  const { context: tab } = await bidi.send<{ context: string }>('browsingContext.create', opened);
  const notes = await recordPageLog(bidi, tab);
  const input = createInput(bidi, tab);
  return {
    ...createNavigation(bidi, tab, context),
    ...input,
    ...createPageActions(input),
    ...notes,
    context,
    tab,
  };
}

const newContext = async (bidi: Bidi): Promise<string> =>
  (await bidi.send<{ userContext: string }>('browser.createUserContext')).userContext;

/** Firefox does not report blocked requests to the driver, but it reports them to the page. */
const watchPolicy = `(tell) => addEventListener('securitypolicyviolation',
  ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) =>
    tell([effectiveDirective, blockedURI, sourceFile, lineNumber].join(' ')))`;

async function recordPageLog(bidi: Bidi, tab: string): Promise<PageLog> {
  const notes: PageLog = { requests: [], errors: [], violations: [] };
  const note = <Name extends keyof Events>(method: Name, take: (event: Events[Name]) => void): void =>
    bidi.on(method, tab, take as (event: Fields) => void);
  note('network.beforeRequestSent', ({ request: { url } }) => {
    if (!url.startsWith('data:')) notes.requests.push(url);
  });
  note('network.responseCompleted', ({ request, response: { status } }) => {
    if (status >= 400) notes.errors.push(`the server responded with a status of ${status} ${request.url}`);
  });
  note('network.fetchError', ({ request, errorText }) => {
    // A request that the page itself cancelled is no error.
    if (errorText !== 'NS_BINDING_ABORTED') notes.errors.push(`${errorText} ${request.url}`);
  });
  note('log.entryAdded', ({ level, text }) => {
    if (level === 'error') notes.errors.push(text);
  });
  note('script.message', ({ data }) => void notes.violations.push(String(toPlainValue(data))));
  await bidi.send('script.addPreloadScript', {
    functionDeclaration: watchPolicy,
    arguments: [{ type: 'channel', value: { channel: 'violations' } }],
    contexts: [tab],
  });
  return notes;
}

function createNavigation(bidi: Bidi, tab: string, userContext: string) {
  const send = (method: string, params: object = {}): Promise<unknown> =>
    bidi.send(`browsingContext.${method}`, { context: tab, ...params });
  return {
    async goto(url: string): Promise<void> {
      await withTimeout(send('navigate', { url, wait: 'complete' }), `${url} did not load`);
    },
    /** The colour scheme and the kind of pointer are settings of the whole browser. */
    async emulate({ width = 1_280, height = 900, phone = false }: EmulationOptions): Promise<void> {
      await send('setViewport', { viewport: { width, height }, devicePixelRatio: phone ? 2 : 1 });
    },
    async screenshot(file: string, { wholePage = false } = {}): Promise<void> {
      const { data } = (await send('captureScreenshot', {
        origin: wholePage ? 'document' : 'viewport',
      })) as { data: string };
      await writeFile(file, Buffer.from(data, 'base64'));
    },
    async keep({ name, value, url }: BrowserCookie): Promise<void> {
      const kind = { path: '/', secure: true, httpOnly: true, sameSite: 'strict' };
      const cookie = { name, value: { type: 'string', value }, domain: new URL(url).hostname, ...kind };
      await bidi.send('storage.setCookie', { cookie, partition: { type: 'storageKey', userContext } });
    },
    async close(): Promise<void> {
      await send('close');
    },
  };
}

type Reply =
  | { type: 'success'; result: RemoteValue }
  | { type: 'exception'; exceptionDetails: { text: string } };

/** The protocol gives keys that type nothing characters in the private use area. */
const namedKeys: Record<string, string> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  '\n': '\uE007',
  Control: '\uE009',
  Escape: '\uE00C',
};

const rounded = ({ x, y }: PagePoint): PagePoint => ({ x: Math.round(x), y: Math.round(y) });

function createInput(bidi: Bidi, tab: string) {
  const run = async <T>(expression: string, userActivation: boolean): Promise<T> => {
    const asked = { expression, target: { context: tab }, awaitPromise: true, userActivation };
    const reply = await bidi.send<Reply>('script.evaluate', asked);
    if (reply.type === 'exception') throw new Error(`${expression}: ${reply.exceptionDetails.text}`);
    return toPlainValue(reply.result) as T;
  };
  const perform = (source: object, ...actions: object[]): Promise<unknown> =>
    bidi.send('input.performActions', { context: tab, actions: [{ ...source, actions }] });
  return {
    evaluate: <T>(expression: string) => run<T>(expression, false),
    async byHand(expression: string): Promise<void> {
      await run(`${expression}, undefined`, true);
    },
    async write(text: string): Promise<void> {
      // Typing an empty text over a selection deletes it.
      const keys = text === '' ? [namedKeys['Backspace']!] : [...text].map((each) => namedKeys[each] ?? each);
      const actions = keys.flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]);
      await perform({ type: 'key', id: 'keys' }, ...actions);
    },
    async mouse(action: 'move' | PressAction, at: PagePoint): Promise<void> {
      const pressed = { type: action === 'press' ? 'pointerDown' : 'pointerUp', button: 0 };
      const moved = { type: 'pointerMove', ...rounded(at) };
      await perform({ type: 'pointer', id: 'mouse' }, moved, ...(action === 'move' ? [] : [pressed]));
    },
    async wheel(at: PagePoint, deltaY: number): Promise<void> {
      const scrolled = { type: 'scroll', ...rounded(at), deltaX: 0, deltaY };
      await perform({ type: 'wheel', id: 'wheel' }, scrolled);
    },
    async key(action: PressAction, { key }: KeyboardKey): Promise<void> {
      const type = action === 'press' ? 'keyDown' : 'keyUp';
      await perform({ type: 'key', id: 'keys' }, { type, value: namedKeys[key] ?? key });
    },
  };
}
