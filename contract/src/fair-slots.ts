/** Limits unauthenticated connections per owner and in total. When all slots are taken, the owner with the most loses one. */

export interface SlotLimits {
  all: number;
  each: number;
}

/** Who holds a slot, on two levels, so that many narrow owners within one wide owner do not gain more slots. */
export interface SlotOwner {
  /** Subject to the limit `each`, for example a /64 network. */
  narrow: string;
  /** Decides who loses a slot when all are taken, for example the /48 network around it. */
  wide: string;
}

export interface FairSlots<Thing> {
  /**
   * Takes a slot for the thing, or returns false. If all slots are taken, the thing gets one only if some wide owner has more
   * slots than its own wide owner would then have: the newest thing of the largest owner is evicted. A thing without an
   * owner counts towards the total only.
   */
  acquire(thing: Thing, owner: SlotOwner | undefined): boolean;
  /** Whether a slot is free or could be freed. */
  hasRoomFor(owner: SlotOwner | undefined): boolean;
  /** Does nothing if the thing has no slot or was evicted. */
  release(thing: Thing): void;
  size(): number;
  /** The number of slots of each narrow owner. */
  counts(): ReadonlyMap<string, number>;
  /** Evicts the newest things of narrow owners that have more slots than they may keep. */
  shrink(keep: ReadonlyMap<string, number>): void;
}

interface State<Thing> {
  limits: SlotLimits;
  evict: (thing: Thing) => void;
  elsewhere: (narrow: string) => number;
  owners: Map<Thing, SlotOwner | undefined>;
  /** The number of slots of each narrow owner. */
  counts: Map<string, number>;
  /** The things of each wide owner, oldest first. */
  held: Map<string, Set<Thing>>;
  /** Wide owners by their number of slots, because a search through every owner would be too slow when all slots are taken. */
  ranks: Set<string>[];
}

/** `elsewhere`: how many slots a narrow owner has in other processes, which count towards the limit `each` too. */
export function createFairSlots<Thing>(
  limits: SlotLimits,
  evict: (thing: Thing) => void,
  elsewhere: (narrow: string) => number = () => 0,
): FairSlots<Thing> {
  const state: State<Thing> = {
    limits,
    evict,
    elsewhere,
    owners: new Map(),
    counts: new Map(),
    held: new Map(),
    ranks: [],
  };
  return {
    acquire: (thing, owner) => acquire(state, thing, owner),
    hasRoomFor: (owner) => hasRoomFor(state, owner),
    release: (thing) => release(state, thing),
    size: () => state.owners.size,
    counts: () => state.counts,
    shrink: (keep) => shrink(state, keep),
  };
}

function acquire<Thing>(state: State<Thing>, thing: Thing, owner: SlotOwner | undefined): boolean {
  if (!hasRoomFor(state, owner)) return false;
  if (state.owners.size >= state.limits.all) evictOne(state);
  state.owners.set(thing, owner);
  if (owner !== undefined) hold(state, thing, owner);
  return true;
}

function hasRoomFor<Thing>(state: State<Thing>, owner: SlotOwner | undefined): boolean {
  const { limits, owners, counts, elsewhere, held, ranks } = state;
  const own = owner ? (counts.get(owner.narrow) ?? 0) + elsewhere(owner.narrow) : 0;
  const wide = owner ? (held.get(owner.wide)?.size ?? 0) : 0;
  return own < limits.each && (owners.size < limits.all || ranks.length - 1 > wide + 1);
}

function hold<Thing>({ counts, held, ranks }: State<Thing>, thing: Thing, { narrow, wide }: SlotOwner): void {
  counts.set(narrow, (counts.get(narrow) ?? 0) + 1);
  const things = held.get(wide) ?? new Set<Thing>();
  held.set(wide, things.add(thing));
  moveRank(ranks, wide, things.size - 1, things.size);
}

function release<Thing>({ owners, counts, held, ranks }: State<Thing>, thing: Thing): void {
  const owner = owners.get(thing);
  if (!owners.delete(thing) || owner === undefined) return;
  const { narrow, wide } = owner;
  const left = counts.get(narrow)! - 1;
  if (left > 0) counts.set(narrow, left);
  else counts.delete(narrow);
  const things = held.get(wide)!;
  things.delete(thing);
  if (things.size === 0) held.delete(wide);
  moveRank(ranks, wide, things.size + 1, things.size);
}

function evictOne<Thing>(state: State<Thing>): void {
  const [largest] = state.ranks.at(-1)!;
  const newest = [...state.held.get(largest!)!].at(-1)!;
  release(state, newest);
  state.evict(newest);
}

function shrink<Thing>(state: State<Thing>, keep: ReadonlyMap<string, number>): void {
  const { owners, counts } = state;
  for (const [thing, owner] of [...owners].toReversed()) {
    const limit = owner && keep.get(owner.narrow);
    if (limit === undefined || counts.get(owner!.narrow)! <= limit) continue;
    release(state, thing);
    state.evict(thing);
  }
}

function moveRank(ranks: Set<string>[], wide: string, from: number, to: number): void {
  ranks[from]?.delete(wide);
  if (to > 0) (ranks[to] ??= new Set()).add(wide);
  while (ranks.length > 0 && !ranks.at(-1)?.size) ranks.pop();
}
