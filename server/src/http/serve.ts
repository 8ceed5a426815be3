/** The only file that knows the web framework: it turns rows into routes and outcomes into responses. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { toErrorBody, fault, type Fault } from '@drawbridge/contract/faults';
import type { Route } from './route.ts';
import { toRawRequest } from './operations/raw-request.ts';
import type { BodyLimiter, BodyPool } from './content/body-limiter.ts';
import type { BodyDestination } from './content/body-writer.ts';
import { toIncomingBody, discardBody } from './content/file-transfer.ts';
import { clientOfRequest, type Networks } from './connection/client-address.ts';
import { corsHeaders } from './operations/cors.ts';
import { createDispatcher, type DispatchDeps } from './operations/dispatch.ts';
import { badRequest, httpsRequired, unknownUrl, type HttpUnanswered } from './content/http-unanswered.ts';
import { quotaHeaders } from './operations/quota.ts';
import { toHttpReply } from './operations/reply.ts';
import { sendReply } from './content/send.ts';
import { servedRoutes, type ServedRoute, type ServedTable } from './operations/served-table.ts';
import type { CompletedRequest } from './completed-request.ts';

export interface ServeOptions extends DispatchDeps {
  /** The operations, by the prefixes they are served under. */
  tables: readonly ServedTable[];
  trustedProxies: Networks;
  corsOrigins: readonly string[];
  legacyApi: boolean;
  /** What is answered outside the operations. */
  routes: readonly Route[];
  /** Where long answers are sent from. */
  bodyLimiter: BodyLimiter;
  /** Called once per request, when its answer is known. */
  onAnswer(completed: CompletedRequest): void;
}

/** The largest body that is read. */
const bodyLimit = 64 * 1_024;

/** Everything the server answers, as one listener for its port. */
export async function serve(options: ServeOptions): Promise<RequestListener> {
  const app = Fastify({
    bodyLimit,
    logger: false,
    requestIdHeader: false,
    exposeHeadRoutes: true,
    // What the router itself cannot read, such as a part longer than any of ours.
    frameworkErrors: (_error, request, reply) => {
      reply.hijack();
      refuse(request.raw, reply.raw, unknownUrl, options);
    },
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      querystringParser: () => ({}), // the rows read the query themselves, strictly
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const served = options.tables.flatMap(servedRoutes);
  for (const each of served.filter(({ row }) => row.body !== 'bytes')) addOperation(app, each, options);
  // What takes a file reads its body itself, once it is known that it may come.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    for (const each of served.filter(({ row }) => row.body === 'bytes')) addOperation(scope, each, options);
    for (const route of options.routes.filter(({ takes }) => takes)) addPageRoute(scope, route, options);
  });
  for (const route of options.routes.filter(({ takes }) => !takes)) addPageRoute(app, route, options);
  app.setNotFoundHandler((request, reply) => {
    reply.hijack();
    refuse(request.raw, reply.raw, unknownUrl, options);
  });
  app.setErrorHandler((_error, request, reply) => {
    reply.hijack();
    refuse(request.raw, reply.raw, badRequest, options);
  });
  await app.ready();
  return (request, response) => {
    if (!clientOfRequest(request, options.trustedProxies).https)
      return refuse(request, response, httpsRequired, options);
    if (hasEscapes(request.url ?? '')) return refuse(request, response, unknownUrl, options);
    // A body is JSON whatever its type says: the framework would judge the type first.
    if (request.headers['content-type'] !== undefined) request.headers['content-type'] = undefined;
    app.routing(request, response);
  };
}

