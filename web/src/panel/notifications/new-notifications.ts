/** Decides which notifications are announced: those that arrived since the page first loaded them. */

interface Listed {
  id: number;
  read: boolean;
}

export interface Announcer<Item extends Listed> {
  /** The ones to announce, oldest first. Nothing is announced on the first load. */
  next(newestFirst: readonly Item[]): Item[];
}

export function createAnnouncer<Item extends Listed>(): Announcer<Item> {
  let newestId: number | undefined;
  return {
    next(newestFirst) {
      const before = newestId;
      newestId = Math.max(before ?? 0, newestFirst[0]?.id ?? 0);
      if (before === undefined) return [];
      return newestFirst.filter(({ id, read }) => id > before && !read).toReversed();
    },
  };
}
