/** Scheduled work: ends sessions and invitations that are silent for too long, and removes expired rows. */
import { notificationLifetime } from '../domain/notifications/notifications.ts';
import { requestMemory } from '../domain/people/access-requests.ts';
import { idleTimeout, maxSessionAge } from '../domain/people/panel.ts';
import type { Store } from '../store/store.ts';

/** How long a session may be silent before it counts as ended, in seconds. */
const sessionSilence = 60;
/** How long used and expired links are kept, so that a late click still finds the expired link. */
const linkMemory = 86_400;
/** How long the number of requests per hour is kept. Limits read only the current hour. */
const countMemory = 2 * 86_400;

/** How often a round runs, in seconds. */
export const roundSeconds = 30;
/** How long all servers can store changes before silence counts: they say every few seconds that their sessions go on. */
const settleSeconds = 15;

/**
 * Returns what runs one round. After an outage of the storage no server could say that its sessions go on, so the first
 * round ends none. `monotonic`: the time in seconds.
 */
export function createHousekeeping(
  store: Store,
  invitationLifetime: number,
  monotonic: () => number,
): () => Promise<void> {
  let storedAt = monotonic();
  return async () => {
    const since = monotonic() - storedAt;
    const isSettled = since >= settleSeconds && since <= roundSeconds + settleSeconds;
    await (isSettled ? endSilentSessions(store) : store.ping());
    storedAt = monotonic();
    await removeExpired(store, invitationLifetime);
  };
}

/** One round, also right after an outage. */
export async function runHousekeeping(store: Store, invitationLifetime: number): Promise<void> {
  await endSilentSessions(store);
  await removeExpired(store, invitationLifetime);
}

const endSilentSessions = (store: Store): Promise<unknown> =>
  store.change('sessions/bury', { silentSince: store.now() - sessionSilence });

async function removeExpired(store: Store, invitationLifetime: number): Promise<void> {
  const now = store.now();
  await store.change('invitations/lapse', {});
  await store.change('invitations/expire', { bornBefore: now - invitationLifetime });
  await store.change('links/sweep', { expiredBefore: now - linkMemory });
  await store.change('usage/sweep', { endedBefore: now - countMemory });
  await store.change('requests/sweep', { createdBefore: now - requestMemory });
  await store.change('notifications/sweep', { before: now - notificationLifetime });
  await store.change('panel/sweep', { seenBefore: now - idleTimeout, bornBefore: now - maxSessionAge });
}

/**
 * Repairs the state after a crash: nothing that this process held before is online or active. Where other servers may
 * run, a silent session may be one of theirs, and the database may have been away until now: rounds end it.
 */
export async function recover(store: Store): Promise<void> {
  if (store.isExclusive) {
    await store.change('presence/release', { node: 'all' });
    await store.change('sessions/bury', { silentSince: store.now() + 1 });
  }
  // A client may still reconnect unnoticed, as after every lost connection.
  await store.change('invitations/lapse', {});
}
