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

export async function runHousekeeping(store: Store, invitationLifetime: number): Promise<void> {
  const now = store.now();
  await store.change('sessions/bury', { silentSince: now - sessionSilence });
  await store.change('invitations/lapse', {});
  await store.change('invitations/expire', { bornBefore: now - invitationLifetime });
  await store.change('links/sweep', { expiredBefore: now - linkMemory });
  await store.change('usage/sweep', { endedBefore: now - countMemory });
  await store.change('requests/sweep', { createdBefore: now - requestMemory });
  await store.change('notifications/sweep', { before: now - notificationLifetime });
  await store.change('panel/sweep', { seenBefore: now - idleTimeout, bornBefore: now - maxSessionAge });
}

/** Repairs the state after a crash: nothing that this process held before is online or active. */
export async function recover(store: Store): Promise<void> {
  if (store.isExclusive) await store.change('presence/release', { node: 'all' });
  // Where other servers run, a session that is silent for a short time may be one of theirs.
  const silentSince = store.isExclusive ? store.now() + 1 : store.now() - sessionSilence;
  await store.change('sessions/bury', { silentSince });
  // A client may still reconnect unnoticed, as after every lost connection.
  await store.change('invitations/lapse', {});
}
