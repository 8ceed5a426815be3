/** Things in a heap, each with a time: the one with the earliest is found at once, and times may change. */

export interface Timed {
  time: number;
  /** Where it is in the heap; kept by the heap. */
  index: number;
}

export interface Soonest<Thing extends Timed> {
  add(thing: Thing): void;
  /** Its time is another one now. */
  moved(thing: Thing): void;
  remove(thing: Thing): void;
  /** The one with the earliest time. */
  first(): Thing | undefined;
}

export function createSoonest<Thing extends Timed>(): Soonest<Thing> {
  /** None is earlier than the one above it, which is at half its index. */
  const heap: Thing[] = [];

  const put = (thing: Thing, index: number): void => {
    heap[index] = thing;
    thing.index = index;
  };
  function rise(thing: Thing): void {
    let { index } = thing;
    while (index > 0) {
      const above = (index - 1) >> 1;
      if (heap[above]!.time <= thing.time) break;
      put(heap[above]!, index);
      index = above;
    }
    put(thing, index);
  }
  function sink(thing: Thing): void {
    let { index } = thing;
    for (;;) {
      const [left, right] = [heap[2 * index + 1], heap[2 * index + 2]];
      const below = right && right.time < left!.time ? right : left;
      if (!below || below.time >= thing.time) break;
      const next = below.index;
      put(below, index);
      index = next;
    }
    put(thing, index);
  }
  const moved = (thing: Thing): void => {
    rise(thing);
    sink(thing);
  };
  return {
    add(thing) {
      thing.index = heap.length;
      heap.push(thing);
      rise(thing);
    },
    moved,
    remove(thing) {
      const last = heap.pop()!;
      if (last === thing) return;
      put(last, thing.index);
      moved(last);
    },
    first: () => heap[0],
  };
}
