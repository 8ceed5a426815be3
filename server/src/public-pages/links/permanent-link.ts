/** The permanent link of a device: a password opens it. Guesses are limited, but nobody is locked out. */
import { toErrorBody, fault, isFault, retryAfterOf, type Fault } from '@drawbridge/contract/faults';
import type { HandlerContext } from '../../handlers/handler.ts';
import type { PageRequest, PageResponse, Route } from '../../http/route.ts';
import { wideNetworkOf } from '../../domain/networks.ts';
import { isDisabled } from '../../domain/people/plan.ts';
import type { PasswordMatch } from '../../edges/passwords.ts';
import type { Agent } from '../../domain/devices/agents.ts';
import type { Store } from '../../store/store.ts';
import {
  createGuessLimiter,
  type GuessLimits,
  type ShareLimiter,
  type SharedGuessLimiter,
} from '../../edges/guess-limiter.ts';
import { createSessionLink } from './create-link.ts';
import { mayBeFramed } from '../framing.ts';
import { blockedDevicePage, linkPage } from './link-page.ts';

export interface PasswordCheck {
  shareLimiter: ShareLimiter;
  /** Whether any site may show the page in a frame. */
  isFramable: boolean;
  verifyPassword(password: string, hash: string, queueKey: string): Promise<PasswordMatch>;
  /** Takes as long as a real check, for links that do not exist. */
  fakeVerify(queueKey: string): Promise<Exclude<PasswordMatch, 'right'>>;
}

const path = '/p/:path';

/**
 * One network can try at most 28 passwords of a link in ten minutes, and all guessing networks together as many. Beyond
 * that, each network has a few tries of its own, so that anyone who knows the password gets in even during an attack.
 */
export const linkPasswordLimits: GuessLimits = {
  perNetwork: { perSecond: 0.2, burst: 20 },
  perPair: { perSecond: 0.03, burst: 10 },
  total: { perSecond: 0.03, burst: 10 },
  reserve: { perNetwork: { perSecond: 1 / 600, burst: 3 } },
  trustsNetworks: true,
};

interface State {
  context: HandlerContext;
  store: Store;
  check: PasswordCheck;
  guessLimiter: SharedGuessLimiter;
}

export function permanentRoutes(context: HandlerContext, store: Store, check: PasswordCheck): Route[] {
  const guessLimiter = check.shareLimiter('link passwords', createGuessLimiter(linkPasswordLimits));
  const state: State = { context, store, check, guessLimiter };
  return [
    { method: 'GET', path, handle: async (request) => passwordForm(state, request) },
    { method: 'POST', path, handle: (request) => tryPassword(state, request) },
  ];
}

async function tryPassword(state: State, request: PageRequest): Promise<PageResponse> {
  const { context, store, guessLimiter } = state;
  const { address, params, body } = request;
  // A path is counted in the same way whether a device has it or not.
  const guessed = [params['path'] ?? ''];
  const known = await store.deviceIdentity.byPath(guessed[0]!);
  const guess = await guessLimiter.guess(guessed, address, { areUnknown: known === undefined });
  if (guess.allowed.length === 0) return busyForm(state, request, tooMany);
  const agent = await findOpenDevice(store, known);
  const match = await verify(state, passwordIn(body), agent, wideNetworkOf(address));
  if (isFault(match)) {
    guess.undo();
    return busyForm(state, request, match);
  }
  if (!agent || match !== 'right')
    return passwordForm(state, request, 'That password does not open this link.', 403);
  guess.confirm(guessed);
  if (isDisabled(agent, await store.plan.state(agent.accountId), context.now())) return blockedDevicePage;
  const visitor = { origin: 'permanent', address, linkOwner: undefined } as const;
  return createSessionLink(agent, visitor, { ...context, store });
}

/** Returns the device if its permanent link is on. */
async function findOpenDevice(
  store: Store,
  known: Awaited<ReturnType<Store['deviceIdentity']['byPath']>>,
): Promise<Agent | undefined> {
  const agent =
    known && (await store.agents.find({ accountId: known.accountId, memberId: 0 }, { id: known.id }));
  return agent?.permanentEnabled && agent.approved ? agent : undefined;
}

function verify(
  { check }: State,
  password: string,
  agent: Agent | undefined,
  queueKey: string,
): Promise<PasswordMatch> {
  const stored = agent?.permanentPassword;
  return stored ? check.verifyPassword(password, stored, queueKey) : check.fakeVerify(queueKey);
}

/** An unknown path shows the same form, so that paths cannot be found by trial. */
const passwordForm = (
  { check: { isFramable } }: State,
  request: PageRequest,
  sentence = 'Enter the password of this device to connect to it.',
  http = 200,
): PageResponse =>
  linkPage({
    http,
    title: 'Connect to a device',
    says: [sentence],
    form: { action: `/p/${request.params['path']}`, password: true, button: 'Continue' },
    guarded: isFramable && mayBeFramed(request),
  });

function busyForm(state: State, request: PageRequest, busy: Fault<'busy'>): PageResponse {
  const page = passwordForm(state, request, toErrorBody(busy).message, 429);
  return { ...page, headers: { ...page.headers, 'Retry-After': String(retryAfterOf(busy)) } };
}

/** The size of a form with the longest possible password. A longer form opens nothing. */
const maxFormBytes = 8 * 1_024;

const passwordIn = (body: PageRequest['body']): string =>
  body && body.length <= maxFormBytes ? (new URLSearchParams(body.toString()).get('password') ?? '') : '';

const tooMany = fault('busy', {
  message: 'There were too many tries. Wait a few minutes, then try again.',
  retryAfter: 180,
});
