/** Decides whether a request is retried, and after which delay. */

export interface RetryPolicy {
  /** Maximum number of retries. */
  retries: number;
  /** Maximum delay before the first retry; it doubles with each further retry. */
  backoffMs: number;
  /** Upper limit of a delay. If the server asks for more, the request fails without a retry. */
  maxDelayMs: number;
}

const transientStatuses = new Set([429, 502, 503, 504]);

/** Statuses of a temporary failure of the server, or of a proxy in front of it. */
export const isTransientStatus = (http: number): boolean => transientStatuses.has(http);

/** Reads `Retry-After` (seconds or a date) in seconds; undefined if it is absent. */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

/**
 * The delay before retry number `attempt` (the first is 1), or undefined if there is none. Uses full jitter, from zero to the
 * whole delay, so that many clients do not retry at the same time.
 */
export function retryDelay(
  attempt: number,
  { retries, backoffMs, maxDelayMs }: RetryPolicy,
  retryAfter: number | undefined,
  random: number,
): number | undefined {
  if (attempt > retries) return undefined;
  if (retryAfter !== undefined) return retryAfter * 1000 > maxDelayMs ? undefined : retryAfter * 1000;
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
