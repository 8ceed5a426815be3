/** Answers requests past the framework: operations, preflights, pages and refusals, each reported when its response is known. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Fault } from '@drawbridge/contract/faults';
import { clientOfRequest, type Networks } from './connection/client-address.ts';
import type { BodyLimiter, BodyPool } from './content/body-limiter.ts';
import type { BodyDestination } from './content/body-writer.ts';
import { discardBody, toIncomingBody } from './content/file-transfer.ts';
import type { HttpUnanswered } from './content/http-unanswered.ts';
import { sendReply, type HttpReply } from './content/send.ts';
import type { CompletedRequest } from './completed-request.ts';
import { corsHeaders } from './operations/cors.ts';
import { createDispatcher, type DispatchDeps, type OperationOutcome } from './operations/dispatch.ts';
import { legacyKeysOf, type LegacyForm } from './operations/legacy.ts';
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

/** One request with what the framework has read of it. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  body: Buffer | undefined;
  /** The named parts of the path. */
  params: Record<string, string>;
}

/** Returns a function that answers requests to one operation; `refused` says why the body could not be read. */
export function createOperationAnswerer(served: ServedRoute, deps: AnswerDeps) {
  const { name, row, crossOrigin, splitHeaders } = served;
  const dispatch = createDispatcher(served, deps);
  const { trustedProxies } = deps;
  const exposure = crossOrigin ? deps : { trustedProxies, legacy: undefined, corsOrigins: [] };

  return async ({ request, response, body }: Exchange, refused?: Fault): Promise<void> => {
    const started = performance.now();
    const rawRequest = toRawRequest(request, body, exposure);
    const incoming = row.body === 'bytes' ? toIncomingBody(request, response) : undefined;
    const outcome = await dispatch({ ...rawRequest, refused, incoming });
    const { result, headers: own } = splitHeaders(outcome.result);
    const headers = { ...outcomeHeaders(request.headers, exposure.corsOrigins, outcome), ...own };
    const legacy = rawRequest.legacy ? exposure.legacy : undefined;
    const reply = await toHttpReply(row, result, legacy, request.headers);
    const complete = { ...reply, headers: { ...headers, ...reply.headers } };
    const http = await sendReply(request, response, complete, destinationOf(request, 'answers', deps));
    if (incoming) discardBody(request);
    deps.onAnswer({ request, operation: name, address: rawRequest.address, http, outcome, started });
  };
}

const outcomeHeaders = (
  { origin }: IncomingHttpHeaders,
  corsOrigins: readonly string[],
  { quota }: OperationOutcome,
): Record<string, string> => ({ ...corsHeaders(origin, corsOrigins), ...(quota && quotaHeaders(quota)) });

/** Answers a CORS preflight request; `allow` lists the methods of the operation. */
export async function answerPreflight(
  { request, response }: Exchange,
  allow: string,
  deps: AnswerDeps,
): Promise<void> {
  const started = performance.now();
  const headers = { Allow: allow, ...corsHeaders(request.headers.origin, deps.corsOrigins, allow) };
  const to = destinationOf(request, 'answers', deps);
  const http = await sendReply(request, response, { http: 204, body: '', json: false, headers }, to);
  deps.onAnswer({ request, operation: 'preflight', address: to.address, http, started });
}

/** Answers a request to a route that is not an operation. */
export async function answerPage(
  { request, response, body, params }: Exchange,
  { path, takes, handle }: Route,
  deps: AnswerDeps,
): Promise<void> {
  const started = performance.now();
  const { address } = clientOfRequest(request, deps.trustedProxies);
  const incoming = takes && toIncomingBody(request, response);
  const page = await handle({ params, address, headers: request.headers, body, incoming });
  const report = (http: number): void => deps.onAnswer({ request, operation: path, address, http, started });
  if (page.longLived) report(page.http);
  const to = destinationOf(request, page.pool ?? 'pages', deps);
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
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { http, ...error }: HttpUnanswered,
  deps: AnswerDeps,
): void {
  const started = performance.now();
  const answer = async (): Promise<void> => {
    const isLegacy = deps.legacy !== undefined && legacyKeysOf(request).length > 0;
    const body = JSON.stringify({ error, ...(isLegacy && { data: null }) });
    const to = destinationOf(request, 'pages', deps);
    await sendReply(request, response, { http, body, json: true, headers: {} }, to);
    deps.onAnswer({ request, operation: error.code, address: to.address, http, started });
  };
  answer().catch((bug: unknown) => deps.onBug(error.code, bug));
}

/** Says which client receives the response, and which slots its body uses if it is long. */
export const destinationOf = (
  request: IncomingMessage,
  pool: BodyPool,
  { trustedProxies, bodyLimiter }: AnswerDeps,
): BodyDestination => ({
  pool,
  address: clientOfRequest(request, trustedProxies).address,
  bodyLimiter,
});
