/** The sessions whose two sides meet at this node's relay: begun, cut and ended as the relay tells. */
import type { AuditLine } from '../domain/audit.ts';
import { fold } from '../domain/text.ts';
import type { KeyedQueue } from '../edges/keyed-queue.ts';
import type { Log } from '../edges/log.ts';
import type { EndedBy } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { SessionBinding } from './rights.ts';
import type { GrantTerms } from './signer.ts';

/** A session here, with what was granted in it. */
export interface ActiveSession extends SessionBinding, Omit<GrantTerms, 'session' | 'record'> {
  id: number;
  login: string;
  /** It must be. */
  recorded: boolean;
  /** When it was opened, in milliseconds of a clock that nobody sets. */
  openedAt: number;
  paired: boolean;
  /** The key of the client who was told to come. */
  client: string;
  /** As of which change of rights it was looked at, and in which group the device was. */
  checkedRights?: { rightsVersion: number; groupId: number | null } | undefined;
  ending?: EndedBy | undefined;
  /** Another pairing has taken its place. */
  isReplaced?: boolean;
}

/** How a pairing ended, as the relay tells it. */
export interface EndedPairing {
  pair: string;
  bytesToOperator: number;
  bytesToDevice: number;
  /** What went past the relay, by the word of the device. */
  directBytes: number;
  by: 'operator' | 'device' | 'server' | 'fault';
  /** With which code the side that left hung up; 1006 when it was lost. */
  code: number;
}

/** What is asked of the relay. */
export interface RelayControl {
  close(pair: string, reason: string): void;
  /** Whether anybody is there. */
  has(pair: string): boolean;
}

export interface ActiveSessions {
  add(session: ActiveSession): void;
  /** Those that go on: not one whose end is told as soon as the relay knows what it carried. */
  list(): ActiveSession[];
  /** Ends it for both sides and in the store. */
  end(session: ActiveSession, by: EndedBy, message: string): void;
  /** Another pairing takes its place: of those before it is kept how much they carried. */
  replace(id: number, pair: string): void;
  onPaired(pair: string): void;
  onEnd(ended: EndedPairing): void;
  /** Resolves when all that happened so far is in the store. */
  flush(): Promise<void>;
}

export interface ActiveSessionsDeps {
  store: Store;
  relay: RelayControl;
  queue: KeyedQueue;
  log: Log;
}

/** Goodbyes: of an operator who closes the page too. All else may be a cut, and the session can go on. */
const cleanCloseCodes: Record<'operator' | 'device', readonly number[]> = {
  operator: [1_000, 1_001],
  device: [1_000],
};

export function createActiveSessions({ store, relay, queue, log }: ActiveSessionsDeps): ActiveSessions {
  const byPair = new Map<string, ActiveSession>();
  const pendingWrites = new Set<Promise<unknown>>();

  /** What happens to one session is written in the order in which it happened. */
  const write = ({ id }: ActiveSession, work: () => Promise<unknown>): void => {
    const written = queue
      .run(String(id), work)
      .catch((error: unknown) => log.error({ err: error, session: id }, 'a session could not be stored'))
      .finally(() => pendingWrites.delete(written));
    pendingWrites.add(written);
  };

  function finish(session: ActiveSession, bytes: number, by: EndedBy | undefined): void {
    byPair.delete(session.pair);
    const { accountId, id } = session;
    if (session.isReplaced)
      return write(session, () => store.change('sessions/count', { accountId, id, bytes }));
    if (by === undefined) return write(session, () => store.change('sessions/cut', { accountId, id, bytes }));
    // What never began has not ended either.
    const line = session.paired
      ? toSessionAuditLine(session, 'session/close', { session: id, by, bytes })
      : undefined;
    write(session, () => store.change('sessions/stop', { accountId, id, bytes, by }, line));
  }

  return {
    add: (session) => void byPair.set(session.pair, session),
    list: () => [...byPair.values()].filter(({ isReplaced, ending }) => !isReplaced && !ending),
    end(session, by, message) {
      session.ending = by;
      relay.close(session.pair, message);
      // Where nobody was there, the relay has nothing to tell.
      if (byPair.has(session.pair) && !relay.has(session.pair)) finish(session, 0, by);
    },
    replace(id, pair) {
      for (const session of byPair.values())
        if (session.id === id && session.pair !== pair) {
          session.isReplaced = true;
          relay.close(session.pair, 'The session continues on another connection.');
          if (!relay.has(session.pair)) byPair.delete(session.pair);
        }
    },
    onPaired(pair) {
      const session = byPair.get(pair);
      if (!session) return relay.close(pair, 'This server does not know the session.');
      session.paired = true;
      const { accountId, id } = session;
      write(session, () => store.change('sessions/begin', { accountId, id }));
    },
    onEnd({ pair, bytesToOperator, bytesToDevice, directBytes, by, code }) {
      const session = byPair.get(pair);
      if (!session) return;
      const left = by === 'operator' || by === 'device' ? by : undefined;
      const cleanLeaver = left && cleanCloseCodes[left].includes(code) ? left : undefined;
      finish(session, bytesToOperator + bytesToDevice + directBytes, session.ending ?? cleanLeaver);
    },
    async flush() {
      while (pendingWrites.size > 0) await Promise.all(pendingWrites);
    },
  };
}

/** Who did what to a session, for the audit log. */
export const toSessionAuditLine = (
  {
    accountId,
    memberId,
    login,
    operator,
  }: Pick<ActiveSession, 'accountId' | 'memberId' | 'login' | 'operator'>,
  operation: string,
  input: object,
): AuditLine => ({
  accountId,
  memberId,
  email: fold(login),
  address: operator.address,
  operation,
  input: JSON.stringify(input),
});
