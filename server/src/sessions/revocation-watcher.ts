/** Looks after the sessions of this node every second: ends what is not allowed any more, and keeps the rest known alive. */
import { narrowPermissions, endReason, type SessionValidity } from '../domain/sessions.ts';
import type { PlanState } from '../domain/plan.ts';
import type { Bus } from '../bus/bus.ts';
import { clientArrivedSubject, type ClientArrival } from '../gateway/lobby/lobby-subjects.ts';
import type { Log } from '../edges/log.ts';
import type { Store } from '../store/store.ts';
import type { SessionDispatcher } from './session-dispatcher.ts';
import type { ActiveSession, RelayControl, ActiveSessions } from './active-sessions.ts';
import { sessionResumedSubject } from './session-opener.ts';
import { isRefusal } from './refusals.ts';
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

const checkEveryMs = 1_000;
/** Every so many rounds is written down who is alive. */
const checksPerRenewal = 5;
/** How long an operator may take to come to the relay. */
const pairingTimeoutMs = 60_000;

export function startRevocationWatcher(deps: RevocationWatcherDeps): { close(): Promise<void> } {
  const { store, bus, log, sessions, dispatcher, relay, invitationLifetime } = deps;
  let checks = 0;
  const warn = (error: unknown): void =>
    log.warn({ err: error }, 'checking the sessions failed; trying again later');

  const end = (session: ActiveSession, message: string): void => {
    sessions.end(session, 'server', message);
    dispatcher.cancel(session, message);
  };

  /** Why the one who holds the session may not go on with it. Asked only when something about rights has changed. */
  async function whyRevoked(session: ActiveSession, validity: SessionValidity): Promise<string | undefined> {
    const { rightsVersion, agent } = validity;
    const groupId = agent?.groupId ?? null;
    const { checkedRights } = session;
    if (checkedRights?.rightsVersion === rightsVersion && checkedRights.groupId === groupId) return undefined;
    const rights = await rightsOf(session, { store, now: store.now, invitationLifetime });
    // A device that lost its line to the gateway may well be at the relay.
    if (isRefusal(rights)) return rights.code === 'offline' ? undefined : rights.message;
    const kept = narrowPermissions(session.permissions, rights.permissions);
    if (kept.length < session.permissions.length) return 'The permissions of this session have changed.';
    if (rights.confirm && !session.confirm) return 'The person at the device must now be asked first.';
    session.checkedRights = { rightsVersion, groupId };
    return undefined;
  }

  /** Sends the client to an operator who waits for it. Nobody waits for that: other sessions are to be looked at. */
  function dispatchClient(session: ActiveSession): void {
    const { accountId, invitationId } = session;
    if (session.paired || invitationId === null) return;
    store.invitations
      .find(accountId, invitationId)
      .then((invitation) => {
        const key = invitation?.clientKey ?? '';
        return key === '' || key === session.client ? undefined : dispatcher.send(session, key);
      })
      .catch(warn);
  }

  async function check(
    session: ActiveSession,
    validity: SessionValidity | undefined,
    state: PlanState,
  ): Promise<void> {
    const why = validity
      ? (endReason(session.origin, validity, state, store.now()) ?? (await whyRevoked(session, validity)))
      : 'The device or invitation of this session was removed.';
    if (why !== undefined) return end(session, why);
    if (isAbandoned(session)) return sessions.end(session, 'lost', 'Nobody joined.');
    dispatchClient(session);
  }

  /** An operator may wait long for the client of an invitation, at the relay; a device comes at once or not at all. */
  const isAbandoned = ({ paired, pair, agentId, openedAt }: ActiveSession): boolean =>
    !paired && performance.now() - openedAt > pairingTimeoutMs && (agentId !== null || !relay.has(pair));

  async function checkAll(): Promise<void> {
    const active = sessions.list();
    if (active.length === 0) return;
    const standings = new Map(
      (await store.sessions.validity(active.map(({ id }) => id))).map((each) => [each.id, each]),
    );
    const states = new Map<number, PlanState>();
    for (const session of active) {
      const { accountId, id } = session;
      if (!states.has(accountId)) states.set(accountId, await store.plan.state(accountId));
      await check(session, standings.get(id), states.get(accountId)!);
    }
    if (checks++ % checksPerRenewal === 0)
      await store.change('sessions/alive', { ids: sessions.list().map(({ id }) => id) });
  }

  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= checkAll()
      .catch(warn)
      .finally(() => (running = undefined));
  }, checkEveryMs);

  const unsubscribers = [
    bus.subscribe(clientArrivedSubject, (message) => {
      const { id } = message as ClientArrival;
      for (const session of sessions.list().filter(({ invitationId }) => invitationId === id)) {
        // It may have missed what it was told before.
        session.client = '';
        dispatchClient(session);
      }
    }),
    bus.subscribe(sessionResumedSubject, (message) => {
      const { id, pair } = message as { id: number; pair: string };
      sessions.replace(id, pair);
    }),
  ];
  return {
    async close() {
      clearInterval(timer);
      unsubscribers.forEach((each) => each());
      await running;
    },
  };
}
