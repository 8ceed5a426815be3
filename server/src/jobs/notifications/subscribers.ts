/** The people who subscribed in an account, each with their current rights, read once per round. */
import { createSubscriber, type Subscriber } from '../../domain/notifications/notifications.ts';
import type { Reads } from '../../store/store.ts';

export type SubscribersOf = (accountId: number) => Promise<ReadonlyMap<number, Subscriber>>;

export function createSubscribers(store: Pick<Reads, 'actors' | 'notifications'>): SubscribersOf {
  const accounts = new Map<number, Promise<ReadonlyMap<number, Subscriber>>>();
  const load = async (accountId: number): Promise<ReadonlyMap<number, Subscriber>> => {
    const all = await store.notifications.ofAccount(accountId);
    const subscribers = new Map<number, Subscriber>();
    for (const [memberId, own] of Map.groupBy(all, (each) => each.memberId)) {
      const actor = await store.actors.byId(accountId, memberId);
      if (actor) subscribers.set(memberId, createSubscriber(actor, own));
    }
    return subscribers;
  };
  return (accountId) => {
    const known = accounts.get(accountId) ?? load(accountId);
    accounts.set(accountId, known);
    return known;
  };
}
