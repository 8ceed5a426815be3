/** Timed work: ends what has died, and clears away what is over. */
import { idleTimeout, maxSessionAge } from '../domain/panel.ts';
import type { Store } from '../store/store.ts';

/** How long a session may be silent before it counts as dead. */
const sessionSilence = 60;
/** How long used and expired links are kept, so that a late click still finds a link that has expired. */
const linkMemory = 86_400;
/** How long it is known how many requests an hour had: limits ask for the current one alone. */
const countMemory = 2 * 86_400;

/** One round of tidying. */
export async function runHousekeeping(store: Store, invitationLifetime: number): Promise<void> {
  const now = store.now();
  await store.change('sessions/bury', { silentSince: now - sessionSilence });
  await store.change('invitations/lapse', {});
  await store.change('invitations/expire', { bornBefore: now - invitationLifetime });
  await store.change('links/sweep', { expiredBefore: now - linkMemory });
  await store.change('usage/sweep', { endedBefore: now - countMemory });
  await store.change('panel/sweep', { seenBefore: now - idleTimeout, bornBefore: now - maxSessionAge });
}

/** What is true after a crash: nothing that this process held before it died is online or active any more. */
export async function recover(store: Store): Promise<void> {
  if (store.isExclusive) await store.change('presence/release', { node: 'all' });
  // Where other servers run, what is silent may still be theirs for a while.
  const silentSince = store.isExclusive ? store.now() + 1 : store.now() - sessionSilence;
  await store.change('sessions/bury', { silentSince });
  // A client may still come back unnoticed, as after every other cut.
  await store.change('invitations/lapse', {});
}
