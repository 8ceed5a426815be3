/** The newest notifications, and the requests and sessions that wait for the signed-in user: the number on the bell, and messages about new ones. */
import { effect, signal } from '@preact/signals';
import { get, type OutputOf } from '../api.ts';
import { currentUser } from '../current-user.ts';
import { subscribeToTopic } from '../event-stream.ts';
import { createRefreshScheduler } from '../refresh-scheduler.ts';
import { showNotice } from '../ui/notices.ts';
import { t } from '../texts/index.ts';
import { showBrowserNotification, type BrowserNotification } from './browser-notifications.ts';
import { createAnnouncer } from './new-notifications.ts';

export type ListedNotification = OutputOf<'notifications'>['data'][number];

export type WaitingRequest = OutputOf<'notifications'>['requests']['data'][number];

export type EmergencyAccess = OutputOf<'notifications'>['emergencies']['data'][number];

export type WaitingApproval = OutputOf<'notifications'>['approvals']['data'][number];

export const unreadCount = signal(0);
/** How many requests for access, and sessions on devices with four eyes, wait for a decision that the user may make. */
export const waitingCount = signal(0);

/** How many others have emergency access now that the user could have approved. */
export const emergencyCount = signal(0);

const newestCount = 10;
/** More than this many at once are only counted on the bell. */
const maxAnnounced = 3;

const createAnnouncers = () => ({
  notifications: createAnnouncer<ListedNotification>(),
  requests: createAnnouncer<WaitingRequest & { read: boolean }>(),
  emergencies: createAnnouncer<EmergencyAccess & { read: boolean }>(),
  approvals: createAnnouncer<WaitingApproval & { read: boolean }>(),
});

let announcers = createAnnouncers();
let userId: number | undefined;

export const requestTitle = ({ email, role, target }: WaitingRequest): string =>
  t.notifications.requests.title(email, role, target);

export const emergencyTitle = ({ email, role, target }: EmergencyAccess): string =>
  t.notifications.emergencies.title(email, role, target);

export const approvalTitle = ({ operator, device }: WaitingApproval): string =>
  t.notifications.approvals.title(operator, device);

export const requestsPath = '/panel/requests?state=waiting';
export const emergenciesPath = '/panel/requests?state=approved';

function announce(all: readonly BrowserNotification[]): void {
  for (const each of all.slice(-maxAnnounced)) {
    showNotice(each.title);
    // If the browser refuses it, the panel has shown it anyway.
    void showBrowserNotification(each).catch(() => {});
  }
}

const notificationsPath = '/panel/notifications';

const asUnread = <Item extends object>(item: Item): Item & { read: boolean } => ({ ...item, read: false });

async function refresh(): Promise<void> {
  if (!currentUser.value) return;
  const loadedFor = userId;
  const found = await get('notifications', { limit: newestCount }, { background: true });
  if (loadedFor !== userId) return;
  const { data, unread, requests, emergencies, approvals } = found;
  unreadCount.value = unread;
  waitingCount.value = requests.total + approvals.total;
  emergencyCount.value = emergencies.total;
  announce(
    announcers.notifications.next(data).map(({ id, title, kind }) => ({
      id: `notification-${id}`,
      title,
      path: kind === 'client_waits' ? '/panel/support' : notificationsPath,
    })),
  );
  announce(
    announcers.requests
      .next(requests.data.map(asUnread))
      .map((each) => ({ id: `request-${each.id}`, title: requestTitle(each), path: requestsPath })),
  );
  announce(
    announcers.emergencies
      .next(emergencies.data.map(asUnread))
      .map((each) => ({ id: `request-${each.id}`, title: emergencyTitle(each), path: emergenciesPath })),
  );
  announce(
    announcers.approvals
      .next(approvals.data.map(asUnread))
      .map((each) => ({ id: `approval-${each.id}`, title: approvalTitle(each), path: notificationsPath })),
  );
}

const refresher = createRefreshScheduler({
  now: () => performance.now(),
  // The next event or page loads them again.
  refresh: () => refresh().catch(() => {}),
});

for (const topic of ['notifications', 'team'] as const) subscribeToTopic(topic, () => refresher.schedule());

/** Another user starts without the notifications of the one before. */
effect(() => {
  const id = currentUser.value?.id;
  if (id === userId) return;
  userId = id;
  unreadCount.value = 0;
  waitingCount.value = 0;
  emergencyCount.value = 0;
  announcers = createAnnouncers();
  if (id !== undefined) refresher.schedule();
});
