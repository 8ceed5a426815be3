/** Long lists come in pages: asks for one after the other until there are no more. */

export interface Part {
  offset: number;
  limit: number;
}

/** The most that the server gives at once. */
const limit = 100;

export async function everyPage<Item>(load: (part: Part) => Promise<readonly Item[]>): Promise<Item[]> {
  const all: Item[] = [];
  for (;;) {
    const items = await load({ offset: all.length, limit });
    all.push(...items);
    if (items.length < limit) return all;
  }
}
