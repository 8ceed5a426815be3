/** The sessions that this node holds: stores when they begin, are cut and end, as the relay reports it. */
import type { SessionEvent } from '@drawbridge/contract/audited-events';
import { leaveCodes } from '@drawbridge/contract/close-codes';
import { isFault } from '@drawbridge/contract/faults';
import type { AuditLine } from '../domain/audit.ts';
import { fold } from '../domain/text.ts';
import type { KeyedQueue } from '../edges/keyed-queue.ts';
import type { Log } from '../edges/log.ts';
import type { EndedBy } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { SessionBinding } from './rights.ts';
import type { GrantTerms, RelayTarget } from './signer.ts';

/** A session at this node, with what was granted in it. */
export interface ActiveSession extends SessionBinding, Omit<GrantTerms, 'session' | 'record'> {
  id: number;
  login: string;
  /** Whether it must be recorded. */
  recorded: boolean;
  /** When it was opened, in milliseconds of a monotonic clock. */
  openedAt: number;
  paired: boolean;
  /** The relay in another region that carries it; undefined for that of this node. */
  remote?: RelayTarget | undefined;
  /** The key of the client that was sent to the relay; empty for none. */
  client: string;
  /** The device waits for the approval of a second person. */
  awaitsApproval: boolean;
  /** The version of the rights that it was last checked against, and the group of the device at that time. */
  checkedRights?: { rightsVersion: number; groupId: number | null } | undefined;
  ending?: EndedBy | undefined;
  /** The bytes of this connection that are stored already. */
  storedBytes?: number;
  /** Another pairing has taken its place. */
  isReplaced?: boolean;
}

/** How a pairing ended, as the relay reports it. */
export interface EndedPairing {
  pair: string;
  bytesToOperator: number;
  bytesToDevice: number;
  /** Bytes that took the direct connection, as the device reports. */
  directBytes: number;
  by: 'operator' | 'device' | 'server' | 'fault';
  /** The close code of the side that left; `leaveCodes.lost` if it was lost. */
  code: number;
}

/** What sessions need from the relay. */
export interface RelayControl {
  close(pair: string, reason: string): void;
  /** Ends a pairing so that its two sides connect again, at another node. */
  release(pair: string): void;
  /** Whether at least one side is connected. */
  has(pair: string): boolean;
  /** What a pairing has carried so far. */
  bytesOf(pair: string): number;
}

export interface ActiveSessions {
  add(session: ActiveSession): void;
  /** The sessions that go on. Those that are ending, until the relay reports their bytes, are not among them. */
  list(): ActiveSession[];
  /**
   * Stores that they go on, and their bytes, which remain known if this server fails. Repeats what could not be stored
   * of sessions that have begun, also of those that have ended since.
   */
  renew(): Promise<void>;
  /** Ends it for both sides and in the store. */
  end(session: ActiveSession, by: EndedBy, message: string): void;
  /** Another pairing of this session has started. Of earlier ones only the bytes are stored. */
  replace(id: number, pair: string): void;
  onPaired(pair: string): void;
  onEnd(ended: EndedPairing): void;
  /** Resolves when everything that happened so far is stored. */
  flush(): Promise<void>;
}

export interface ActiveSessionsDeps {
  store: Store;
  relay: RelayControl;
  queue: KeyedQueue;
  log: Log;
}

interface State {
  readonly deps: ActiveSessionsDeps;
  readonly byPair: Map<string, ActiveSession>;
  /** When the sessions began whose beginning is not stored yet. */
  readonly begunAt: Map<ActiveSession, number>;
  readonly pendingWrites: Set<Promise<unknown>>;
}

export function createActiveSessions(deps: ActiveSessionsDeps): ActiveSessions {
  const state: State = { deps, byPair: new Map(), begunAt: new Map(), pendingWrites: new Set() };
  const { byPair, pendingWrites } = state;
  return {
    add: (session) => void byPair.set(session.pair, session),
    list: () => listActive(state),
    renew: () => renew(state),
    end: (session, by, message) => end(state, session, by, message),
    replace: (id, pair) => replace(state, id, pair),
    onPaired: (pair) => onPaired(state, pair),
    onEnd: (ended) => onEnd(state, ended),
    async flush() {
      while (pendingWrites.size > 0) await Promise.all(pendingWrites);
    },
  };
}

const listActive = ({ byPair }: State): ActiveSession[] =>
  [...byPair.values()].filter(({ isReplaced, ending }) => !isReplaced && !ending);

