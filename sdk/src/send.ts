/** Sends an operation: builds the request, sends it, and retries where that is safe. */
import { DrawbridgeError } from './error.ts';
import type { Bytes, OperationId, OperationRoute } from './operations.ts';
import { routes } from './operations.ts';
import { isTransientStatus, type RetryPolicy, retryDelay, parseRetryAfter, wait } from './retry.ts';

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Configuration shared by all requests of a client. */
export interface ClientConfig {
  base: string;
  headers: Record<string, string>;
  fetch: Fetch;
  timeoutMs: number;
  retryPolicy: RetryPolicy;
}

export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** The ETag of an earlier reply. If nothing has changed since, the response is 304 without a body. */
  ifNoneMatch?: string | undefined;
  /** The file, if the operation takes one. */
  bytes?: Bytes | undefined;
}

/** Any response of the server. */
export interface RawResponse {
  http: number;
  headers: Headers;
  /** The JSON object in the body; `{}` if there is none. */
  body: Record<string, unknown>;
  /** The file, if the operation succeeded and returns one. */
  bytes?: ReadableStream<Uint8Array<ArrayBuffer>>;
}

export async function sendRequest(
  config: ClientConfig,
  operation: OperationId,
  params: object,
  options: CallOptions,
): Promise<RawResponse> {
  const route = routes[operation];
  if (route === undefined) throw new TypeError(`There is no operation ${operation}.`);
  const url = urlOf(config.base, operation, route, params);
  const request = { operation, url, route, init: initOf(config, route, params, options) };
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptOnce(config, request, options.signal);
    const delay = delayAfter(outcome, route, attempt, config.retryPolicy);
    if (delay === undefined) return outcome instanceof DrawbridgeError ? Promise.reject(outcome) : outcome;
    await wait(delay, options.signal);
  }
}

/** A POST is never retried, because it may have taken effect even without a response. */
function delayAfter(
  outcome: RawResponse | DrawbridgeError,
  route: OperationRoute,
  attempt: number,
  retryPolicy: RetryPolicy,
): number | undefined {
  if (route.method !== 'GET') return undefined;
  if (outcome instanceof DrawbridgeError) return retryDelay(attempt, retryPolicy, undefined, Math.random());
  if (!isTransientStatus(outcome.http)) return undefined;
  return retryDelay(attempt, retryPolicy, parseRetryAfter(outcome.headers, Date.now()), Math.random());
}

async function attemptOnce(
  { fetch, timeoutMs }: ClientConfig,
  {
    operation,
    url,
    route,
    init,
  }: { operation: string; url: string; route: OperationRoute; init: RequestInit },
  signal: AbortSignal | undefined,
): Promise<RawResponse | DrawbridgeError> {
  const limit = new AbortController();
  // The duration depends on the file's size: an upload has no timeout, and a download only until the response starts.
  const timer = route.body === 'bytes' ? undefined : setTimeout(() => limit.abort(), timeoutMs);
  try {
    const either = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
    const response = await fetch(url, { ...init, signal: either });
    const { status: http, headers } = response;
    if (route.answers === 'bytes' && http === 200 && response.body)
      return { http, headers, body: {}, bytes: response.body as NonNullable<RawResponse['bytes']> };
    return { http, headers, body: parsed(await response.text()) };
  } catch (cause) {
    signal?.throwIfAborted();
    return limit.signal.aborted
      ? new DrawbridgeError(`There was no answer within ${timeoutMs} ms.`, {
          operation,
          http: 0,
          code: 'timeout',
          cause,
        })
      : new DrawbridgeError('The server could not be reached.', {
          operation,
          http: 0,
          code: 'no_connection',
          cause,
        });
  } finally {
    clearTimeout(timer);
  }
}

function urlOf(base: string, operation: string, route: OperationRoute, params: object): string {
  const query = route.in === 'query' ? queryOf(params) : '';
  return `${base}/v1/${operation}${query && `?${query}`}`;
}

function queryOf(params: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) query.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one));
    }
  }
  return query.toString();
}

function initOf(
  { headers }: ClientConfig,
  route: OperationRoute,
  params: object,
  { ifNoneMatch, bytes }: CallOptions,
): RequestInit {
  const body = route.body === 'bytes' ? bytes : route.in === 'body' ? JSON.stringify(params) : undefined;
  const type = route.body === 'bytes' ? 'application/octet-stream' : 'application/json';
  return {
    method: route.method,
    headers: {
      ...headers,
      ...(body !== undefined && { 'Content-Type': type }),
      ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }),
    },
    ...(body !== undefined && { body }),
    ...(body instanceof ReadableStream && { duplex: 'half' }),
    // A redirect would pass the key on to another server. The browser's cookies are not needed.
    redirect: 'manual',
    credentials: 'omit',
  };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}
