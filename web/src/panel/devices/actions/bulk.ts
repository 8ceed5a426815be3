/** Applies an action to many items with limited concurrency and collects the failures; reorders lists. */

export interface BulkProgress<Item> {
  done: number;
  total: number;
  /** Items whose action failed, with the error. */
  refused: readonly { item: Item; error: unknown }[];
}

interface BulkOptions<Item> {
  concurrency?: number;
  onProgress?: (progress: BulkProgress<Item>) => void;
  /** After an abort no further action starts; running ones finish. */
  signal?: AbortSignal;
}

export async function runForEach<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
  { concurrency = 4, onProgress, signal }: BulkOptions<Item> = {},
): Promise<BulkProgress<Item>> {
  const refused: { item: Item; error: unknown }[] = [];
  let [next, done] = [0, 0];
  const current = (): BulkProgress<Item> => ({ done, total: items.length, refused: [...refused] });
  const work = async (): Promise<void> => {
    while (next < items.length) {
      if (signal?.aborted) return;
      const item = items[next++]!;
      await act(item).catch((error: unknown) => refused.push({ item, error }));
      done += 1;
      onProgress?.(current());
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return current();
}

/** The list with one item moved before another, or to the end. */
export function movedBefore<Item>(items: readonly Item[], item: Item, before: Item | undefined): Item[] {
  if (item === before) return [...items];
  const rest = items.filter((each) => each !== item);
  const index = before === undefined ? -1 : rest.indexOf(before);
  return index < 0 ? [...rest, item] : rest.toSpliced(index, 0, item);
}
