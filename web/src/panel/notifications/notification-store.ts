/** The newest notifications of the signed-in user: the number on the bell, and messages when new ones arrive. */
import { effect, signal } from '@preact/signals';
import { get, type OutputOf } from '../api.ts';
import { currentUser } from '../current-user.ts';
import { subscribeToTopic } from '../event-stream.ts';
import { createRefreshScheduler } from '../refresh-scheduler.ts';
import { showNotice } from '../ui/notices.ts';
import { showBrowserNotification } from './browser-notifications.ts';
import { createAnnouncer } from './new-notifications.ts';

export type ListedNotification = OutputOf<'notifications'>['data'][number];

export const unreadCount = signal(0);

const newestCount = 10;
/** More than this many at once are only counted on the bell. */
const maxAnnounced = 3;

let announcer = createAnnouncer<ListedNotification>();
let userId: number | undefined;

async function refresh(): Promise<void> {
  if (!currentUser.value) return;
  const loadedFor = userId;
  const { data, unread } = await get('notifications', { limit: newestCount }, { background: true });
  if (loadedFor !== userId) return;
  unreadCount.value = unread;
  for (const { id, title, kind } of announcer.next(data).slice(-maxAnnounced)) {
    showNotice(title);
    const path = kind === 'client_waits' ? '/panel/support' : '/panel/notifications';
    // If the browser refuses it, the panel has shown it anyway.
    void showBrowserNotification({ id, title, path }).catch(() => {});
  }
}

const refresher = createRefreshScheduler({
  now: () => performance.now(),
  // The next event or page loads them again.
  refresh: () => refresh().catch(() => {}),
});

subscribeToTopic('notifications', () => refresher.schedule());

/** Another user starts without the notifications of the one before. */
effect(() => {
  const id = currentUser.value?.id;
  if (id === userId) return;
  userId = id;
  unreadCount.value = 0;
  announcer = createAnnouncer();
  if (id !== undefined) refresher.schedule();
});
