/** One of the processes that share the made-up devices: starts them over a while and reports how many are online. */
import { setTimeout as pause } from 'node:timers/promises';
import { readToken } from '@drawbridge/contract/uplink/token';
import { simulateDevice } from './device.ts';
import { scripts, type ScriptName } from './scripts.ts';

/** What one process is told to do. */
export interface Share {
  server: string;
  token: string;
  script: ScriptName;
  /** The numbers of the machines: from, and how many. */
  first: number;
  count: number;
  /** Over how many seconds they come. */
  ramp: number;
}

export interface Counts {
  online: number;
  refused: number;
  /** How often devices came online, in all. */
  arrivals: number;
}

export async function simulateShare(
  share: Share,
  signal: AbortSignal,
  onCounts: (counts: Counts) => void,
): Promise<void> {
  const token = readToken(share.token);
  if (!token) throw new Error('this is not an enrolment token');
  const counts: Counts = { online: 0, refused: 0, arrivals: 0 };
  const timer = setInterval(() => onCounts(counts), 500);
  const devices = Array.from({ length: share.count }, async (_, index) => {
    await pause((index / share.count) * share.ramp * 1_000, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    await simulateDevice({
      number: share.first + index,
      server: share.server,
      token: token.secret,
      certificate: token.certificate,
      script: scripts[share.script],
      chance: Math.random,
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
