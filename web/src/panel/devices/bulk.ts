/** Does the same with many, a few at a time, and keeps note of those that were refused. */

export interface BulkProgress<Item> {
  done: number;
  total: number;
  /** Those that were refused, and why. */
  refused: readonly { item: Item; error: unknown }[];
}

interface BulkOptions<Item> {
  concurrency?: number;
  onProgress?: (progress: BulkProgress<Item>) => void;
  /** Once aborted nothing more is begun; what is under way is finished. */
  signal?: AbortSignal;
}

export async function runForEach<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
  { concurrency = 4, onProgress, signal }: BulkOptions<Item> = {},
): Promise<BulkProgress<Item>> {
  const refused: { item: Item; error: unknown }[] = [];
  let [next, done] = [0, 0];
  const now = (): BulkProgress<Item> => ({ done, total: items.length, refused: [...refused] });
  const work = async (): Promise<void> => {
    while (next < items.length) {
      if (signal?.aborted) return;
      const item = items[next++]!;
      await act(item).catch((error: unknown) => refused.push({ item, error }));
      done += 1;
      onProgress?.(now());
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return now();
}

/** The list with one of its entries taken out and put in before another, or at the end. */
export function movedBefore<Item>(items: readonly Item[], item: Item, before: Item | undefined): Item[] {
  if (item === before) return [...items];
  const rest = items.filter((each) => each !== item);
  const index = before === undefined ? -1 : rest.indexOf(before);
  return index < 0 ? [...rest, item] : rest.toSpliced(index, 0, item);
}
