/** The typed client of the Drawbridge API: no dependencies, for browsers and Node. */
import { DrawbridgeError } from './error.ts';
import { type OperationId, type Operations, routes } from './operations.ts';
import { parseRetryAfter } from './retry.ts';
import { type CallOptions, type ClientConfig, type Fetch, type RawResponse, sendRequest } from './send.ts';

export { DrawbridgeError } from './error.ts';
export type { CallOptions, Fetch } from './send.ts';
export type * from './operations.ts';

export interface ClientOptions {
  /** Where the server is: `https://drawbridge.example.com`. Plain http is refused, but for loopback. */
  baseUrl: string;
  apiKey: string;
  /** Used instead of the global `fetch`: for tests, proxies or certificates of one's own. */
  fetch?: Fetch;
  /** How long one attempt may take. Default 30,000. */
  timeoutMs?: number;
  /** How often a GET is sent again after a network failure, 429, 502, 503 or 504. Default 2; a POST never is. */
  retries?: number;
  /** The first pause before sending again is up to this long, the next up to twice that. Default 250. */
  backoffMs?: number;
  userAgent?: string;
}

export type ParamsOf<Id extends OperationId> = Operations[Id]['params'];
export type ReplyOf<Id extends OperationId> = Operations[Id]['reply'];

/** Parameters may be left out where none of them is required; a file may not, where the operation takes one. */
type Arguments<Id extends OperationId, Options> = Operations[Id] extends { bytes: infer File }
  ? [params: ParamsOf<Id>, options: Options & { bytes: File }]
  : Record<never, never> extends ParamsOf<Id>
    ? [params?: ParamsOf<Id>, options?: Options]
    : [params: ParamsOf<Id>, options?: Options];

/** What the server answered, done or refused. */
export interface ApiResponse<Id extends OperationId> {
  http: number;
  headers: Headers;
  /** The reply, the refusal, or `{}` where the body is empty. */
  body: Omit<Partial<ReplyOf<Id>>, 'status'> & ErrorBody;
  /** The file, where the operation was done and answers with one. */
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
  /** Resolves to the reply when the operation was done; throws a DrawbridgeError when it was not. */
  call<Id extends OperationId>(id: Id, ...args: Arguments<Id, MethodOptions>): Promise<ReplyOf<Id>>;
  /** With `ifNoneMatch`: resolves to undefined when nothing changed since that ETag. */
  call<Id extends OperationId>(
    id: Id,
    params: ParamsOf<Id>,
    options: CallOptions,
  ): Promise<ReplyOf<Id> | undefined>;
  /**
   * Resolves to whatever the server answered, refusals too; throws only when there was no answer. Parameters are not
   * checked by type, so that one may also ask what is wrong.
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
    },
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs: options.timeoutMs ?? 30_000,
    retryPolicy: { retries: options.retries ?? 2, backoffMs: options.backoffMs ?? 250, maxDelayMs: 30_000 },
  };
}

/** The key must not cross a network in the clear; on this machine there is no network to cross. */
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
