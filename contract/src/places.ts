/** Places for connections that nobody knows yet: few for each, and when all are taken, whoever has most gives one up. */

export interface PlaceLimits {
  all: number;
  each: number;
}

export interface Places<Thing> {
  /**
   * Gives the thing a place, or returns false. Where all are taken, room is made for it only if somebody has more places than
   * its owner has with it: the one who came last of those with most is sent away. Without an owner it counts among all alone.
   */
  take(thing: Thing, owner: string | undefined): boolean;
  /** Whether there is a place, or room can be made. */
  hasRoomFor(owner: string | undefined): boolean;
  /** Does nothing where it has none, or has it no longer. */
  free(thing: Thing): void;
  size(): number;
}

export function createPlaces<Thing>(limits: PlaceLimits, sendAway: (thing: Thing) => void): Places<Thing> {
  const owners = new Map<Thing, string | undefined>();
  /** What each owner has, in the order in which it came. */
  const held = new Map<string, Set<Thing>>();
  /** Owners by how many places they have: when all are taken, looking through every owner would cost too much. */
  const ranks: Set<string>[] = [];

  const countOf = (owner: string | undefined): number =>
    owner === undefined ? 0 : (held.get(owner)?.size ?? 0);

  function rank(owner: string, from: number, to: number): void {
    ranks[from]?.delete(owner);
    if (to > 0) (ranks[to] ??= new Set()).add(owner);
    while (ranks.length > 0 && !ranks.at(-1)?.size) ranks.pop();
  }
  function hold(thing: Thing, owner: string): void {
    const things = held.get(owner) ?? new Set<Thing>();
    held.set(owner, things.add(thing));
    rank(owner, things.size - 1, things.size);
  }
  function free(thing: Thing): void {
    const owner = owners.get(thing);
    if (!owners.delete(thing) || owner === undefined) return;
    const things = held.get(owner)!;
    things.delete(thing);
    if (things.size === 0) held.delete(owner);
    rank(owner, things.size + 1, things.size);
  }
  function makeRoom(): void {
    const [greediest] = ranks.at(-1)!;
    const last = [...held.get(greediest!)!].at(-1)!;
    free(last);
    sendAway(last);
  }
  const hasRoomFor = (owner: string | undefined): boolean =>
    countOf(owner) < limits.each && (owners.size < limits.all || ranks.length - 1 > countOf(owner) + 1);

  return {
    hasRoomFor,
    take(thing, owner) {
      if (!hasRoomFor(owner)) return false;
      if (owners.size >= limits.all) makeRoom();
      owners.set(thing, owner);
      if (owner !== undefined) hold(thing, owner);
      return true;
    },
    free,
    size: () => owners.size,
  };
}
