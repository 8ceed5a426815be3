/** What went the direct way beside the relay, as the device tells it: believed as far as it can be true. */
import { countRequest, maxCountBytes, parseCount } from '@drawbridge/contract/session/direct-count';
import type { WebSocket } from 'ws';
import type { RelayLimits } from './limits.ts';

export interface Count {
  /** The last that was believed; undefined while there is no direct way. */
  readonly bytes: number | undefined;
  /** Takes a word of the device; false when it can not be true. */
  take(word: Buffer): boolean;
  /** Asks for the total; false when there is no direct way, or nobody to ask. */
  ask(): boolean;
  /** Asks now and then, so that a device that is lost takes little of it along. */
  look(at: number): void;
}

export function createCount(device: WebSocket, limits: RelayLimits, clock: () => number): Count {
  const since = clock();
  let askAt = since;
  let bytes: number | undefined;

  /** No way is faster than this, and the first moment is a whole second. */
  const most = (): number => ((clock() - since) / 1_000 + 1) * limits.directBytesPerSecond;

  function ask(): boolean {
    if (bytes === undefined || device.readyState !== device.OPEN) return false;
    device.send(countRequest);
    return true;
  }

  return {
    get bytes() {
      return bytes;
    },
    take(word) {
      const told = word.length > maxCountBytes ? undefined : parseCount(word.toString());
      if (told === undefined || told < (bytes ?? 0) || told > most()) return false;
      bytes = told;
      return true;
    },
    ask,
    look(at) {
      if (bytes === undefined || at < askAt) return;
      askAt = at + limits.countSeconds * 1_000;
      ask();
    },
  };
}