async function renew(state: State): Promise<void> {
  const { store, relay } = state.deps;
  for (const session of state.begunAt.keys()) write(state, session);
  const renewed = listActive(state).map((session) => ({
    session,
    bytes: takeBytes(session, relay.bytesOf(session.pair)),
  }));
  if (renewed.length === 0) return;
  try {
    await store.change('sessions/alive', {
      sessions: renewed.map(({ session: { id, pair }, bytes }) => ({ id, bytes, holder: pair })),
    });
  } catch (error) {
    for (const { session, bytes } of renewed) session.storedBytes! -= bytes;
    throw error;
  }
}

/** The bytes that are not stored yet. They count as stored from now on. */
function takeBytes(session: ActiveSession, bytes: number): number {
  const { storedBytes = 0 } = session;
  session.storedBytes = Math.max(storedBytes, bytes);
  return session.storedBytes - storedBytes;
}

function end(state: State, session: ActiveSession, by: EndedBy, message: string): void {
  const { relay } = state.deps;
  session.ending = by;
  relay.close(session.pair, message);
  // The relay reports no end of a pairing that no side has joined.
  if (state.byPair.has(session.pair) && !relay.has(session.pair)) finish(state, session, 0, by);
}

function replace({ deps: { relay }, byPair }: State, id: number, pair: string): void {
  for (const session of byPair.values())
    if (session.id === id && session.pair !== pair) {
      session.isReplaced = true;
      relay.close(session.pair, 'The session continues on another connection.');
      if (!relay.has(session.pair)) byPair.delete(session.pair);
    }
}

function onPaired(state: State, pair: string): void {
  const { store, relay } = state.deps;
  const session = state.byPair.get(pair);
  if (!session) return relay.close(pair, 'This server does not know the session.');
  session.paired = true;
  state.begunAt.set(session, store.now());
  write(state, session);
}

/** Until this is stored, the store takes the session for one that never began, and deletes it when it ends. */
async function begin({ deps: { store }, begunAt }: State, session: ActiveSession): Promise<void> {
  const { accountId, id } = session;
  const start = begunAt.get(session);
  if (start === undefined) return;
  await store.change('sessions/begin', { accountId, id, start });
  begunAt.delete(session);
}

function onEnd(
  state: State,
  { pair, bytesToOperator, bytesToDevice, directBytes, by, code }: EndedPairing,
): void {
  const session = state.byPair.get(pair);
  if (!session) return;
  const left = by === 'operator' || by === 'device' ? by : undefined;
  // After any other code the connection was cut, and the session can be resumed: a page that closes may be reloaded.
  const cleanLeaver = code === leaveCodes.left ? left : undefined;
  finish(state, session, bytesToOperator + bytesToDevice + directBytes, session.ending ?? cleanLeaver);
}

function finish(state: State, session: ActiveSession, total: number, by: EndedBy | undefined): void {
  const { store } = state.deps;
  const bytes = takeBytes(session, total);
  state.byPair.delete(session.pair);
  const { accountId, id, pair: holder } = session;
  const count = () => store.change('sessions/count', { accountId, id, bytes });
  if (session.isReplaced) return write(state, session, count);
  if (by === undefined)
    return write(state, session, () => store.change('sessions/cut', { accountId, id, bytes, holder }));
  // The end of a session that never began is not in the audit log.
  const line = session.paired
    ? toSessionAuditLine(session, 'session/close', { session: id, by, bytes: total })
    : undefined;
  write(state, session, async () => {
    const stopped = await store.change('sessions/stop', { accountId, id, bytes, by, holder }, line);
    // It goes on at another node, and this one has not heard of it.
    if (isFault(stopped)) await count();
  });
}

/** Writes the events of one session in the order in which they happened, and nothing before its beginning is stored. */
function write(state: State, session: ActiveSession, work?: () => Promise<unknown>): void {
  const { deps, pendingWrites } = state;
  const written = deps.queue
    .run(String(session.id), async () => {
      await begin(state, session);
      await work?.();
    })
    .catch((error: unknown) =>
      deps.log.error({ err: error, session: session.id }, 'a session could not be stored'),
    )
    .finally(() => pendingWrites.delete(written));
  pendingWrites.add(written);
}

/** The audit line of an operation on a session. */
export const toSessionAuditLine = (
  {
    accountId,
    memberId,
    login,
    operator,
  }: Pick<ActiveSession, 'accountId' | 'memberId' | 'login' | 'operator'>,
  operation: SessionEvent,
  input: object,
): AuditLine => ({
  accountId,
  memberId,
  email: fold(login),
  address: operator.address,
  operation,
  input: JSON.stringify(input),
});
