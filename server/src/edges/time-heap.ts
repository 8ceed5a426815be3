/** Things in a heap, each with a time: the one with the earliest is found at once, and times may change. */

export interface HeapItem {
  time: number;
  /** Where it is in the heap; kept by the heap. */
  index: number;
}

export interface TimeHeap<Item extends HeapItem> {
  add(item: Item): void;
  /** Its time is another one now. */
  update(item: Item): void;
  remove(item: Item): void;
  /** The one with the earliest time. */
  first(): Item | undefined;
}

export function createTimeHeap<Item extends HeapItem>(): TimeHeap<Item> {
  /** None is earlier than the one above it, which is at half its index. */
  const heap: Item[] = [];

  const put = (item: Item, index: number): void => {
    heap[index] = item;
    item.index = index;
  };
  function rise(item: Item): void {
    let { index } = item;
    while (index > 0) {
      const above = (index - 1) >> 1;
      if (heap[above]!.time <= item.time) break;
      put(heap[above]!, index);
      index = above;
    }
    put(item, index);
  }
  function sink(item: Item): void {
    let { index } = item;
    for (;;) {
      const [left, right] = [heap[2 * index + 1], heap[2 * index + 2]];
      const below = right && right.time < left!.time ? right : left;
      if (!below || below.time >= item.time) break;
      const next = below.index;
      put(below, index);
      index = next;
    }
    put(item, index);
  }
  const update = (item: Item): void => {
    rise(item);
    sink(item);
  };
  return {
    add(item) {
      item.index = heap.length;
      heap.push(item);
      rise(item);
    },
    update,
    remove(item) {
      const last = heap.pop()!;
      if (last === item) return;
      put(last, item.index);
      update(last);
    },
    first: () => heap[0],
  };
}
