/** Checks the sessions of this node every second: ends those that are no longer allowed, and stores that the others are alive. */
import { isProblem } from '@drawbridge/contract/session/problem';
import { narrowPermissions, endReason, type SessionValidity } from '../domain/sessions/sessions.ts';
import type { PlanState } from '../domain/people/plan.ts';
import type { Bus } from '../bus/bus.ts';
import { clientArrivedSubject, type ClientArrival } from '../gateway/lobby/lobby-subjects.ts';
import type { Log } from '../edges/log.ts';
import type { Store } from '../store/store.ts';
import type { SessionDispatcher } from './session-dispatcher.ts';
import type { ActiveSession, RelayControl, ActiveSessions } from './active-sessions.ts';
import { sessionResumedSubject } from './session-opener.ts';
import { rightsOf } from './rights.ts';

export interface RevocationWatcherDeps {
  store: Store;
  bus: Bus;
  log: Log;
  sessions: ActiveSessions;
  dispatcher: SessionDispatcher;
  relay: RelayControl;
  invitationLifetime: number;
}

interface State {
  readonly deps: RevocationWatcherDeps;
  checks: number;
  /** The check that runs now. */
  checking: Promise<void> | undefined;
}

const checkEveryMs = 1_000;
/** How many checks pass before the sessions are stored as alive again. */
const checksPerRenewal = 5;
/** How long an operator may take to connect to the relay. */
const pairingTimeoutMs = 60_000;

export function startRevocationWatcher(deps: RevocationWatcherDeps): { close(): Promise<void> } {
  const state: State = { deps, checks: 0, checking: undefined };
  const timer = setInterval(() => {
    state.checking ??= checkAll(state)
      .catch((error: unknown) => warn(deps, error))
      .finally(() => (state.checking = undefined));
  }, checkEveryMs);
  const unsubscribers = [followClients(deps), followResumedSessions(deps)];
  return {
    async close() {
      clearInterval(timer);
      unsubscribers.forEach((unsubscribe) => unsubscribe());
      await state.checking;
    },
  };
}

const warn = ({ log }: RevocationWatcherDeps, error: unknown): void =>
  log.warn({ err: error }, 'checking the sessions failed; trying again later');

/** Sends a client that has connected again to the sessions that wait for it. */
const followClients = (deps: RevocationWatcherDeps): (() => void) =>
  deps.bus.subscribe(clientArrivedSubject, (message) => {
    const { id } = message as ClientArrival;
    for (const session of deps.sessions.list().filter(({ invitationId }) => invitationId === id)) {
      // It may not have received what was sent to it before.
      session.client = '';
      dispatchClient(deps, session);
    }
  });

const followResumedSessions = ({ bus, sessions }: RevocationWatcherDeps): (() => void) =>
  bus.subscribe(sessionResumedSubject, (message) => {
    const { id, pair } = message as { id: number; pair: string };
    sessions.replace(id, pair);
  });

async function checkAll(state: State): Promise<void> {
  const { sessions } = state.deps;
  const active = sessions.list();
  if (active.length > 0) await checkEach(state.deps, active);
  if (state.checks++ % checksPerRenewal === 0) await sessions.renew();
}

async function checkEach(deps: RevocationWatcherDeps, active: readonly ActiveSession[]): Promise<void> {
  const { store } = deps;
  const validities = new Map(
    (await store.sessions.validity(active.map(({ id }) => id))).map((validity) => [validity.id, validity]),
  );
  const plans = new Map<number, PlanState>();
  for (const session of active) {
    const { accountId, id } = session;
    if (!plans.has(accountId)) plans.set(accountId, await store.plan.state(accountId));
    await check(deps, session, validities.get(id), plans.get(accountId)!);
  }
}

async function check(
  deps: RevocationWatcherDeps,
  session: ActiveSession,
  validity: SessionValidity | undefined,
  plan: PlanState,
): Promise<void> {
  const { store, sessions } = deps;
  // The hint may have been lost: NATS was away, or this node was frozen.
  if (isHeldElsewhere(session, validity)) return sessions.replace(session.id, validity!.holder);
  const why = validity
    ? (endReason(session.origin, validity, plan, store.now()) ?? (await whyRevoked(deps, session, validity)))
    : 'The device or invitation of this session was removed.';
  if (why !== undefined) return end(deps, session, why);
  if (isAbandoned(deps, session)) return sessions.end(session, 'lost', 'Nobody joined.');
  dispatchClient(deps, session);
}

const isHeldElsewhere = ({ pair }: ActiveSession, validity: SessionValidity | undefined): boolean =>
  validity !== undefined && validity.holder !== '' && validity.holder !== pair;

function end({ sessions, dispatcher }: RevocationWatcherDeps, session: ActiveSession, message: string): void {
  sessions.end(session, 'server', message);
  dispatcher.cancel(session, message);
}

/** Why the operator may not continue the session. The rights are read only when something about them has changed. */
async function whyRevoked(
  { store, invitationLifetime }: RevocationWatcherDeps,
  session: ActiveSession,
  { rightsVersion, agent }: SessionValidity,
): Promise<string | undefined> {
  const groupId = agent?.groupId ?? null;
  const { checkedRights } = session;
  if (checkedRights?.rightsVersion === rightsVersion && checkedRights.groupId === groupId) return undefined;
  const rights = await rightsOf(session, { store, now: store.now, invitationLifetime });
  // A device that lost its uplink may still be connected to the relay.
  if (isProblem(rights)) return rights.code === 'offline' ? undefined : rights.message;
  const kept = narrowPermissions(session.permissions, rights.lasting);
  if (kept.length < session.permissions.length) return 'The permissions of this session have changed.';
  if (rights.policy.recording === 'always' && !session.recorded) return 'The session must now be recorded.';
  if (rights.confirm && !session.confirm) return 'The person at the device must now be asked first.';
  session.checkedRights = { rightsVersion, groupId };
  return undefined;
}

/** An operator may wait long at the relay for the client of an invitation; a device connects at once or not at all. */
const isAbandoned = (
  { relay }: RevocationWatcherDeps,
  { paired, pair, agentId, openedAt }: ActiveSession,
): boolean =>
  !paired && performance.now() - openedAt > pairingTimeoutMs && (agentId !== null || !relay.has(pair));

/** Sends the client to an operator who waits for it. This is not awaited, so that it does not delay the other checks. */
function dispatchClient(deps: RevocationWatcherDeps, session: ActiveSession): void {
  const { accountId, invitationId } = session;
  if (session.paired || invitationId === null) return;
  deps.store.invitations
    .find(accountId, invitationId)
    .then((invitation) => {
      const key = invitation?.clientKey ?? '';
      return key === '' || key === session.client ? undefined : deps.dispatcher.send(session, key);
    })
    .catch((error: unknown) => warn(deps, error));
}
