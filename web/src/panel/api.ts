/**
 * Calls the server: the panel's own operations and, under `v1/`, those of the API. Types come from the operation tables.
 */
import type { Operation, Output, Params } from '@drawbridge/contract/operation';
import type { Panel } from '@drawbridge/contract/panel/index';
import type { V1 } from '@drawbridge/contract/v1/index';
import { withCookieLock, withSharedCookieLock } from './cookie-lock.ts';
import { PanelApiError } from './panel-api-error.ts';

/** Both tables merged, keyed by the path below `/panel/api/`. */
type Rows = Panel & { [Id in keyof V1 as `v1/${Id}`]: V1[Id] };
type IdOf<Shape> = { [Id in keyof Rows]: Rows[Id] extends Shape ? Id : never }[keyof Rows];

type GetId = IdOf<{ method: 'GET' }>;
type PostId = IdOf<{ method: 'POST' }>;
/** Operations that change something but take their parameters from the query string. */
type QueryPostId = IdOf<{ method: 'POST'; from: 'query' }>;

type Row<Id extends keyof Rows> = Rows[Id] extends Operation ? Rows[Id] : never;
export type ApiParamsOf<Id extends keyof Rows> = Params<Row<Id>>;
export type OutputOf<Id extends keyof Rows> = Output<Row<Id>>;

export interface ApiRequestOptions {
  /** Set for requests that the page sends by itself: the server does not count them as user activity. */
  background?: boolean;
  signal?: AbortSignal;
  /** Called with the share of the body that has been sent, from 0 to 1. */
  onProgress?: (part: number) => void;
}

/** The CSRF token that every POST sends; the operation `me` returns it. */
let csrf = '';
export const setCsrf = (value: string): void => void (csrf = value);

/** Called when the server reports that nobody is signed in. */
let onSignedOut = (): void => {};
export const whenSignedOut = (listener: () => void): void => void (onSignedOut = listener);

/** Called when an operation requires the user to confirm their identity; resolves to whether they did. */
let confirm = async (): Promise<boolean> => false;
export const whenConfirmationIsNeeded = (ask: () => Promise<boolean>): void => void (confirm = ask);

export const get = <Id extends GetId>(
  id: Id,
  params: ApiParamsOf<Id>,
  options: ApiRequestOptions = {},
): Promise<OutputOf<Id>> =>
  send(`${id}${toQueryString(params)}`, { method: 'GET' }, options) as Promise<OutputOf<Id>>;

/** For a request that is sent before the page knows who is signed in. Undefined if it fails, for whatever reason. */
export const getUnconfirmed = async <Id extends GetId>(id: Id): Promise<OutputOf<Id> | undefined> => {
  const answer = await sendOnce(id, { method: 'GET' }, {}).catch(() => undefined);
  return answer instanceof PanelApiError ? undefined : (answer as OutputOf<Id> | undefined);
};

export const post = <Id extends Exclude<PostId, QueryPostId>>(
  id: Id,
  params: ApiParamsOf<Id>,
): Promise<OutputOf<Id>> =>
  send(id, { method: 'POST', body: JSON.stringify(params) }) as Promise<OutputOf<Id>>;

export const postByQuery = <Id extends QueryPostId>(id: Id, params: ApiParamsOf<Id>): Promise<OutputOf<Id>> =>
  send(`${id}${toQueryString(params)}`, { method: 'POST' }) as Promise<OutputOf<Id>>;

/** Sends a file as the body and the parameters in the query string. */
export const postFile = <Id extends IdOf<{ method: 'POST'; body: 'bytes' }>>(
  id: Id,
  params: ApiParamsOf<Id>,
  file: Blob,
  options: ApiRequestOptions = {},
): Promise<OutputOf<Id>> =>
  send(`${id}${toQueryString(params)}`, { method: 'POST', body: file }, options) as Promise<OutputOf<Id>>;

/** The URL of a download that the browser performs itself. */
export const toDownloadUrl = <Id extends GetId>(id: Id, params: ApiParamsOf<Id>): string =>
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

/** Operations whose response replaces the session cookie. */
const cookieChangingIds: readonly string[] = [
  'me/confirm',
  'me/confirm/passkey',
  'me/confirm/sso',
] satisfies PostId[];

/**
 * Confirming an identity replaces the session cookie and invalidates the old one at once. Requests that were sent with
 * the old cookie, from this tab or another, fail with `signed_out` or `cross_site`. Before the page accepts such an
 * error, it waits until no tab is replacing the cookie, checks who is signed in, and retries once. The page retries
 * instead of the server accepting the old cookie for a while, so that a stolen cookie becomes useless immediately.
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
  // If the CSRF token was already the current one, `cross_site` means that the page is open at the wrong origin.
  return isSignedIn && (answer.code === 'signed_out' || csrf !== before) ? sendIt() : answer;
}

let recheck: Promise<boolean> | undefined;

/** Resolves to whether somebody is signed in. Concurrent callers share one request. */
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
    traceparent: newTraceparent(),
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

/** Each request begins a trace, which servers that trace continue (W3C Trace Context). */
function newTraceparent(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `00-${hex.slice(0, 32)}-${hex.slice(32)}-01`;
}

/** Undefined if the body is not JSON: then a proxy answered instead of the server. */
function parseBody(text: string): { error?: { code: string; message: string; field?: string } } | undefined {
  try {
    return text === '' ? {} : (JSON.parse(text) as object);
  } catch {
    return undefined;
  }
}

/** Limits GET requests, because a refresh that never ends would block the refreshes after it. */
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

/** Uses XMLHttpRequest because fetch does not report upload progress. */
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
