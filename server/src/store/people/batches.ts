/** Long lists in parts, because a statement accepts only so many parameters. */

const batchSize = 1_000;

export function* inBatches<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += batchSize) yield items.slice(at, at + batchSize);
}