/** No path of ours needs an escape: with one it is another path, whatever a router would decode it to. */
const hasEscapes = (url: string): boolean => /^[^?]*[%#]/.test(url);

const tooLarge = fault('invalid', { message: 'The body must not be larger than 64 KiB.' });

/** One row, one route. */
function addOperation(app: FastifyInstance, served: ServedRoute, options: ServeOptions): void {
  const { name, row, url, crossOrigin, splitHeaders } = served;
  const dispatch = createDispatcher(served, options);
  const { trustedProxies } = options;
  const exposure = crossOrigin ? options : { trustedProxies, legacyApi: false, corsOrigins: [] };

  const answer = async (
    request: FastifyRequest,
    response: ServerResponse,
    refused?: Fault,
  ): Promise<void> => {
    const started = performance.now();
    const rawRequest = toRawRequest(request.raw, request.body as Buffer | undefined, exposure);
    const incoming = row.body === 'bytes' ? toIncomingBody(request.raw, response) : undefined;
    const outcome = await dispatch({ ...rawRequest, refused, incoming });
    const { result, headers: own } = splitHeaders(outcome.result);
    const headers = {
      ...corsHeaders(request.headers.origin, exposure.corsOrigins),
      ...(outcome.quota && quotaHeaders(outcome.quota)),
      ...own,
    };
    const reply = await toHttpReply(row, result, rawRequest.legacy, request.headers);
    const complete = { ...reply, headers: { ...headers, ...reply.headers } };
    const http = await sendReply(
      request.raw,
      response,
      complete,
      destinationOf(request.raw, 'answers', options),
    );
    if (incoming) discardBody(request.raw);
    options.onAnswer({
      request: request.raw,
      operation: name,
      address: rawRequest.address,
      http,
      outcome,
      started,
    });
  };

  app.route({
    method: row.method,
    url,
    handler: (request, reply) => respond(reply, name, options, () => answer(request, reply.raw)),
    errorHandler: (error, request, reply) => {
      const large = (error as { code?: string }).code === 'FST_ERR_CTP_BODY_TOO_LARGE';
      const refused = large ? tooLarge : fault('invalid', { message: badRequest.message });
      void respond(reply, name, options, () => answer(request, reply.raw, refused));
    },
  });
  if (crossOrigin) addPreflight(app, served, options);
}

/**
 * Answers past the framework, which then no longer sees what goes wrong: a mistake of ours is reported and answered, or
 * the connection cut where an answer has begun.
 */
async function respond(
  reply: FastifyReply,
  operation: string,
  options: ServeOptions,
  answer: () => Promise<void>,
): Promise<void> {
  const { raw: response } = reply.hijack();
  try {
    await answer();
  } catch (error) {
    options.onBug(operation, error);
    if (response.headersSent) return void (response.writableEnded || response.destroy());
    const body = JSON.stringify({ error: toErrorBody(fault('internal')) });
    const to = destinationOf(reply.request.raw, 'answers', options);
    await sendReply(reply.request.raw, response, { http: 500, body, json: true, headers: {} }, to);
  }
}

function addPreflight(app: FastifyInstance, { name, url, row }: ServedRoute, options: ServeOptions): void {
  const allow = row.method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const started = performance.now();
    const headers = { Allow: allow, ...corsHeaders(request.headers.origin, options.corsOrigins, allow) };
    const to = destinationOf(request, 'answers', options);
    const http = await sendReply(request, response, { http: 204, body: '', json: false, headers }, to);
    options.onAnswer({ request, operation: 'preflight', address: to.address, http, started });
  };
  app.options(url, (request, reply) => respond(reply, name, options, () => answer(request.raw, reply.raw)));
}

function addPageRoute(
  app: FastifyInstance,
  { method, path, takes, handle: open }: Route,
  options: ServeOptions,
): void {
  const answer = async (request: FastifyRequest, response: ServerResponse): Promise<void> => {
    const { raw, params, headers, body } = request;
    const started = performance.now();
    const { address } = clientOfRequest(raw, options.trustedProxies);
    const pageRequest = {
      params: params as Record<string, string>,
      address,
      headers,
      body: body as Buffer | undefined,
      incoming: takes && toIncomingBody(raw, response),
    };
    const page = await open(pageRequest);
    const reply = {
      http: page.http,
      body: page.body,
      json: false,
      constant: Buffer.isBuffer(page.body),
      headers: { 'Content-Type': page.type, ...page.headers },
    };
    const note = (http: number): void =>
      options.onAnswer({ request: raw, operation: path, address, http, started });
    if (page.longLived) note(page.http);
    const http = await sendReply(raw, response, reply, destinationOf(raw, page.pool ?? 'pages', options));
    if (takes) discardBody(raw);
    if (!page.longLived) note(http);
  };
  app.route({
    method,
    url: path,
    handler: (request, reply) => respond(reply, path, options, () => answer(request, reply.raw)),
  });
}

/** Where an answer goes, and from whose places where it is long. */
const destinationOf = (
  request: IncomingMessage,
  pool: BodyPool,
  { trustedProxies, bodyLimiter }: ServeOptions,
): BodyDestination => ({
  pool,
  address: clientOfRequest(request, trustedProxies).address,
  bodyLimiter,
});

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { http, ...error }: HttpUnanswered,
  options: ServeOptions,
): void {
  const started = performance.now();
  const answer = async (): Promise<void> => {
    const body = JSON.stringify({ error });
    const to = destinationOf(request, 'pages', options);
    await sendReply(request, response, { http, body, json: true, headers: {} }, to);
    options.onAnswer({ request, operation: error.code, address: to.address, http, started });
  };
  answer().catch((mistake: unknown) => options.onBug(error.code, mistake));
}
