/** Finds what happened since the last round, for the people who subscribed to it. */
import {
  isReached,
  offlineDue,
  offlineWindows,
  outageCause,
  type NotificationRound,
  type Subscriber,
  type TimeWindow,
} from '../../domain/notifications/notifications.ts';
import type {
  LapsedDevice,
  NotificationCause,
  NotificationItem,
} from '../../store/notifications/notification-records.ts';
import type { Reads } from '../../store/store.ts';
import type { SubscribersOf } from './subscribers.ts';

type Store = Pick<Reads, 'notifications'>;

/** How many causes one round evaluates; the others follow in the next. */
const maxCauses = 1_000;
/** Databases limit the size of a statement: more windows than this are read as one that contains them all. */
const maxWindows = 100;
/** A client who leaves and joins again is reported once in this many seconds. */
const clientInterval = 600;

export async function findItems(
  store: Store,
  subscribersOf: SubscribersOf,
  round: NotificationRound,
): Promise<{ items: NotificationItem[]; causeIds: number[] }> {
  const causes = await store.notifications.causes(maxCauses);
  const items: NotificationItem[] = [];
  for (const cause of causes)
    for (const [memberId, subscriber] of await subscribersOf(cause.accountId))
      if (isWanted(cause, memberId, subscriber)) items.push(itemOf(cause, memberId));
  for (const item of await findOutages(store, subscribersOf, round)) items.push(item);
  return { items, causeIds: causes.map(({ id }) => id) };
}

/** People are not notified of their own sessions. */
function isWanted(
  { kind, agent, invitation, session }: NotificationCause,
  memberId: number,
  subscriber: Subscriber,
) {
  if (invitation) return subscriber.wantsClient(invitation.creator);
  return agent !== null && session?.memberId !== memberId && subscriber.wants(kind, agent);
}

const itemOf = (
  { accountId, kind, time, agent, invitation, session }: NotificationCause,
  memberId: number,
): NotificationItem => ({
  accountId,
  memberId,
  cause: invitation
    ? `${kind} ${invitation.id} ${Math.floor(time / clientInterval)}`
    : `${kind} ${session?.id ?? agent?.id}`,
  kind,
  time,
  dueTime: time,
  agentId: agent?.id ?? null,
  invitationId: invitation?.id ?? null,
  sessionId: session?.id ?? null,
});

async function findOutages(
  store: Store,
  subscribersOf: SubscribersOf,
  round: NotificationRound,
): Promise<NotificationItem[]> {
  const minutes = await store.notifications.minutes();
  const windows = minutes.flatMap((each) => offlineWindows(round, each));
  const lapsed = await store.notifications.lapsed(limitWindows(windows), round.to);
  const items: NotificationItem[] = [];
  for (const [accountId, devices] of Map.groupBy(lapsed, (device) => device.accountId)) {
    const outages: { memberId: number; device: LapsedDevice }[] = [];
    for (const [memberId, subscriber] of await subscribersOf(accountId))
      for (const device of devices)
        if (isOutage(device, subscriber, round)) outages.push({ memberId, device });
    const toldOf = await toldOutages(store, accountId, new Set(outages.map(({ device }) => device.id)));
    for (const { memberId, device } of outages) {
      const told = toldOf(memberId, device.id);
      if (told !== 'open') items.push(outageItem(device, memberId, offlineDue(told, round.to)));
    }
  }
  return items;
}

const limitWindows = (windows: readonly TimeWindow[]): readonly TimeWindow[] =>
  windows.length <= maxWindows
    ? windows
    : [
        {
          after: Math.min(...windows.map(({ after }) => after)),
          until: Math.max(...windows.map(({ until }) => until)),
        },
      ];

/** Whether the outage now lasts as long as the person chose to wait. */
function isOutage(device: LapsedDevice, subscriber: Subscriber, round: NotificationRound): boolean {
  const subscription = subscriber.subscriptionOf(device);
  return (
    subscription !== undefined &&
    (subscription.kinds.includes('offline') || subscription.kinds.includes('back')) &&
    isReached(round, subscription, device.seenTime)
  );
}

/** When a person was last told that a device is offline; `open` if they were not told that it is back. */
async function toldOutages(store: Store, accountId: number, agentIds: ReadonlySet<number>) {
  const outages = agentIds.size === 0 ? [] : await store.notifications.outages(accountId, [...agentIds]);
  const known = new Map<string, number | 'open'>();
  for (const { memberId, agentId, open, toldTime } of outages) {
    const key = `${memberId} ${agentId}`;
    const before = known.get(key);
    if (before !== 'open') known.set(key, open ? 'open' : Math.max(before ?? 0, toldTime));
  }
  return (memberId: number, agentId: number): number | 'open' | undefined =>
    known.get(`${memberId} ${agentId}`);
}

const outageItem = (device: LapsedDevice, memberId: number, dueTime: number): NotificationItem => ({
  accountId: device.accountId,
  memberId,
  cause: outageCause(device.id, device.seenTime),
  kind: 'offline',
  time: device.seenTime,
  dueTime,
  agentId: device.id,
  invitationId: null,
  sessionId: null,
});
