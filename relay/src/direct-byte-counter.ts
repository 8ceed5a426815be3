/** Counts the bytes that took the direct connection instead of the relay, as the device reports them and as far as they are plausible. */
import { countRequest, maxCountBytes, parseCount } from '@drawbridge/contract/session/direct-count';
import type { WebSocket } from 'ws';
import type { RelayLimits } from './limits.ts';

export interface DirectByteCounter {
  /** The last plausible report; undefined while there is no direct connection. */
  readonly bytes: number | undefined;
  /** Takes a report of the device; false when it is not plausible. */
  accept(text: Buffer): boolean;
  /** Asks for the total; false when there is no direct connection or the device has left. */
  ask(): boolean;
  /** Asks periodically, so that few bytes stay uncounted when a device is lost. */
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

  /** Counts the started second as a whole one. */
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
