/** Hands the sessions of a node that stops over to the other nodes. */
import type { ActiveSession, ActiveSessions, RelayControl } from './active-sessions.ts';

const checkEveryMs = 100;

/**
 * Cuts each session once its device can be reached through another node, so that the operator resumes it there at once.
 * Resolves when none is left, or after `limitMs`.
 */
export async function releaseSessions(
  { sessions, relay }: { sessions: Pick<ActiveSessions, 'list'>; relay: Pick<RelayControl, 'release'> },
  isAway: (agentId: number) => boolean,
  limitMs: number,
): Promise<void> {
  const isWaiting = ({ agentId }: ActiveSession): boolean => agentId !== null && isAway(agentId);
  const end = performance.now() + limitMs;
  for (;;) {
    const paired = sessions.list().filter((session) => session.paired);
    for (const session of paired) if (!isWaiting(session)) relay.release(session.pair);
    if (!paired.some(isWaiting) || performance.now() >= end) return;
    await new Promise((resolve) => setTimeout(resolve, checkEveryMs));
  }
}
