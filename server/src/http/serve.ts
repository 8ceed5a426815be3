/** The only file that knows the web framework: it turns rows and pages into routes. */
import type { RequestListener } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { toErrorBody, fault } from '@drawbridge/contract/faults';
import {
  answerPage,
  answerPreflight,
  createOperationAnswerer,
  destinationOf,
  refuse,
  type AnswerDeps,
  type Exchange,
} from './answer.ts';
import { clientOfRequest } from './connection/client-address.ts';
import { badRequest, httpsRequired, unknownUrl, type HttpUnanswered } from './content/http-unanswered.ts';
import { sendReply } from './content/send.ts';
import { servedRoutes, type ServedRoute, type ServedTable } from './operations/served-table.ts';
import type { Route } from './route.ts';

export interface ServeOptions extends AnswerDeps {
  /** The operations, by the prefixes they are served under. */
  tables: readonly ServedTable[];
  /** The pages and other paths that are not operations. */
  routes: readonly Route[];
}

const maxBodyBytes = 64 * 1_024;

/** Builds the listener for all requests of the server's port. */
export async function serve(options: ServeOptions): Promise<RequestListener> {
  const app = createFramework(options);
  addRoutes(app, options);
  const refuseWith = (reason: HttpUnanswered) => (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack();
    refuse(request.raw, reply.raw, reason, options);
  };
  app.setNotFoundHandler(refuseWith(unknownUrl));
  app.setErrorHandler((_error, request, reply) => refuseWith(badRequest)(request, reply));
  await app.ready();
  return (request, response) => {
    if (!clientOfRequest(request, options.trustedProxies).https)
      return refuse(request, response, httpsRequired, options);
    if (hasEscapes(request.url ?? '')) return refuse(request, response, unknownUrl, options);
    // Every body is read as JSON, whatever its type says; the framework would check the type first.
    if (request.headers['content-type'] !== undefined) request.headers['content-type'] = undefined;
    app.routing(request, response);
  };
}

/** None of our paths needs an escape, so a path with one is a different path, whatever a router would decode it to. */
const hasEscapes = (url: string): boolean => /^[^?]*[%#]/.test(url);

const createFramework = (options: ServeOptions): FastifyInstance =>
  Fastify({
    bodyLimit: maxBodyBytes,
    logger: false,
    requestIdHeader: false,
    exposeHeadRoutes: true,
    // The router itself fails on some URLs, for example on a part that is longer than any of ours.
    frameworkErrors: (_error, request, reply) => {
      reply.hijack();
      refuse(request.raw, reply.raw, unknownUrl, options);
    },
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      querystringParser: () => ({}), // operations/query.ts parses the query, strictly
    },
  });

function addRoutes(app: FastifyInstance, options: ServeOptions): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const served = options.tables.flatMap(servedRoutes);
  for (const each of served.filter(({ row }) => row.body !== 'bytes')) addOperation(app, each, options);
  // Routes that take a file read the body themselves, after they have checked that the sender may send it.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    for (const each of served.filter(({ row }) => row.body === 'bytes')) addOperation(scope, each, options);
    for (const route of options.routes.filter(({ takes }) => takes)) addPageRoute(scope, route, options);
  });
  for (const route of options.routes.filter(({ takes }) => !takes)) addPageRoute(app, route, options);
}

const tooLarge = fault('invalid', { message: 'The body must not be larger than 64 KiB.' });

function addOperation(app: FastifyInstance, served: ServedRoute, options: ServeOptions): void {
  const { name, row, url } = served;
  const answer = createOperationAnswerer(served, options);
  app.route({
    method: row.method,
    url,
    handler: (request, reply) => respond(reply, name, options, () => answer(toExchange(request, reply))),
    errorHandler: (error, request, reply) => {
      const large = (error as { code?: string }).code === 'FST_ERR_CTP_BODY_TOO_LARGE';
      const refused = large ? tooLarge : fault('invalid', { message: badRequest.message });
      void respond(reply, name, options, () => answer(toExchange(request, reply), refused));
    },
  });
  if (served.crossOrigin) addPreflight(app, served, options);
}

function addPreflight(app: FastifyInstance, { name, url, row }: ServedRoute, options: ServeOptions): void {
  const allow = row.method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
  app.options(url, (request, reply) =>
    respond(reply, name, options, () => answerPreflight(toExchange(request, reply), allow, options)),
  );
}

function addPageRoute(app: FastifyInstance, route: Route, options: ServeOptions): void {
  app.route({
    method: route.method,
    url: route.path,
    handler: (request, reply) =>
      respond(reply, route.path, options, () => answerPage(toExchange(request, reply), route, options)),
  });
}

const toExchange = ({ raw, body, params }: FastifyRequest, reply: FastifyReply): Exchange => ({
  request: raw,
  response: reply.raw,
  body: body as Buffer | undefined,
  params: params as Record<string, string>,
});

/**
 * Answers past the framework, which then no longer notices exceptions: they are reported here and answered with 500. If
 * the response has already begun, the connection is cut instead.
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
