/** Lists that belong to several items, read with one bounded statement. */
import type { BoundedLists } from './provisioning-records.ts';

/** From rows in the order of their items, one more than the limit if there are more: only whole lists are kept. */
export function toBoundedLists<Row, Entry>(
  rows: readonly Row[],
  limit: number,
  { itemOf, toEntry }: { itemOf(row: Row): number; toEntry(row: Row): Entry },
): BoundedLists<Entry> {
  const firstBeyond = rows[limit];
  const cutAt = firstBeyond && itemOf(firstBeyond);
  const whole = cutAt === undefined ? rows : rows.filter((row) => itemOf(row) < cutAt);
  const lists = new Map([...Map.groupBy(whole, itemOf)].map(([item, own]) => [item, own.map(toEntry)]));
  return { lists, cutAt };
}
