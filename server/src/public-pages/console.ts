/** The operator's console: the page of a single-use link, and the requests that it sends when the operator presses Connect. */
import { parseAs } from '@drawbridge/contract/parse';
import {
  alarmRequest,
  noteRequest,
  openRequest,
  recordRequest,
  relaysRequest,
  resumeRequest,
  showRequest,
  type OpenReply,
  type RecordRequest,
  type SessionSubject,
} from '@drawbridge/contract/session/open';
import {
  isProblem,
  openingProblems,
  type OpeningProblem,
  type OpeningProblemCode,
} from '@drawbridge/contract/session/problem';
import type { RelayOffer } from '@drawbridge/contract/session/round-trips';
import type * as z from 'zod';
import type { PageRequest, PageResponse, Route } from '../http/route.ts';
import { networkOf } from '../domain/networks.ts';
import { createRateLimiter, type RateLimiter } from '../edges/rate-limiter.ts';
import { refusals } from '../sessions/refusals.ts';
import type { SessionNotes } from '../sessions/session-notes.ts';
import type { SessionOpener, SessionRequester } from '../sessions/session-opener.ts';
import { webAppCsp, type WebApp } from './web-app.ts';

export interface ConsoleDeps {
  sessionOpener: SessionOpener;
  notes: SessionNotes;
  /** Starts or stops a recording; resolves to why not. */
  switchRecording(request: RecordRequest, requester: SessionRequester): Promise<OpeningProblem | undefined>;
  app: WebApp;
  /** Names what a link opens, if it would still open. */
  subjectOf(code: string): Promise<SessionSubject | undefined>;
  /** The current URLs: the port is known only once it is open. */
  publicUrl(): string;
  /** The origins of all relays, separated by spaces. */
  relayOrigins(): string;
  /** The relays that a page may measure; none if there is only that of the server. */
  relayOffers(): RelayOffer[];
}

/** The refusals of requests that do not know the secret. */
const guessRefusals: ReadonlySet<string> = new Set<OpeningProblemCode>(['used', 'ended']);

const json = (code: number, body: object): PageResponse => ({
  http: code,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
});
const refuse = (error: OpeningProblem): PageResponse => json(openingProblems[error.code], { error });

/** A used, expired or unknown link shows the same page as a valid one, and a look at the page does not use it up. */
export function consoleRoutes(deps: ConsoleDeps): Route[] {
  const { sessionOpener, app, subjectOf, publicUrl, relayOrigins } = deps;
  const guard = createPostGuard(publicUrl);
  return [
    {
      method: 'GET',
      path: '/c/:code',
      handle: () => app.page('console.html', webAppCsp(relayOrigins())),
    },
    postRoute(
      guard,
      '/session/show',
      showRequest,
      async ({ code }) => (await subjectOf(code)) ?? refusals.used,
    ),
    postRoute(guard, '/session/relays', relaysRequest, async () => ({ relays: deps.relayOffers() })),
    postRoute(guard, '/session/open', openRequest, (input, requester): Promise<OpenReply | OpeningProblem> =>
      sessionOpener.open(input, requester),
    ),
    postRoute(guard, '/session/resume', resumeRequest, (input, requester) =>
      sessionOpener.resume(input, requester),
    ),
    ...runningSessionRoutes(guard, deps),
  ];
}

/** What the page reports and asks for while the session runs and at its end. */
const runningSessionRoutes = (guard: PostGuard, { notes, switchRecording }: ConsoleDeps): Route[] => [
  postRoute(guard, '/session/note', noteRequest, async (input, requester) =>
    (await notes.note(input, requester)) ? {} : refusals.ended,
  ),
  postRoute(
    guard,
    '/session/record',
    recordRequest,
    async (input, requester) => (await switchRecording(input, requester)) ?? {},
  ),
  postRoute(guard, '/session/alarm', alarmRequest, async (input, requester) =>
    (await notes.alarm(input, requester)) ? {} : refusals.ended,
  ),
];

export const createPostGuard = (publicUrl: () => string): PostGuard => ({
  publicUrl,
  failures: createRateLimiter({ perSecond: 0.2, burst: 20 }),
});

interface PostGuard {
  publicUrl(): string;
  failures: RateLimiter;
}

/** A route that only our own pages may call: it checks the origin and limits guesses per network. */
export const postRoute = <Shape extends z.ZodObject, Reply extends object>(
  { publicUrl, failures }: PostGuard,
  path: string,
  shape: Shape,
  answer: (
    input: z.output<Shape>,
    requester: SessionRequester & Pick<PageRequest, 'headers'>,
  ) => Promise<Reply | OpeningProblem>,
): Route => ({
  method: 'POST',
  path,
  async handle({ headers, address, body }) {
    if (headers.origin !== publicUrl()) return refuse(refusals.elsewhere);
    const { data: input } = parseAs(shape, parse(body));
    if (!input) return refuse(refusals.invalid);
    const network = networkOf(address);
    if (!failures.allow(network)) return refuse(refusals.busy);
    const answered = await answer(input, { address, headers, userAgent: headers['user-agent'] ?? '' });
    const isGuess = isProblem(answered) && guessRefusals.has(answered.code);
    if (!isGuess) failures.refund(network); // only possible guesses count
    return isProblem(answered) ? refuse(answered) : json(200, answered);
  },
});

function parse(body: PageRequest['body']): unknown {
  try {
    return JSON.parse(body?.toString('utf8') ?? '');
  } catch {
    return undefined;
  }
}
