/** Finds the resources that match a filter, in parts, so that other requests run in between. */
import { matchesFilter } from '../domain/scim/match.ts';
import type { ScimFilter } from '../domain/scim/filter.ts';
import type { ScimValues } from '../domain/scim/attributes.ts';

const batchSize = 500;

interface Scan<Item extends { id: number }> {
  /** The items after an id, in the order of their ids. */
  next(after: number, limit: number): Promise<readonly Item[]>;
  toValues(item: Item): ScimValues;
  filter: ScimFilter;
  startIndex: number;
  count: number;
  yieldToEventLoop(): Promise<void>;
}

/** All that match are counted; those of the requested page are returned. */
export async function scan<Item extends { id: number }>({
  next,
  toValues,
  filter,
  startIndex,
  count,
  yieldToEventLoop,
}: Scan<Item>): Promise<{ total: number; items: Item[] }> {
  const items: Item[] = [];
  let total = 0;
  let after = 0;
  for (;;) {
    const batch = await next(after, batchSize);
    for (const item of batch) {
      if (!matchesFilter(toValues(item), filter)) continue;
      total += 1;
      if (total >= startIndex && items.length < count) items.push(item);
    }
    if (batch.length < batchSize) return { total, items };
    after = batch.at(-1)!.id;
    await yieldToEventLoop();
  }
}
