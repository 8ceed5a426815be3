/** The client of an invitation and its operator, both in a real browser, with a real server between them. */
import { buildWeb } from '../../../scripts/build-web.ts';
import type { TestPerson, TestAccount } from '../../kit/server/account.ts';
import type { Browser } from '../../kit/browser/browser.ts';
import type { EmulationOptions } from '../../kit/browser/any-page.ts';
import type { BrowserPage } from '../../kit/browser/browser-page.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { eventually } from '../../kit/eventually.ts';

export interface JoinFixture extends AsyncDisposable {
  service: TestService;
  account: TestAccount;
  owner: TestPerson;
  code: string;
  /** The current reply of `support/info`. */
  info(): Promise<Record<string, unknown>>;
  /** Waits until the invitation has this status, and returns the whole record. */
  status(wanted: number): Promise<Record<string, unknown>>;
  /** The client's page before anything is pressed. */
  client(look?: EmulationOptions): Promise<BrowserPage>;
  /** The operator's page while it connects. */
  operator(person?: TestPerson): Promise<BrowserPage>;
}

/** Chromium shares a synthetic moving picture of 800 × 450 as its screen, and a synthetic voice. */
export const fakeScreenFlags = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'];

/** The synthetic screen has the largest allowed size, which is more than a busy machine can encode. */
export const smallScreenScript = `
  const share = navigator.mediaDevices?.getDisplayMedia?.bind(navigator.mediaDevices);
  if (share)
    navigator.mediaDevices.getDisplayMedia = (wishes) =>
      share({ ...wishes, video: { ...wishes.video, width: { max: 800 }, height: { max: 450 } } });
`;
/** Sockets can be cut. */
const withSockets = `
  const sockets = [];
  globalThis.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      sockets.push(this);
    }
  };
  globalThis.cutSockets = () => sockets.splice(0).forEach((socket) => socket.close());
`;

export interface JoinOptions {
  /** The browser of the operators, if not the client's. */
  operators?: Browser;
  realScreen?: boolean;
}

export async function startJoinFixture(
  browser: Browser,
  { operators = browser, realScreen = false }: JoinOptions = {},
): Promise<JoinFixture> {
  await buildWeb();
  const service = await startService({ realTime: true });
  const account = await service.account();
  const { owner } = account;
  const created = (await owner.call('support/create', { client_name: 'Anna' })).body['data'];
  const info = async (): Promise<Record<string, unknown>> =>
    (await owner.call('support/info', { connection_id: created.id })).body['data'];
  const pages: BrowserPage[] = [];
  const open = async (url: string, look: EmulationOptions = {}, where = browser): Promise<BrowserPage> => {
    const page = await where.page();
    pages.push(page);
    await page.emulate({ width: 1_280, height: 800, ...look });
    await page.tab.evaluateOnNewDocument(realScreen ? withSockets : smallScreenScript + withSockets);
    await page.goto(url);
    return page;
  };
  return {
    service,
    account,
    owner,
    code: created.invite_code,
    info,
    status: (wanted) => eventually(info, ({ status }) => status === wanted),
    client: (look) => open(created.invite_url, look),
    async operator(person = owner) {
      const { url } = (await person.call('support/connect', { connection_id: created.id })).body['data'];
      const page = await open(url, {}, operators);
      await page.click('.button.primary');
      return page;
    },
    async [Symbol.asyncDispose]() {
      for (const page of pages) await page.close().catch(() => {});
      await service[Symbol.asyncDispose]();
    },
  };
}

/** Presses the button with this label as soon as it is enabled. */
export const pressButtonSaying = async (page: BrowserPage, words: string): Promise<void> => {
  await page.until(`(() => {
    const found = [...document.querySelectorAll('button')].filter((each) => !each.disabled && each.textContent.trim() === ${JSON.stringify(words)}).at(-1);
    document.querySelectorAll('[data-pressed]').forEach((each) => each.removeAttribute('data-pressed'));
    found?.setAttribute('data-pressed', '');
    return found;
  })()`);
  await page.click('[data-pressed]');
};

export const waitForText = (page: BrowserPage, words: string): Promise<unknown> =>
  page.until(`document.body.textContent.includes(${JSON.stringify(words)})`);

/** A few pixels of the operator's picture, as one text. */
export const samplePixels = (page: BrowserPage): Promise<string> =>
  page.evaluate(`(() => {
    const canvas = document.querySelector('canvas');
    if (!canvas || canvas.width < 10) return '';
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const sample = [];
    for (let at = 0; at < data.length; at += 4 * 997) sample.push(data[at] + data[at + 1] + data[at + 2]);
    return canvas.width + 'x' + canvas.height + ':' + sample.join();
  })()`);

/** The page is told that the server offers this program, or none. */
const answerProgram = (client: BrowserPage, reply: string): Promise<unknown> =>
  client.evaluate(`(() => {
    const real = fetch;
    globalThis.fetch = (url, ...rest) =>
      url === '/download/join.json' ? Promise.resolve(new Response('${reply}')) : real(url, ...rest);
  })()`);

/** Whether the server of a test has a program to download depends on what was built before. */
export const offerProgram = (client: BrowserPage): Promise<unknown> =>
  answerProgram(client, '{"line":"run CODE"}');
export const withholdProgram = (client: BrowserPage): Promise<unknown> => answerProgram(client, '{}');
