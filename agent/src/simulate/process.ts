/** One of the processes that share the simulated devices: starts them over time and reports how many are online. */
import { setTimeout as pause } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import type { ClientOptions } from 'ws';
import { parseEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import { simulateDevice } from './device.ts';
import { createSemaphore } from './semaphore.ts';
import { scripts, type ScriptName } from './scripts.ts';
import type { GivenTrust } from '../uplink/given-trust.ts';
import { trustAuthorities } from '../uplink/trust.ts';

/** The task of one process. */
export interface Shard {
  server: string;
  token: string;
  trust: GivenTrust;
  script: ScriptName;
  /** The number of the first machine. */
  first: number;
  count: number;
  /** The time over which the devices connect, in seconds. */
  ramp: number;
  /** How many devices connect at the same time. */
  atOnce: number;
}

export interface ShardCounts {
  online: number;
  refused: number;
  /** How often devices came online in total. */
  arrivals: number;
}

export async function simulateShard(
  shard: Shard,
  end: AbortSignal,
  onCounts: (counts: ShardCounts) => void,
): Promise<void> {
  const token = parseEnrolmentToken(shard.token);
  if (!token) throw new Error('this is not an enrolment token');
  const counts: ShardCounts = { online: 0, refused: 0, arrivals: 0 };
  const timer = setInterval(() => onCounts(counts), 200);
  if (shard.trust.authorities) trustAuthorities(shard.trust.authorities);
  // Shared, because creating it costs as much as the rest of a connection, and a real device creates it only once.
  const socketOptions = { secureContext: createSecureContext() } as ClientOptions;
  const semaphore = createSemaphore(shard.atOnce);
  // Each device has its own signal, because removing one of thousands of listeners from a shared signal is slow.
  const ends = Array.from({ length: shard.count }, () => new AbortController());
  end.addEventListener('abort', () => ends.forEach((each) => each.abort()), { once: true });
  const devices = ends.map(async ({ signal }, index) => {
    await pause((index / shard.count) * shard.ramp * 1_000, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    await simulateDevice({
      number: shard.first + index,
      server: shard.server,
      token: token.secret,
      certificate: shard.trust.certificate ?? token.certificate,
      socketOptions,
      script: scripts[shard.script],
      semaphore,
      random: Math.random,
      signal,
      onChange(change) {
        if (change === 'online') counts.arrivals++;
        if (change === 'refused') counts.refused++;
        else counts.online += change === 'online' ? 1 : -1;
      },
    });
  });
  await Promise.all(devices);
  clearInterval(timer);
  onCounts(counts);
}
