/** When a request may be sent once more, and after how long. */

export interface RetryPolicy {
  /** How many times a request is sent again at the most. */
  retries: number;
  /** The first pause is up to this long; each further one up to twice the last. */
  backoffMs: number;
  /** No pause is longer. A server that asks for more gets no retry: the caller is told instead. */
  maxDelayMs: number;
}

const transientStatuses = new Set([429, 502, 503, 504]);

/** Answers that say "not now" of a server or of a proxy in front of it. */
export const isTransientStatus = (http: number): boolean => transientStatuses.has(http);

/** `Retry-After` in seconds, as a number or as a date; undefined where there is none. */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

/**
 * How long to wait before attempt number `attempt` (the first retry is 1); undefined where there is to be none.
 * Full jitter: anything from nothing to the whole pause, so that many clients do not come back together.
 */
export function retryDelay(
  attempt: number,
  { retries, backoffMs, maxDelayMs }: RetryPolicy,
  asked: number | undefined,
  random: number,
): number | undefined {
  if (attempt > retries) return undefined;
  if (asked !== undefined) return asked * 1000 > maxDelayMs ? undefined : asked * 1000;
  return random * Math.min(maxDelayMs, backoffMs * 2 ** (attempt - 1));
}

export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', stop, { once: true });
    function done(): void {
      signal?.removeEventListener('abort', stop);
      resolve();
    }
    function stop(): void {
      clearTimeout(timer);
      reject(signal?.reason);
    }
  });
}
