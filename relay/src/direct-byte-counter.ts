/** What went the direct way beside the relay, as the device tells it: believed as far as it can be true. */
import { countRequest, maxCountBytes, parseCount } from '@drawbridge/contract/session/direct-count';
import type { WebSocket } from 'ws';
import type { RelayLimits } from './limits.ts';

export interface DirectByteCounter {
  /** The last that was believed; undefined while there is no direct way. */
  readonly bytes: number | undefined;
  /** Takes a word of the device; false when it can not be true. */
  accept(text: Buffer): boolean;
  /** Asks for the total; false when there is no direct way, or nobody to ask. */
  ask(): boolean;
  /** Asks now and then, so that a device that is lost takes little of it along. */
  poll(at: number): void;
}

export function createDirectByteCounter(
  device: WebSocket,
  limits: RelayLimits,
  clock: () => number,
): DirectByteCounter {
  const since = clock();
  let nextRequestAt = since;
  let bytes: number | undefined;

  /** No way is faster than this, and the first moment is a whole second. */
  const maxPlausibleBytes = (): number => ((clock() - since) / 1_000 + 1) * limits.directBytesPerSecond;

  function ask(): boolean {
    if (bytes === undefined || device.readyState !== device.OPEN) return false;
    device.send(countRequest);
    return true;
  }

  return {
    get bytes() {
      return bytes;
    },
    accept(text) {
      const reported = text.length > maxCountBytes ? undefined : parseCount(text.toString());
      if (reported === undefined || reported < (bytes ?? 0) || reported > maxPlausibleBytes()) return false;
      bytes = reported;
      return true;
    },
    ask,
    poll(at) {
      if (bytes === undefined || at < nextRequestAt) return;
      nextRequestAt = at + limits.countSeconds * 1_000;
      ask();
    },
  };
}
