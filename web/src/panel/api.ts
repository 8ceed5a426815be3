/** Asks the server: the panel's own operations and, under `v1/`, those of the API, with the types of their rows. */
import type { Operation, Output, Params } from '@drawbridge/contract/operation';
import type { Panel } from '@drawbridge/contract/panel/index';
import type { V1 } from '@drawbridge/contract/v1/index';
import { alone, whenAlone } from './cookie-change.ts';
import { Refusal } from './refusal.ts';

/** Both tables as one, by the path below `/panel/api/`. */
type Rows = Panel & { [Id in keyof V1 as `v1/${Id}`]: V1[Id] };
type IdOf<Shape> = { [Id in keyof Rows]: Rows[Id] extends Shape ? Id : never }[keyof Rows];

type Reading = IdOf<{ method: 'GET' }>;
type Writing = IdOf<{ method: 'POST' }>;
/** Operations whose parameters travel in the address though they change something. */
type ByQuery = IdOf<{ method: 'POST'; from: 'query' }>;

type Row<Id extends keyof Rows> = Rows[Id] extends Operation ? Rows[Id] : never;
type Given<Id extends keyof Rows> = Params<Row<Id>>;
export type Answer<Id extends keyof Rows> = Output<Row<Id>>;

export interface Asking {
  /** Set where the page asks by itself: it does not count as somebody being there. */
  background?: boolean;
  signal?: AbortSignal;
  /** Told how much of the body is on its way, from 0 to 1. */
  onProgress?: (part: number) => void;
}

/** What every POST brings back to show that it comes from this page; told by `me`. */
let csrf = '';
export const setCsrf = (value: string): void => void (csrf = value);

/** Called when the server no longer knows who is asking. */
let onSignedOut = (): void => {};
export const whenSignedOut = (listener: () => void): void => void (onSignedOut = listener);

/** Called when an operation wants to see again who is asking; true when that was shown. */
let confirm = async (): Promise<boolean> => false;
export const whenConfirmationIsNeeded = (ask: () => Promise<boolean>): void => void (confirm = ask);

export const get = <Id extends Reading>(id: Id, given: Given<Id>, asking: Asking = {}): Promise<Answer<Id>> =>
  send(`${id}${queryOf(given)}`, { method: 'GET' }, asking) as Promise<Answer<Id>>;

export const post = <Id extends Exclude<Writing, ByQuery>>(id: Id, given: Given<Id>): Promise<Answer<Id>> =>
  send(id, { method: 'POST', body: JSON.stringify(given) }) as Promise<Answer<Id>>;

export const postByQuery = <Id extends ByQuery>(id: Id, given: Given<Id>): Promise<Answer<Id>> =>
  send(`${id}${queryOf(given)}`, { method: 'POST' }) as Promise<Answer<Id>>;

/** Sends a file; the parameters travel in the address. */
export const postFile = <Id extends IdOf<{ method: 'POST'; body: 'bytes' }>>(
  id: Id,
  given: Given<Id>,
  file: Blob,
  asking: Asking = {},
): Promise<Answer<Id>> =>
  send(`${id}${queryOf(given)}`, { method: 'POST', body: file }, asking) as Promise<Answer<Id>>;

/** The address of something to be downloaded by the browser itself. */
export const addressOf = <Id extends Reading>(id: Id, given: Given<Id>): string =>
  `/panel/api/${id}${queryOf(given)}`;

function queryOf(given: object): string {
  const pairs = Object.entries(given).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? '' : `?${query}`;
}

interface Sent {
  method: 'GET' | 'POST';
  body?: string | Blob;
  headers?: Record<string, string>;
}

interface Came {
  ok: boolean;
  status: number;
  text: string;
}

async function send(path: string, request: Sent, asking: Asking = {}): Promise<unknown> {
  const answer = await known(path, request, asking);
  if (!(answer instanceof Refusal)) return answer;
  if (answer.code === 'signed_out') onSignedOut();
  if (answer.code !== 'confirm_identity' || !(await confirm())) throw answer;
  const again = await known(path, request, asking);
  if (again instanceof Refusal) throw again;
  return again;
}

