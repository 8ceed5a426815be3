/** The typed client of the Drawbridge API: no dependencies, for browsers and Node. */
import { DrawbridgeError } from './error.ts';
import { type OperationId, type Operations, routes } from './operations.ts';
import { parseRetryAfter } from './retry.ts';
import { type CallOptions, type ClientConfig, type Fetch, type RawResponse, sendRequest } from './send.ts';

export { DrawbridgeError } from './error.ts';
export type { CallOptions, Fetch } from './send.ts';
export type * from './operations.ts';

export interface ClientOptions {
  /** Address of the server: `https://drawbridge.example.com`. Plain http is accepted for loopback only. */
  baseUrl: string;
  apiKey: string;
  /** Replaces the global `fetch`, for tests, proxies or your own certificates. */
  fetch?: Fetch;
  /** Timeout of one attempt. Default 30,000. */
  timeoutMs?: number;
  /** Retries of a GET after a network failure, 429, 502, 503 or 504. Default 2. A POST is never retried. */
  retries?: number;
  /** Maximum delay before the first retry; it doubles with each further retry. Default 250. */
  backoffMs?: number;
  userAgent?: string;
  /** The trace that the requests belong to (W3C Trace Context). */
  traceparent?: string;
}

export type ParamsOf<Id extends OperationId> = Operations[Id]['params'];
export type ReplyOf<Id extends OperationId> = Operations[Id]['reply'];

/** Parameters can be omitted if none is required. A file is required if the operation takes one. */
type Arguments<Id extends OperationId, Options> = Operations[Id] extends { bytes: infer File }
  ? [params: ParamsOf<Id>, options: Options & { bytes: File }]
  : Record<never, never> extends ParamsOf<Id>
    ? [params?: ParamsOf<Id>, options?: Options]
    : [params: ParamsOf<Id>, options?: Options];

/** The server's response to a successful or refused operation. */
export interface ApiResponse<Id extends OperationId> {
  http: number;
  headers: Headers;
  /** The reply, the error, or `{}` if the body is empty. */
  body: Omit<Partial<ReplyOf<Id>>, 'status'> & ErrorBody;
  /** The file, if the operation succeeded and returns one. */
  bytes?: ReadableStream<Uint8Array<ArrayBuffer>>;
}

export interface ErrorBody {
  status?: number;
  error?: { code: string; message: string; field?: string };
}

type MethodOptions = Omit<CallOptions, 'ifNoneMatch' | 'bytes'>;
type Method<Id extends OperationId> = (...args: Arguments<Id, MethodOptions>) => Promise<ReplyOf<Id>>;

type First<Path extends string> = Path extends `${infer Head}/${string}` ? Head : Path;
type Rest<Path extends string, Head extends string> = Path extends `${Head}/${infer Tail}` ? Tail : never;

/** The operations as a tree: `client.team.member.access.add(…)` is `client.call('team/member/access/add', …)`. */
type Tree<Path extends string, Before extends string = ''> = {
  readonly [Head in First<Path>]: `${Before}${Head}` extends OperationId
    ? Method<`${Before}${Head}`>
    : Tree<Rest<Path, Head>, `${Before}${Head}/`>;
};

export interface ClientMethods {
  /** Resolves to the reply. Throws a DrawbridgeError if the operation fails. */
  call<Id extends OperationId>(id: Id, ...args: Arguments<Id, MethodOptions>): Promise<ReplyOf<Id>>;
  /** With `ifNoneMatch`: resolves to undefined if nothing has changed since that ETag. */
  call<Id extends OperationId>(
    id: Id,
    params: ParamsOf<Id>,
    options: CallOptions,
  ): Promise<ReplyOf<Id> | undefined>;
  /**
   * Resolves to any response of the server, including errors. Throws only if there was no response. Parameters are not
   * type-checked, so that invalid ones can be sent too.
   */
  request<Id extends OperationId>(id: Id, params?: object, options?: CallOptions): Promise<ApiResponse<Id>>;
}

export type Client = ClientMethods & Tree<OperationId>;

export function createClient(options: ClientOptions): Client {
  const config = toConfig(options);
  const request = (id: OperationId, params: object = {}, how: CallOptions = {}) =>
    sendRequest(config, id, params, how);
  const call = async (id: OperationId, params: object = {}, how: CallOptions = {}) =>
    replyIn(await request(id, params, how), id, how);
  return { call, request, ...treeOf(call) } as unknown as Client;
}

function toConfig(options: ClientOptions): ClientConfig {
  return {
    base: parseBaseUrl(options.baseUrl),
    headers: {
      Accept: 'application/json',
      'X-Api-Key': options.apiKey,
      ...(options.userAgent !== undefined && { 'User-Agent': options.userAgent }),
      ...(options.traceparent !== undefined && { traceparent: options.traceparent }),
    },
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs: options.timeoutMs ?? 30_000,
    retryPolicy: { retries: options.retries ?? 2, backoffMs: options.backoffMs ?? 250, maxDelayMs: 30_000 },
  };
}

/** The key must not be sent unencrypted over a network. Loopback is not a network. */
function parseBaseUrl(baseUrl: string): string {
  const url = new URL(baseUrl);
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback)) {
    throw new TypeError(`The server address must start with https://, not with ${url.protocol}//.`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function replyIn(answer: RawResponse, id: OperationId, { ifNoneMatch }: CallOptions): object | undefined {
  if (answer.http === 304 && ifNoneMatch !== undefined) return undefined;
  if (answer.bytes) return answer.bytes;
  const isWhole = routes[id].empty === true || Object.keys(answer.body).length > 0;
  if (answer.http === 200 && isWhole) return answer.body;
  throw errorIn(answer, id);
}

function errorIn({ http, headers, body }: RawResponse, operation: OperationId): DrawbridgeError {
  const { status, error } = body as ErrorBody;
  return new DrawbridgeError(error?.message ?? defaultMessage(http), {
    operation,
    http,
    code: error?.code ?? (http === 200 ? 'unexpected_reply' : `http_${http}`),
    status,
    field: error?.field,
    retryAfter: parseRetryAfter(headers, Date.now()),
  });
}

function defaultMessage(http: number): string {
  if (http === 200) return 'The reply does not come from the Drawbridge API; check the server address.';
  const isRedirect = http === 0 || (http >= 300 && http < 400);
  if (isRedirect)
    return 'The server redirected the request, and redirects are not followed; check the server address.';
  return `The server refused the request (HTTP ${http}).`;
}

type Branch = {
  [word: string]: Branch | ((params?: object, how?: CallOptions) => Promise<object | undefined>);
};

function treeOf(
  call: (id: OperationId, params?: object, how?: CallOptions) => Promise<object | undefined>,
): Branch {
  const tree: Branch = {};
  for (const id of Object.keys(routes) as OperationId[]) {
    const words = id.split('/');
    const last = words.pop() ?? id;
    const branch = words.reduce((at, word) => (at[word] ??= {}) as Branch, tree);
    branch[last] = (params, how) => call(id, params, how);
  }
  return tree;
}
