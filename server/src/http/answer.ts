/** Answers requests: operations, preflights, pages and refusals, each reported when its response is known. */
import type { Fault } from '@drawbridge/contract/faults';
import { chain, type MaybePromise } from '@drawbridge/contract/async/maybe-promise';
import type { Networks } from './connection/client-address.ts';
import type { BodyLimiter, BodyPool } from './content/body-limiter.ts';
import type { BodyDestination } from './content/body-writer.ts';
import { discardBody, toIncomingBody } from './content/file-transfer.ts';
import type { HttpUnanswered } from './content/http-unanswered.ts';
import { sendReply, type HttpReply } from './content/send.ts';
import type { CompletedRequest } from './completed-request.ts';
import type { Exchange } from './exchange.ts';
import { corsHeaders } from './operations/cors.ts';
import { createDispatcher, type DispatchDeps } from './operations/dispatch.ts';
import { legacyKeysOf, type LegacyForm } from './operations/legacy.ts';
import { queryOf } from './operations/query.ts';
import { quotaHeaders } from './operations/quota.ts';
import { toRawRequest } from './operations/raw-request.ts';
import { toHttpReply } from './operations/reply.ts';
import type { ServedRoute } from './operations/served-table.ts';
import type { PageResponse, Route } from './route.ts';

export interface AnswerDeps extends DispatchDeps {
  trustedProxies: Networks;
  corsOrigins: readonly string[];
  /** The older form of the API, if the settings allow it. */
  legacy: LegacyForm | undefined;
  /** Limits how many long bodies are sent at the same time. */
  bodyLimiter: BodyLimiter;
  /** Called once per request, when its response is known. */
  onAnswer(completed: CompletedRequest): void;
}

/** Returns a function that answers requests to one operation; `refused` says why the body could not be read. */
export function createOperationAnswerer(served: ServedRoute, deps: AnswerDeps) {
  const { name, row, crossOrigin, splitHeaders } = served;
  const dispatch = createDispatcher(served, deps);
  const exposure = crossOrigin ? deps : { legacy: undefined, corsOrigins: [] };

  return (exchange: Exchange, refused?: Fault): MaybePromise<void> => {
    const started = performance.now();
    const { request, response, address } = exchange;
    const incoming = row.body === 'bytes' ? toIncomingBody(request, response) : undefined;
    const rawRequest = toRawRequest(exchange, exposure.legacy, refused, incoming);
    const legacy = rawRequest.legacy ? exposure.legacy : undefined;
    return chain(dispatch(rawRequest), (outcome) => {
      const { result, headers: own } = splitHeaders(outcome.result);
      return chain(toHttpReply(row, result, legacy, request.headers), (reply) => {
        const headers = {
          ...corsHeaders(request.headers.origin, exposure.corsOrigins),
          ...(outcome.quota && quotaHeaders(outcome.quota)),
          ...own,
          ...reply.headers,
        };
        const to = destinationOf(exchange, 'answers', deps);
        return chain(sendReply(request, response, { ...reply, headers }, to), (http) => {
          if (incoming) discardBody(request);
          deps.onAnswer({ request, operation: name, address, http, outcome, started });
        });
      });
    });
  };
}

/** Answers a CORS preflight request; `allow` lists the methods of the operation. */
export async function answerPreflight(exchange: Exchange, allow: string, deps: AnswerDeps): Promise<void> {
  const started = performance.now();
  const { request, response, address } = exchange;
  const headers = { Allow: allow, ...corsHeaders(request.headers.origin, deps.corsOrigins, allow) };
  const to = destinationOf(exchange, 'answers', deps);
  const http = await sendReply(request, response, { http: 204, body: '', json: false, headers }, to);
  deps.onAnswer({ request, operation: 'preflight', address, http, started });
}

/** Answers a request to a route that is not an operation. */
export async function answerPage(
  exchange: Exchange,
  { path, takes, handle }: Route,
  deps: AnswerDeps,
): Promise<void> {
  const started = performance.now();
  const { request, response, address, body, params } = exchange;
  const incoming = takes && toIncomingBody(request, response);
  const page = await handle({
    params,
    query: queryOf(request.url),
    address,
    headers: request.headers,
    body,
    incoming,
  });
  const report = (http: number): void => deps.onAnswer({ request, operation: path, address, http, started });
  if (page.longLived) report(page.http);
  const to = destinationOf(exchange, page.pool ?? 'pages', deps);
  const http = await sendReply(request, response, toPageReply(page), to);
  if (takes) discardBody(request);
  if (!page.longLived) report(http);
}

const toPageReply = ({ http, body, type, headers }: PageResponse): HttpReply => ({
  http,
  body,
  json: false,
  constant: Buffer.isBuffer(body),
  headers: { 'Content-Type': type, ...headers },
});

/** Answers a request that no operation and no page can handle. */
export async function refuse(
  exchange: Exchange,
  { http, ...error }: HttpUnanswered,
  deps: AnswerDeps,
): Promise<void> {
  const started = performance.now();
  const { request, response, address } = exchange;
  const isLegacy = deps.legacy !== undefined && legacyKeysOf(request).length > 0;
  const body = JSON.stringify({ error, ...(isLegacy && { data: null }) });
  const to = destinationOf(exchange, 'pages', deps);
  await sendReply(request, response, { http, body, json: true, headers: {} }, to);
  deps.onAnswer({ request, operation: error.code, address, http, started });
}

/** Says which client receives the response, and which slots its body uses if it is long. */
export const destinationOf = (
  { address }: Exchange,
  pool: BodyPool,
  { bodyLimiter }: AnswerDeps,
): BodyDestination => ({ pool, address, bodyLimiter });