/** Each gives the browser another cookie. */
const givesCookie: readonly string[] = ['me/confirm', 'me/confirm/passkey'] satisfies Writing[];

/**
 * Whoever shows again who they are is given another cookie, and the one before is worth nothing from then on. What was
 * on its way with it, from this tab or another, is told that nobody is signed in, or that it is not from a page of ours.
 * So before that is believed, the page waits until no tab is being given a cookie, and looks who is signed in once more.
 * It is the page that is patient and not the server: a cookie that was stolen is worth nothing at once, as before.
 */
async function known(path: string, request: Sent, asking: Asking): Promise<unknown> {
  const reachIt = (): Promise<unknown> => reach(path, request, asking);
  const before = csrf;
  const answer = givesCookie.includes(path) ? await alone(reachIt) : await reachIt();
  if (!(answer instanceof Refusal) || !['signed_out', 'cross_site'].includes(answer.code)) return answer;
  const isIn = await lookAgain();
  // A page of ours that is not taken for one though it sends what it should is at the wrong address.
  return isIn && (answer.code === 'signed_out' || csrf !== before) ? reachIt() : answer;
}

let looking: Promise<boolean> | undefined;

/** Whether somebody is signed in here after all; all who ask at the same time look once. */
const lookAgain = (): Promise<boolean> =>
  (looking ??= whenAlone(async () => {
    const answer = await reach('me', { method: 'GET' }, { background: true });
    if (answer instanceof Refusal) return false;
    setCsrf((answer as Answer<'me'>).data.csrf);
    return true;
  }).finally(() => (looking = undefined)));

async function reach(path: string, request: Sent, asking: Asking): Promise<unknown> {
  const { background, signal, onProgress } = asking;
  const headers = {
    ...(request.method === 'POST' && { 'x-drawbridge-csrf': csrf }),
    ...(background && { 'x-drawbridge-background': '1' }),
  };
  const carry = onProgress ? carryWatched : carryPlain;
  const response = await carry(`/panel/api/${path}`, { ...request, headers }, asking).catch(
    (error: unknown) => {
      if (signal?.aborted) throw error;
      throw new Refusal('unreachable', 0);
    },
  );
  const body = bodyOf(response.text);
  if (!body) return new Refusal('unexpected', response.status);
  if (response.ok) return body;
  return new Refusal(body.error?.code ?? 'unknown', response.status, body.error);
}

/** Undefined when it is not in the server's words: something between it and us has answered. */
function bodyOf(text: string): { error?: { code: string; message: string; field?: string } } | undefined {
  try {
    return text === '' ? {} : (JSON.parse(text) as object);
  } catch {
    return undefined;
  }
}

/** Who asks for something does not wait for longer: nothing else is asked for meanwhile. */
const patienceMs = 60_000;

async function carryPlain(address: string, sent: Sent, { signal }: Asking): Promise<Came> {
  const ends = [signal, sent.method === 'GET' ? AbortSignal.timeout(patienceMs) : undefined];
  const response = await fetch(address, {
    ...sent,
    signal: AbortSignal.any(ends.filter((each) => each !== undefined)),
  });
  return { ok: response.ok, status: response.status, text: await response.text() };
}

/** The older way to ask: the only one that tells how much of a body has left. */
function carryWatched(
  address: string,
  { method, body, headers }: Sent,
  { signal, onProgress }: Asking,
): Promise<Came> {
  const { promise, resolve, reject } = Promise.withResolvers<Came>();
  const asking = new XMLHttpRequest();
  asking.open(method, address);
  for (const [name, value] of Object.entries(headers ?? {})) asking.setRequestHeader(name, value);
  asking.upload.addEventListener('progress', ({ loaded, total }) =>
    onProgress?.(total > 0 ? loaded / total : 0),
  );
  asking.addEventListener('load', () =>
    resolve({ ok: asking.status < 300, status: asking.status, text: asking.responseText }),
  );
  asking.addEventListener('error', () => reject(new Error('unreachable')));
  asking.addEventListener('abort', () => reject(new Error('aborted')));
  signal?.addEventListener('abort', () => asking.abort());
  asking.send(body);
  return promise;
}
