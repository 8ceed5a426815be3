/** Asks the server: the panel's own operations and, under `v1/`, those of the API, with the types of their rows. */
import type { Operation, Output, Params } from '@drawbridge/contract/operation';
import type { Panel } from '@drawbridge/contract/panel/index';
import type { V1 } from '@drawbridge/contract/v1/index';
import { withCookieLock, withSharedCookieLock } from './cookie-lock.ts';
import { PanelApiError } from './panel-api-error.ts';

/** Both tables as one, by the path below `/panel/api/`. */
type Rows = Panel & { [Id in keyof V1 as `v1/${Id}`]: V1[Id] };
type IdOf<Shape> = { [Id in keyof Rows]: Rows[Id] extends Shape ? Id : never }[keyof Rows];

type GetId = IdOf<{ method: 'GET' }>;
type PostId = IdOf<{ method: 'POST' }>;
/** Operations whose parameters travel in the address though they change something. */
type QueryPostId = IdOf<{ method: 'POST'; from: 'query' }>;

type Row<Id extends keyof Rows> = Rows[Id] extends Operation ? Rows[Id] : never;
type ParamsOf<Id extends keyof Rows> = Params<Row<Id>>;
export type OutputOf<Id extends keyof Rows> = Output<Row<Id>>;

export interface ApiRequestOptions {
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

export const get = <Id extends GetId>(
  id: Id,
  params: ParamsOf<Id>,
  options: ApiRequestOptions = {},
): Promise<OutputOf<Id>> =>
  send(`${id}${toQueryString(params)}`, { method: 'GET' }, options) as Promise<OutputOf<Id>>;

export const post = <Id extends Exclude<PostId, QueryPostId>>(
  id: Id,
  params: ParamsOf<Id>,
): Promise<OutputOf<Id>> =>
  send(id, { method: 'POST', body: JSON.stringify(params) }) as Promise<OutputOf<Id>>;

export const postByQuery = <Id extends QueryPostId>(id: Id, params: ParamsOf<Id>): Promise<OutputOf<Id>> =>
  send(`${id}${toQueryString(params)}`, { method: 'POST' }) as Promise<OutputOf<Id>>;

/** Sends a file; the parameters travel in the address. */
export const postFile = <Id extends IdOf<{ method: 'POST'; body: 'bytes' }>>(
  id: Id,
  params: ParamsOf<Id>,
  file: Blob,
  options: ApiRequestOptions = {},
): Promise<OutputOf<Id>> =>
  send(`${id}${toQueryString(params)}`, { method: 'POST', body: file }, options) as Promise<OutputOf<Id>>;

/** The address of something to be downloaded by the browser itself. */
export const toDownloadUrl = <Id extends GetId>(id: Id, params: ParamsOf<Id>): string =>
  `/panel/api/${id}${toQueryString(params)}`;

function toQueryString(params: object): string {
  const pairs = Object.entries(params).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? '' : `?${query}`;
}

interface ApiRequest {
  method: 'GET' | 'POST';
  body?: string | Blob;
  headers?: Record<string, string>;
}

interface ApiResponse {
  ok: boolean;
  status: number;
  text: string;
}

async function send(path: string, request: ApiRequest, options: ApiRequestOptions = {}): Promise<unknown> {
  const answer = await sendAndRecheck(path, request, options);
  if (!(answer instanceof PanelApiError)) return answer;
  if (answer.code === 'signed_out') onSignedOut();
  if (answer.code !== 'confirm_identity' || !(await confirm())) throw answer;
  const again = await sendAndRecheck(path, request, options);
  if (again instanceof PanelApiError) throw again;
  return again;
}

/** Each gives the browser another cookie. */
const cookieChangingIds: readonly string[] = ['me/confirm', 'me/confirm/passkey'] satisfies PostId[];

/**
 * Whoever shows again who they are is given another cookie, and the one before is worth nothing from then on. What was
 * on its way with it, from this tab or another, is told that nobody is signed in, or that it is not from a page of ours.
 * So before that is believed, the page waits until no tab is being given a cookie, and looks who is signed in once more.
 * It is the page that is patient and not the server: a cookie that was stolen is worth nothing at once, as before.
 */
async function sendAndRecheck(
  path: string,
  request: ApiRequest,
  options: ApiRequestOptions,
): Promise<unknown> {
  const sendIt = (): Promise<unknown> => sendOnce(path, request, options);
  const before = csrf;
  const answer = cookieChangingIds.includes(path) ? await withCookieLock(sendIt) : await sendIt();
  if (!(answer instanceof PanelApiError) || !['signed_out', 'cross_site'].includes(answer.code))
    return answer;
  const isSignedIn = await recheckSignIn();
  // A page of ours that is not taken for one though it sends what it should is at the wrong address.
  return isSignedIn && (answer.code === 'signed_out' || csrf !== before) ? sendIt() : answer;
}

let recheck: Promise<boolean> | undefined;

/** Whether somebody is signed in here after all; all who ask at the same time look once. */
const recheckSignIn = (): Promise<boolean> =>
  (recheck ??= withSharedCookieLock(async () => {
    const answer = await sendOnce('me', { method: 'GET' }, { background: true });
    if (answer instanceof PanelApiError) return false;
    setCsrf((answer as OutputOf<'me'>).data.csrf);
    return true;
  }).finally(() => (recheck = undefined)));

async function sendOnce(path: string, request: ApiRequest, options: ApiRequestOptions): Promise<unknown> {
  const { background, signal, onProgress } = options;
  const headers = {
    ...(request.method === 'POST' && { 'x-drawbridge-csrf': csrf }),
    ...(background && { 'x-drawbridge-background': '1' }),
  };
  const transport = onProgress ? sendByXhr : sendByFetch;
  const response = await transport(`/panel/api/${path}`, { ...request, headers }, options).catch(
    (error: unknown) => {
      if (signal?.aborted) throw error;
      throw new PanelApiError('unreachable', 0);
    },
  );
  const body = parseBody(response.text);
  if (!body) return new PanelApiError('unexpected', response.status);
  if (response.ok) return body;
  return new PanelApiError(body.error?.code ?? 'unknown', response.status, body.error);
}

/** Undefined when it is not in the server's words: something between it and us has answered. */
function parseBody(text: string): { error?: { code: string; message: string; field?: string } } | undefined {
  try {
    return text === '' ? {} : (JSON.parse(text) as object);
  } catch {
    return undefined;
  }
}

/** Who asks for something does not wait for longer: nothing else is asked for meanwhile. */
const requestTimeoutMs = 60_000;

async function sendByFetch(
  address: string,
  request: ApiRequest,
  { signal }: ApiRequestOptions,
): Promise<ApiResponse> {
  const signals = [signal, request.method === 'GET' ? AbortSignal.timeout(requestTimeoutMs) : undefined];
  const response = await fetch(address, {
    ...request,
    signal: AbortSignal.any(signals.filter((each) => each !== undefined)),
  });
  return { ok: response.ok, status: response.status, text: await response.text() };
}

/** The older way to ask: the only one that tells how much of a body has left. */
function sendByXhr(
  address: string,
  { method, body, headers }: ApiRequest,
  { signal, onProgress }: ApiRequestOptions,
): Promise<ApiResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<ApiResponse>();
  const xhr = new XMLHttpRequest();
  xhr.open(method, address);
  for (const [name, value] of Object.entries(headers ?? {})) xhr.setRequestHeader(name, value);
  xhr.upload.addEventListener('progress', ({ loaded, total }) =>
    onProgress?.(total > 0 ? loaded / total : 0),
  );
  xhr.addEventListener('load', () =>
    resolve({ ok: xhr.status < 300, status: xhr.status, text: xhr.responseText }),
  );
  xhr.addEventListener('error', () => reject(new Error('unreachable')));
  xhr.addEventListener('abort', () => reject(new Error('aborted')));
  signal?.addEventListener('abort', () => xhr.abort());
  xhr.send(body);
  return promise;
}
