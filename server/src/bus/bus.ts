/** How parts of the service that may run in different processes reach each other. Every bus passes the same suite. */
export interface Bus {
  /** A hint to whoever listens now; it may be lost, and nobody is waited for. */
  publish(subject: string, message: unknown): void;
  subscribe(subject: string, listener: (message: unknown) => void): () => void;
  /**
   * Asks whoever answers on the subject; undefined if nobody does within the limit, or if that fails. It never rejects,
   * and what can not be asked now is not asked later.
   */
  request(subject: string, message: unknown, timeoutMs: number): Promise<unknown>;
  answer(subject: string, answer: (message: unknown) => Promise<unknown>): () => void;
  /** Called when messages may have been lost: whoever keeps a copy of the world must ask for it anew. */
  onGap(listener: () => void): void;
  close(): Promise<void>;
}
