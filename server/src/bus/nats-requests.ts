/**
 * Requests to other nodes over NATS. A node that needs time says so again and again, so that a frozen node is told from a
 * slow answer. The first authentic reply counts; replies that anybody else sends are ignored.
 */
import { randomUUID } from 'node:crypto';
import { busTimeout, nodeUnreachable } from './bus.ts';

export interface Requests {
  /** The subject below which replies to this node arrive. */
  readonly inbox: string;
  /** Creates a reply subject for one request, and the promise of what arrives there. */
  begin(timeoutMs: number): { reply: string; answered: Promise<unknown> };
  onReply(subject: string, reply: Reply): void;
  /** Ends a request with this result. */
  settle(subject: string, result: unknown): void;
}

/**
 * `working` means that the answer takes longer; neither means that there is none. Older nodes say `working` once, without
 * `repeats`.
 */
export type Reply = { working: true; repeats?: true } | { answer?: unknown };

/** How often a node that has no answer yet says that it is working on it. */
export const workingEveryMs = 1_000;
/** A node that says nothing for so long is not waited for any longer. */
export const silenceMs = 3_000;

interface Pending {
  resolve(result: unknown): void;
  timeout: NodeJS.Timeout;
  silence: NodeJS.Timeout | undefined;
}

/** Replies that arrived while this process was busy are read before the node counts as silent. */
function awaitWord(request: Pending, onSilence: () => void): void {
  clearTimeout(request.silence);
  const timer = setTimeout(() => setImmediate(() => request.silence === timer && onSilence()), silenceMs);
  request.silence = timer;
}

export function createRequests(prefix: string): Requests {
  const inbox = `${prefix}.reply.${randomUUID()}`;
  const pending = new Map<string, Pending>();
  let count = 0;
  const settle = (subject: string, result: unknown): void => {
    const request = pending.get(subject);
    if (!request) return;
    pending.delete(subject);
    clearTimeout(request.timeout);
    clearTimeout(request.silence);
    request.resolve(result);
  };
  // Replies that arrived while this process was busy are read before a request ends.
  const giveUp = (subject: string): void => void setImmediate(settle, subject, busTimeout);
  return {
    inbox,
    begin(timeoutMs) {
      const reply = `${inbox}.${++count}`;
      const { promise: answered, resolve } = Promise.withResolvers<unknown>();
      const timeout = setTimeout(giveUp, timeoutMs, reply);
      const request: Pending = { resolve, timeout, silence: undefined };
      pending.set(reply, request);
      awaitWord(request, () => settle(reply, nodeUnreachable));
      return { reply, answered };
    },
    onReply(subject, reply) {
      const request = pending.get(subject);
      if (!('working' in reply)) return settle(subject, reply.answer);
      if (!request) return;
      // What it was asked may have been done when it falls silent.
      if (reply.repeats) return awaitWord(request, () => settle(subject, busTimeout));
      clearTimeout(request.silence);
      request.silence = undefined;
    },
    settle,
  };
}
