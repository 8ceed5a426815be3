/**
 * A program that opens the store of a location and tries to use each of the given links many times at once.
 */
import { isFault } from '@drawbridge/contract/faults';
import { openStore } from '@drawbridge/server/store/engine/open';

export interface TakeOrder {
  digests: string[];
  takers: number;
}

/** How often each link opened here, by its digest. */
export type TakenCounts = Record<string, number>;

const [folder = '', url] = process.argv.slice(2);
const store = await openStore({ folder, url });

async function take(digest: string, takers: number): Promise<number> {
  const tries = Array.from({ length: takers }, () => store.change('links/consume', { digest }));
  return (await Promise.all(tries)).filter((outcome) => !isFault(outcome)).length;
}

async function takeAll({ digests, takers }: TakeOrder): Promise<void> {
  const wins: TakenCounts = {};
  for (const digest of digests) wins[digest] = await take(digest, takers);
  process.send?.(wins);
  await store.close();
  process.disconnect?.();
}

process.on('message', (order: TakeOrder) => void takeAll(order));
process.send?.('open');
