/** Places for connections that nobody knows yet: few for each, and when all are taken, the owner with most gives one up. */

export interface SlotLimits {
  all: number;
  each: number;
}

/** Whose a thing is, by two measures: nobody has more by having many narrow names within one wide name. */
export interface SlotOwner {
  /** What is held to the limit of each, such as a /64. */
  narrow: string;
  /** By what is decided who gives way when all places are taken, such as the /48 around it. */
  wide: string;
}

export interface FairSlots<Thing> {
  /**
   * Gives the thing a place, or returns false. Where all are taken, room is made for it only if some wide owner has more places
   * than its own has with it: the one who came last of those with most is sent away. Without an owner it counts among all alone.
   */
  acquire(thing: Thing, owner: SlotOwner | undefined): boolean;
  /** Whether there is a place, or room can be made. */
  hasRoomFor(owner: SlotOwner | undefined): boolean;
  /** Does nothing where it has none, or has it no longer. */
  release(thing: Thing): void;
  size(): number;
}

export function createFairSlots<Thing>(limits: SlotLimits, evict: (thing: Thing) => void): FairSlots<Thing> {
  const owners = new Map<Thing, SlotOwner | undefined>();
  /** How many places each narrow owner has. */
  const counts = new Map<string, number>();
  /** What each wide owner has, in the order in which it came. */
  const held = new Map<string, Set<Thing>>();
  /** Wide owners by how many places they have: when all are taken, looking through every owner would cost too much. */
  const ranks: Set<string>[] = [];

  function rank(wide: string, from: number, to: number): void {
    ranks[from]?.delete(wide);
    if (to > 0) (ranks[to] ??= new Set()).add(wide);
    while (ranks.length > 0 && !ranks.at(-1)?.size) ranks.pop();
  }
  function hold(thing: Thing, { narrow, wide }: SlotOwner): void {
    counts.set(narrow, (counts.get(narrow) ?? 0) + 1);
    const things = held.get(wide) ?? new Set<Thing>();
    held.set(wide, things.add(thing));
    rank(wide, things.size - 1, things.size);
  }
  function release(thing: Thing): void {
    const owner = owners.get(thing);
    if (!owners.delete(thing) || owner === undefined) return;
    const { narrow, wide } = owner;
    const left = counts.get(narrow)! - 1;
    if (left > 0) counts.set(narrow, left);
    else counts.delete(narrow);
    const things = held.get(wide)!;
    things.delete(thing);
    if (things.size === 0) held.delete(wide);
    rank(wide, things.size + 1, things.size);
  }
  function evictOne(): void {
    const [largest] = ranks.at(-1)!;
    const last = [...held.get(largest!)!].at(-1)!;
    release(last);
    evict(last);
  }
  function hasRoomFor(owner: SlotOwner | undefined): boolean {
    const [own, wide] = owner ? [counts.get(owner.narrow) ?? 0, held.get(owner.wide)?.size ?? 0] : [0, 0];
    return own < limits.each && (owners.size < limits.all || ranks.length - 1 > wide + 1);
  }

  return {
    hasRoomFor,
    acquire(thing, owner) {
      if (!hasRoomFor(owner)) return false;
      if (owners.size >= limits.all) evictOne();
      owners.set(thing, owner);
      if (owner !== undefined) hold(thing, owner);
      return true;
    },
    release,
    size: () => owners.size,
  };
}
