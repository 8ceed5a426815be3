/** The events of a simulation in the order of their times; events of the same time keep the order in which they were added. */

interface SimulatedEvent {
  at: number;
  kind: number;
  /** Of a device, a gateway, a database and so on, by the kind. */
  id: number;
  /** Tells to which attempt of a device the event belongs. */
  attempt: number;
}

interface EventQueue {
  add(event: Readonly<SimulatedEvent>): void;
  take(): SimulatedEvent | undefined;
  /** Infinite if there is none. */
  nextAt(): number;
}

/** A heap with four children per node in typed arrays, because a large fleet has millions of events. */
interface Heap {
  size: number;
  added: number;
  times: Float64Array;
  /** The order in which they were added. */
  orders: Float64Array;
  kinds: Int32Array;
  ids: Int32Array;
  attempts: Int32Array;
}

export function createEventQueue(): EventQueue {
  const capacity = 1_024;
  const heap: Heap = {
    size: 0,
    added: 0,
    times: new Float64Array(capacity),
    orders: new Float64Array(capacity),
    kinds: new Int32Array(capacity),
    ids: new Int32Array(capacity),
    attempts: new Int32Array(capacity),
  };
  return {
    add: (event) => add(heap, event),
    take: () => take(heap),
    nextAt: () => (heap.size === 0 ? Infinity : heap.times[0]!),
  };
}

function add(heap: Heap, event: Readonly<SimulatedEvent>): void {
  if (heap.size === heap.times.length) grow(heap);
  let free = heap.size++;
  while (free > 0) {
    const parent = (free - 1) >> 2;
    if (heap.times[parent]! <= event.at) break;
    move(heap, parent, free);
    free = parent;
  }
  heap.times[free] = event.at;
  heap.orders[free] = heap.added++;
  heap.kinds[free] = event.kind;
  heap.ids[free] = event.id;
  heap.attempts[free] = event.attempt;
}

function take(heap: Heap): SimulatedEvent | undefined {
  if (heap.size === 0) return undefined;
  const event = {
    at: heap.times[0]!,
    kind: heap.kinds[0]!,
    id: heap.ids[0]!,
    attempt: heap.attempts[0]!,
  };
  heap.size -= 1;
  if (heap.size > 0) sink(heap, heap.size);
  return event;
}

/** Moves the event at `from` to where it belongs below the free root. */
function sink(heap: Heap, from: number): void {
  let free = 0;
  for (;;) {
    const start = 4 * free + 1;
    if (start >= heap.size) break;
    let first = start;
    const end = Math.min(start + 4, heap.size);
    for (let child = start + 1; child < end; child++) if (isBefore(heap, child, first)) first = child;
    if (!isBefore(heap, first, from)) break;
    move(heap, first, free);
    free = first;
  }
  move(heap, from, free);
}

function isBefore({ times, orders }: Heap, one: number, other: number): boolean {
  const difference = times[one]! - times[other]!;
  return difference < 0 || (difference === 0 && orders[one]! < orders[other]!);
}

function move(heap: Heap, from: number, to: number): void {
  heap.times[to] = heap.times[from]!;
  heap.orders[to] = heap.orders[from]!;
  heap.kinds[to] = heap.kinds[from]!;
  heap.ids[to] = heap.ids[from]!;
  heap.attempts[to] = heap.attempts[from]!;
}

function grow(heap: Heap): void {
  const length = 2 * heap.times.length;
  for (const name of ['times', 'orders'] as const) {
    const larger = new Float64Array(length);
    larger.set(heap[name]);
    heap[name] = larger;
  }
  for (const name of ['kinds', 'ids', 'attempts'] as const) {
    const larger = new Int32Array(length);
    larger.set(heap[name]);
    heap[name] = larger;
  }
}
