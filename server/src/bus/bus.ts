/** Messages between parts of the service that may run in different processes. Every bus passes the same tests. */
export interface Bus {
  /** Sends a hint to the current subscribers. It may be lost, and nothing waits for it. It never throws. */
  publish(subject: string, message: unknown): void;
  subscribe(subject: string, listener: (message: unknown) => void): () => void;
  /**
   * Resolves to the answer on this subject, undefined if the responder fails or its answer is empty, or to one of the
   * symbols below. It never rejects. A request that cannot be sent now is not sent later.
   */
  request(subject: string, message: unknown, timeoutMs: number): Promise<unknown>;
  /** With `notMine` as the answer, the request is left to another node. */
  answer(subject: string, answer: (message: unknown) => Promise<unknown>): () => void;
  /** Called when messages may have been lost: subscribers that keep state must fetch it again. */
  onGap(listener: () => void): void;
  close(): Promise<void>;
}

/** The answer of a node that is not, or no longer, the one to ask. */
export const notMine = Symbol('not mine');

/**
 * The result of a request that no node answers. It is not certain: NATS says the same of a node that is about to
 * reconnect, and so can anyone who uses NATS.
 */
export const noResponder = Symbol('no responder');

/** The result of a request to a node that is frozen or cut off from the bus. */
export const nodeUnreachable = Symbol('node unreachable');

/** The result of a request that was delivered, as far as known, and not answered in time. It may still be carried out. */
export const busTimeout = Symbol('bus timeout');

/** Whether a request was answered, and not with nothing. */
export const hasAnswer = (result: unknown): boolean => result !== undefined && typeof result !== 'symbol';
