/** Asks the server: the panel's own operations and, under `v1/`, those of the API, with the types of their rows. */
import type { Operation, Output, Params } from '@drawbridge/contract/operation';
import type { Panel } from '@drawbridge/contract/panel/index';
import type { V1 } from '@drawbridge/contract/v1/index';
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
  const answer = await reach(path, request, asking);
  if (!(answer instanceof Refusal)) return answer;
  if (answer.code === 'signed_out') onSignedOut();
  if (answer.code !== 'confirm_identity' || !(await confirm())) throw answer;
  const again = await reach(path, request, asking);
  if (again instanceof Refusal) throw again;
  return again;
}

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
  const { text } = response;
  const body = (text === '' ? {} : JSON.parse(text)) as {
    error?: { code: string; message: string; field?: string };
  };
  if (response.ok) return body;
  return new Refusal(body.error?.code ?? 'unknown', response.status, body.error);
}

async function carryPlain(address: string, sent: Sent, { signal }: Asking): Promise<Came> {
  const response = await fetch(address, { ...sent, ...(signal && { signal }) });
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
