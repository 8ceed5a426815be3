/** Turns rows and pages into routes, and answers each request by its route. */
import { AsyncResource } from 'node:async_hooks';
import type { RequestListener } from 'node:http';
import { fault } from '@drawbridge/contract/faults';
import { rescue, type MaybePromise } from '@drawbridge/contract/async/maybe-promise';
import {
  answerPage,
  answerPreflight,
  createOperationAnswerer,
  destinationOf,
  refuse,
  type AnswerDeps,
} from './answer.ts';
import { clientOfRequest } from './connection/client-address.ts';
import { badRequest, httpsRequired, unknownUrl, type HttpUnanswered } from './content/http-unanswered.ts';
import { hasBody, readBody, type BodyProblem } from './content/request-body.ts';
import { sendReply } from './content/send.ts';
import type { Exchange } from './exchange.ts';
import { toFault } from './operations/dispatch.ts';
import { toFaultReply } from './operations/reply.ts';
import { servedRoutes, type ServedRoute, type ServedTable } from './operations/served-table.ts';
import { pathOf } from './path.ts';
import type { Route } from './route.ts';
import { createRouter, type Match, type Router } from './router.ts';

export interface ServeOptions extends AnswerDeps {
  /** The operations, by the prefixes they are served under. */
  tables: readonly ServedTable[];
  /** The pages and other paths that are not operations. */
  routes: readonly Route[];
}

/** What answers the requests of one route. */
interface Target {
  /** The name in the log if it fails. */
  name: string;
  /** Set if it reads the body itself, after it has checked that the sender may send it. */
  streamsBody?: boolean;
  /** `problem`: why the body could not be read. */
  answer(exchange: Exchange, problem?: BodyProblem): MaybePromise<void>;
}

/** Builds the listener for all requests of the server's port. */
export function serve(options: ServeOptions): RequestListener {
  const router = createRouter<Target>();
  for (const served of options.tables.flatMap(servedRoutes)) addOperation(router, served, options);
  for (const route of options.routes) router.add(route.method, route.path, pageTarget(route, options));
  const [insecure, invalid, unknown] = [
    refusal(httpsRequired, 'unread', options),
    refusal(unknownUrl, 'unread', options),
    refusal(unknownUrl, 'read', options),
  ];
  return (request, response) => {
    const { https, address } = clientOfRequest(request, options.trustedProxies);
    const path = pathOf(request.url!);
    const { target, params } = !https
      ? insecure
      : path === undefined
        ? invalid
        : (router.find(request.method!, path) ?? unknown);
    respond(target, { request, response, address, body: undefined, params }, options);
  };
}

const refusal = (reason: HttpUnanswered, body: 'read' | 'unread', options: ServeOptions): Match<Target> => ({
  params: {},
  target: {
    name: reason.code,
    streamsBody: body === 'unread',
    answer: (exchange, problem) => refuse(exchange, problem ? badRequest : reason, options),
  },
});

const tooLarge = fault('invalid', { message: 'The body must not be larger than 64 KiB.' });
const unreadable = fault('invalid', { message: badRequest.message });

function addOperation(router: Router<Target>, served: ServedRoute, options: ServeOptions): void {
  const { name, row, url, crossOrigin } = served;
  const answerOperation = createOperationAnswerer(served, options);
  router.add(row.method, url, {
    name,
    streamsBody: row.body === 'bytes',
    answer: (exchange, problem) =>
      answerOperation(exchange, problem && (problem === 'too_large' ? tooLarge : unreadable)),
  });
  if (!crossOrigin) return;
  const allow = row.method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
  router.add('OPTIONS', url, {
    name,
    answer: (exchange, problem) =>
      problem ? refuse(exchange, badRequest, options) : answerPreflight(exchange, allow, options),
  });
}

const pageTarget = (route: Route, options: ServeOptions): Target => ({
  name: route.path,
  streamsBody: route.takes === 'bytes',
  answer: (exchange, problem) =>
    problem ? refuse(exchange, badRequest, options) : answerPage(exchange, route, options),
});

function respond(target: Target, exchange: Exchange, options: ServeOptions): void {
  if (target.streamsBody || !hasBody(exchange.request)) return answer(target, exchange, options);
  // Bodies arrive in events of the socket, which do not know to which trace the request belongs.
  const onBody = AsyncResource.bind((body: Buffer | BodyProblem): void =>
    typeof body === 'string'
      ? answer(target, exchange, options, body)
      : answer(target, { ...exchange, body }, options),
  );
  readBody(exchange.request, onBody);
}

function answer(target: Target, exchange: Exchange, options: ServeOptions, problem?: BodyProblem): void {
  void rescue(
    () => target.answer(exchange, problem),
    (error) => fail(target, exchange, options, error),
  );
}

/** Reports an exception and answers with 500, or 503 if the data is out of reach. If the response has already begun, the connection is cut instead. */
function fail({ name }: Target, exchange: Exchange, options: ServeOptions, error: unknown): void {
  const { request, response } = exchange;
  options.onBug(name, error);
  if (response.headersSent) return void (response.writableEnded || response.destroy());
  const to = destinationOf(exchange, 'answers', options);
  void rescue<unknown>(
    () => sendReply(request, response, toFaultReply(toFault(error)), to),
    (bug) => {
      options.onBug(name, bug);
      response.destroy();
    },
  );
}
