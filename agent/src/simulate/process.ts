/** One of the processes that share the made-up devices: starts them over a while and reports how many are online. */
import { setTimeout as pause } from 'node:timers/promises';
import { parseEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import { simulateDevice } from './device.ts';
import { createSemaphore } from './semaphore.ts';
import { scripts, type ScriptName } from './scripts.ts';

/** What one process is told to do. */
export interface Shard {
  server: string;
  token: string;
  script: ScriptName;
  /** The numbers of the machines: from, and how many. */
  first: number;
  count: number;
  /** Over how many seconds they come. */
  ramp: number;
  /** How many are on their way to the server at once. */
  atOnce: number;
}

export interface ShardCounts {
  online: number;
  refused: number;
  /** How often devices came online, in all. */
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
  const semaphore = createSemaphore(shard.atOnce);
  // Each has an end of its own: thousands that listen to one would each be searched for among all.
  const ends = Array.from({ length: shard.count }, () => new AbortController());
  end.addEventListener('abort', () => ends.forEach((each) => each.abort()), { once: true });
  const devices = ends.map(async ({ signal }, index) => {
    await pause((index / shard.count) * shard.ramp * 1_000, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    await simulateDevice({
      number: shard.first + index,
      server: shard.server,
      token: token.secret,
      certificate: token.certificate,
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
