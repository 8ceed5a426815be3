/**
 * A page of another site in the same browser: it tries to make the panel do or disclose something by every
 * means a browser offers.
 */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import type { BrowserPage } from '../browser/browser-page.ts';
import { eventually } from '../eventually.ts';

export interface ForeignSite extends AsyncDisposable {
  port: number;
}

/** Serves an empty page under every name and address, without any restrictive headers. */
export async function startForeignSite(): Promise<ForeignSite> {
  const pair = await createSelfSigned(['localhost'], new Date());
  const server = createServer(pair, (_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<!doctype html><title>Elsewhere</title><body>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** An operation under /panel/api, with its body. */
export type ForgedRequest = readonly [path: string, body: Record<string, unknown>];

/**
 * Functions for the page: each resolves when the attempt is over, with whatever could be read of the answer.
 */
const tools = (base: string): string => `
  const addressOf = (path) => ${JSON.stringify(`${base}/panel/api/`)} + path;
  const add = (kind, given) => document.body.appendChild(Object.assign(document.createElement(kind), given));
  const over = (target, ...events) => new Promise((resolve) =>
    events.forEach((name) => target.addEventListener(name, () => resolve(name), { once: true })));
  const read = async (asked) => {
    const answer = await asked.catch(() => undefined);
    return answer ? await answer.text() : '';
  };
  const ask = (path, given) => read(fetch(addressOf(path), { credentials: 'include', ...given }));
  /** A form sends its fields as lines with "=": one lies within the last text of the JSON. */
  const fieldOf = (text) => text === '{}' ? ['{"a":"', '"}'] : [text.slice(0, -2), '"}'];
  const formFor = (path, text, more) => {
    const form = add('form', { method: 'post', action: addressOf(path), enctype: 'text/plain', ...more });
    const [name, value] = fieldOf(text);
    form.append(Object.assign(document.createElement('input'), { name, value }));
    return form;
  };
  const byForm = async (path, text, more) => {
    const frame = add('iframe', { name: 'frame' + Math.random() });
    const form = formFor(path, text, { target: frame.name, ...more });
    const loaded = over(frame, 'load');
    form.submit();
    await loaded;
    return frame.contentDocument?.body.innerText ?? '';
  };`;

/** Every request that a page can send without a preflight, and requests that need one. */
const forgedChanges = (forgedRequests: readonly ForgedRequest[]): string => `
  for (const [path, body] of ${JSON.stringify(forgedRequests)}) {
    const text = JSON.stringify(body);
    const plain = { method: 'POST', body: text, headers: { 'content-type': 'text/plain' } };
    found.push(await byForm(path, text), await byForm(path, text, { enctype: 'application/x-www-form-urlencoded' }));
    found.push(await ask(path, { ...plain, mode: 'no-cors' }));
    found.push(await ask(path, plain));
    found.push(await ask(path, { method: 'POST', body: text, headers: { 'content-type': 'application/json' } }));
    found.push(await ask(path, { ...plain, headers: { 'x-drawbridge-csrf': 'guessed' } }));
    navigator.sendBeacon(addressOf(path), text);
    await over(add('img', { src: addressOf(path) }), 'error', 'load');
  }`;

const forgedReads = (paths: readonly string[]): string => `
  for (const path of ${JSON.stringify(paths)}) {
    found.push(await ask(path), await ask(path, { mode: 'no-cors' }));
    for (const kind of ['img', 'script'])
      if ((await over(add(kind, { src: addressOf(path) }), 'error', 'load')) === 'load') found.push(kind + ' of ' + path);
  }
  const stream = new EventSource(addressOf('events'), { withCredentials: true });
  if ((await over(stream, 'error', 'open', 'message')) !== 'error') found.push('the stream');
  stream.close();`;

/** Tries all of them and resolves with whatever the page could read. */
export const tryAllRequests = (
  page: BrowserPage,
  base: string,
  { forgedRequests, paths }: { forgedRequests: readonly ForgedRequest[]; paths: readonly string[] },
): Promise<string[]> =>
  page.evaluate(`(async () => {
    const found = [];
    ${tools(base)}
    ${forgedChanges(forgedRequests)}
    ${forgedReads(paths)}
    return found.filter((each) => each !== '');
  })()`);

/**
 * Submits each as a form that navigates the whole tab: of everything a page of another site can do, browsers
 * trust this the most.
 */
export async function submitAllForms(
  page: BrowserPage,
  base: string,
  forgedRequests: readonly ForgedRequest[],
): Promise<void> {
  const home = await page.evaluate<string>('location.href');
  for (const [path, body] of forgedRequests) {
    await page.goto(home);
    const text = JSON.stringify(JSON.stringify(body));
    await page.evaluate(`{ ${tools(base)}; formFor(${JSON.stringify(path)}, ${text}, {}).submit(); }`);
    await eventually(
      () => page.evaluate<string>(`document.readyState === 'complete' ? location.href : ''`).catch(() => ''),
      (href) => href.startsWith(base),
    );
  }
  await page.goto(home);
}

/** Puts the address into a frame; resolves when the browser reports that this is not allowed. */
export async function untilNotFramed(page: BrowserPage, address: string): Promise<void> {
  await page.evaluate(`{
    const frame = document.createElement('iframe');
    frame.src = ${JSON.stringify(address)};
    document.body.replaceChildren(frame);
  }`);
  await eventually(
    () => page.errors,
    (errors) =>
      errors.some((error) => error.includes(`"frame-ancestors 'none'". The request has been blocked`)),
  );
}
