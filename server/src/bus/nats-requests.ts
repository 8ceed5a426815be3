/**
 * Requests to other nodes over NATS. A node that needs time says so, so that a frozen node is told from a slow answer. The
 * first authentic reply counts; replies that anybody else sends are ignored.
 */
import { randomUUID } from 'node:crypto';
import { nodeUnreachable } from './bus.ts';

export interface Requests {
  /** The subject below which replies to this node arrive. */
  readonly inbox: string;
  /** Creates a reply subject for one request, and the promise of what arrives there. */
  begin(timeoutMs: number): { reply: string; answered: Promise<unknown> };
  onReply(subject: string, reply: Reply): void;
  /** Nobody has subscribed to the subject of the request. */
  onNobody(subject: string): void;
}

/** `working` means that the answer takes longer; none means that there is none. */
export type Reply = { working: true } | { answer?: unknown };

/** After how long a node that has no answer yet says that it is working on it. */
export const workingAfterMs = 1_000;
/** After how long a node that has said nothing counts as unreachable. */
const unreachableAfterMs = 3_000;

interface Pending {
  resolve(answer: unknown): void;
  /** The node has said that it is working on it. */
  isWorking: boolean;
  timers: NodeJS.Timeout[];
}

export function createRequests(prefix: string): Requests {
  const inbox = `${prefix}.reply.${randomUUID()}`;
  const pending = new Map<string, Pending>();
  let count = 0;
  const settle = (subject: string, answer: unknown): void => {
    const request = pending.get(subject);
    pending.delete(subject);
    request?.timers.forEach(clearTimeout);
    request?.resolve(answer);
  };
  // A reply that arrived while this process was busy is read first.
  const giveUp = (subject: string): void => void setImmediate(settle, subject, undefined);
  const giveUpSilent = (subject: string): void =>
    void setImmediate(() => {
      if (!pending.get(subject)?.isWorking) settle(subject, nodeUnreachable);
    });
  return {
    inbox,
    begin(timeoutMs) {
      const reply = `${inbox}.${++count}`;
      const { promise: answered, resolve } = Promise.withResolvers<unknown>();
      const timers = [
        setTimeout(giveUp, timeoutMs, reply),
        setTimeout(giveUpSilent, unreachableAfterMs, reply),
      ];
      pending.set(reply, { resolve, isWorking: false, timers });
      return { reply, answered };
    },
    onReply(subject, reply) {
      const request = pending.get(subject);
      if (!('working' in reply)) settle(subject, reply.answer);
      else if (request) request.isWorking = true;
    },
    onNobody: (subject) => settle(subject, undefined),
  };
}
