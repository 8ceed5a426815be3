/** The permanent link of a device: a password opens it, and guessing is slowed down without ever locking anybody out. */
import { toErrorBody, fault, isFault, retryAfterOf, type Fault } from '@drawbridge/contract/faults';
import type { HandlerContext } from '../handlers/handler.ts';
import type { PageRequest, PageResponse, Route } from '../http/route.ts';
import { wideNetworkOf } from '../domain/networks.ts';
import { isDisabled } from '../domain/plan.ts';
import { orBusy } from '../edges/passwords.ts';
import type { Agent } from '../domain/agents.ts';
import type { Store } from '../store/store.ts';
import { createGuessLimiter, type GuessLimits } from '../edges/guess-limiter.ts';
import { createSessionLink } from './create-link.ts';
import { blockedDevicePage, linkPage } from './link-page.ts';

export interface PasswordCheck {
  verifyPassword(password: string, hash: string, queueKey: string): Promise<boolean>;
  /** Spends the time of a check on a link that is not there. */
  fakeVerify(queueKey: string): Promise<false>;
}

const path = '/p/:path';

/**
 * From one network at most 28 passwords of a link are looked at in ten minutes, and from all that guess together as many;
 * beyond that a network has a few tries of its own, so that whoever knows the password gets in during an attack as well.
 */
export const linkPasswordLimits: GuessLimits = {
  perNetwork: { perSecond: 0.2, burst: 20 },
  perPair: { perSecond: 0.03, burst: 10 },
  total: { perSecond: 0.03, burst: 10 },
  reserve: { perNetwork: { perSecond: 1 / 600, burst: 3 } },
  trustsNetworks: true,
};

export function permanentRoutes(
  context: HandlerContext,
  store: Store,
  { verifyPassword, fakeVerify }: PasswordCheck,
): Route[] {
  const { now } = context;
  const guessLimiter = createGuessLimiter(linkPasswordLimits);

  type Known = Awaited<ReturnType<Store['deviceIdentity']['byPath']>>;
  async function find(known: Known): Promise<Agent | undefined> {
    const agent =
      known && (await store.agents.find({ accountId: known.accountId, memberId: 0 }, { id: known.id }));
    return agent?.permanentEnabled && agent.approved ? agent : undefined;
  }
  const isBlocked = async (agent: Agent): Promise<boolean> =>
    isDisabled(agent, await store.plan.state(agent.accountId), now());

  /** A path that is not there shows the same form, so that paths can not be found by trying. */
  const passwordForm = async (
    request: PageRequest,
    sentence = 'Enter the password of this device to connect to it.',
    http = 200,
  ): Promise<PageResponse> =>
    linkPage({
      http,
      title: 'Connect to a device',
      says: [sentence],
      form: { action: `/p/${request.params['path']}`, password: true, button: 'Connect' },
    });

  const busyForm = (request: PageRequest, busy: Fault<'busy'>): Promise<PageResponse> =>
    passwordForm(request, toErrorBody(busy).message, 429).then((page) => ({
      ...page,
      headers: { ...page.headers, 'Retry-After': String(retryAfterOf(busy)) },
    }));

  return [
    { method: 'GET', path, handle: (request) => passwordForm(request) },
    {
      method: 'POST',
      path,
      async handle(request) {
        // A path is counted in the same way whether a device has it or not.
        const guessed = [request.params['path'] ?? ''];
        const known = await store.deviceIdentity.byPath(guessed[0]!);
        const guess = guessLimiter.guess(guessed, request.address, { areUnknown: known === undefined });
        if (guess.allowed.length === 0) return busyForm(request, tooMany);
        const password = passwordIn(request.body);
        const agent = await find(known);
        const stored = agent?.permanentPassword;
        const queueKey = wideNetworkOf(request.address);
        const right = await orBusy(() =>
          stored ? verifyPassword(password, stored, queueKey) : fakeVerify(queueKey),
        );
        if (isFault(right)) {
          guess.undo();
          return busyForm(request, right);
        }
        if (!agent || !right) return passwordForm(request, 'That password does not open this link.', 403);
        guess.confirm(guessed);
        if (await isBlocked(agent)) return blockedDevicePage;
        return createSessionLink(
          agent,
          { origin: 'permanent', address: request.address, linkOwner: undefined },
          { ...context, store },
        );
      },
    },
  ];
}

/** Bytes of a form with the longest password there is; one that is longer opens nothing. */
const longestForm = 8 * 1_024;

const passwordIn = (body: PageRequest['body']): string =>
  body && body.length <= longestForm ? (new URLSearchParams(body.toString()).get('password') ?? '') : '';

const tooMany = fault('busy', {
  message: 'There were too many tries. Wait a few minutes, then try again.',
  retryAfter: 180,
});
