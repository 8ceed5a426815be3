/** Turns what waits into notifications: ends outages, drops what is no longer true, and collects the rest. */
import {
  decide,
  defaultMailKinds,
  isCollected,
  stableAfter,
  type DueSpan,
  type Subscriber,
} from '../../domain/notifications/notifications.ts';
import type {
  ItemRef,
  NotificationItem,
  ReturnedDevice,
  WaitingItem,
  WaitingKind,
} from '../../store/notifications/notification-records.ts';
import type { Store } from '../../store/store.ts';
import type { ChangeInput } from '../../store/changes.ts';
import type { SubscribersOf } from './subscribers.ts';

type Message = ChangeInput<'notifications/tell'>['messages'][number];

interface Told {
  messages: Message[];
  silent: ItemRef[];
  dropped: ItemRef[];
}

/** How many people one change notifies. */
const peoplePerChange = 20;
const hour = 3_600;

/** Ends the outages of devices that have stayed online, and reports that where it is wanted. */
export async function settleOutages(store: Store, subscribersOf: SubscribersOf): Promise<void> {
  const now = store.now();
  const until = now - stableAfter;
  const returned = await store.notifications.returned(until, now);
  if (returned.length === 0) return;
  const items: NotificationItem[] = [];
  for (const device of returned) {
    const subscriber = (await subscribersOf(device.accountId)).get(device.memberId);
    if (device.online && subscriber?.wants('back', device)) items.push(returnItem(device, now));
  }
  const ended = returned.filter(({ online }) => online);
  await store.change('notifications/settle', {
    until,
    ended: ended.map(refOf),
    relapsed: returned.filter(({ online }) => !online).map(refOf),
    items,
  });
}

const refOf = ({ accountId, memberId, cause }: ItemRef): ItemRef => ({ accountId, memberId, cause });

const returnItem = (device: ReturnedDevice, now: number): NotificationItem => ({
  accountId: device.accountId,
  memberId: device.memberId,
  cause: `back ${device.id} ${device.time}`,
  kind: 'back',
  time: now,
  dueTime: now,
  agentId: device.id,
  invitationId: null,
  sessionId: null,
});

/** Notifies people of everything that has waited long enough. */
export async function tellSubscribers(
  store: Store,
  subscribersOf: SubscribersOf,
  hasMail: boolean,
): Promise<void> {
  const waiting = await store.notifications.waiting(store.now());
  const people = [...Map.groupBy(waiting, ({ memberId }) => memberId).values()];
  for (let start = 0; start < people.length; start += peoplePerChange) {
    const change: Told = { messages: [], silent: [], dropped: [] };
    for (const kinds of people.slice(start, start + peoplePerChange)) {
      const { accountId, memberId } = kinds[0]!;
      const subscriber = (await subscribersOf(accountId)).get(memberId);
      await decideAll({ store, subscriber, hasMail }, kinds, change);
    }
    if (change.messages.length + change.silent.length + change.dropped.length > 0)
      await store.change('notifications/tell', change);
  }
}

interface Deciding {
  store: Store;
  subscriber: Subscriber | undefined;
  hasMail: boolean;
}

/** Adds to the change what becomes of that which waits for one person; some of it may wait on. */
async function decideAll(deps: Deciding, kinds: readonly WaitingKind[], change: Told): Promise<void> {
  const { store, subscriber } = deps;
  const { accountId, memberId } = kinds[0]!;
  const now = store.now();
  const sent = await store.notifications.sentSince({ accountId, memberId }, now - hour);
  for (const waiting of kinds) {
    const isDue = (span: DueSpan): boolean =>
      isCollected(waiting.kind, span, sent.get(waiting.kind) ?? 0, now);
    if (!isDue(waiting)) continue;
    const items = await store.notifications.waitingItems(waiting, now);
    const decided = Map.groupBy(items, (item) => (subscriber ? decide(item, subscriber) : 'drop'));
    const told = decided.get('tell') ?? [];
    // Without those that are dropped, the others may not have waited long enough.
    if (told.length > 0 && isDue(spanOf(told))) change.messages.push(await messageOf(deps, waiting, told));
    change.silent.push(...(decided.get('silent') ?? []).map(refOf));
    change.dropped.push(...(decided.get('drop') ?? []).map(refOf));
  }
}

async function messageOf(
  { store, hasMail }: Deciding,
  { accountId, memberId, kind }: WaitingKind,
  items: readonly WaitingItem[],
): Promise<Message> {
  const memberRef = { accountId, memberId };
  const mailed = hasMail ? ((await store.notifications.mailKinds(memberRef)) ?? defaultMailKinds) : [];
  return { ...memberRef, kind, causes: items.map(({ cause }) => cause), mail: mailed.includes(kind) };
}

const spanOf = (items: readonly WaitingItem[]): DueSpan =>
  items.reduce(
    ({ oldest, newest }, { dueTime }) => ({
      oldest: Math.min(oldest, dueTime),
      newest: Math.max(newest, dueTime),
    }),
    { oldest: Infinity, newest: 0 },
  );
