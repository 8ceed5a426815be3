/** Timed work: takes bytes off the shelves that nothing refers to any more. */
import type { Reads, Shelf } from '../store/store.ts';

/** Answers how many there were: of devices that were removed, and of uploads that a crash cut off. */
export const sweepFiles = (store: Pick<Reads, 'files'>, shelf: Shelf): Promise<number> =>
  sweep(shelf, store.files.placesIn);

/** The same for recordings. */
export const sweepRecordings = (store: Pick<Reads, 'recordings'>, shelf: Shelf): Promise<number> =>
  sweep(shelf, store.recordings.placesIn);

async function sweep(shelf: Shelf, placesIn: Reads['files']['placesIn']): Promise<number> {
  let removed = 0;
  for (const accountId of await shelf.accounts())
    for await (const places of shelf.settled(accountId)) {
      const kept = new Set(await placesIn(accountId, places));
      for (const place of places.filter((each) => !kept.has(each))) {
        await shelf.remove(accountId, place);
        removed += 1;
      }
    }
  return removed;
}
