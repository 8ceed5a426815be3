/** A binary heap of items with a time: finds the earliest item at once, and times can change. */

export interface HeapItem {
  time: number;
  /** The position in the heap; the heap maintains it. */
  index: number;
}

export interface TimeHeap<Item extends HeapItem> {
  add(item: Item): void;
  /** Call after the time of the item has changed. */
  update(item: Item): void;
  remove(item: Item): void;
  /** Returns the item with the earliest time. */
  first(): Item | undefined;
}

export function createTimeHeap<Item extends HeapItem>(): TimeHeap<Item> {
  /** No item is earlier than its parent, which is at half its index. */
  const heap: Item[] = [];
  return {
    add(item) {
      item.index = heap.length;
      heap.push(item);
      siftUp(heap, item);
    },
    update: (item) => update(heap, item),
    remove(item) {
      const last = heap.pop()!;
      if (last === item) return;
      put(heap, last, item.index);
      update(heap, last);
    },
    first: () => heap[0],
  };
}

function put<Item extends HeapItem>(heap: Item[], item: Item, index: number): void {
  heap[index] = item;
  item.index = index;
}

function update<Item extends HeapItem>(heap: Item[], item: Item): void {
  siftUp(heap, item);
  siftDown(heap, item);
}

function siftUp<Item extends HeapItem>(heap: Item[], item: Item): void {
  let { index } = item;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (heap[parent]!.time <= item.time) break;
    put(heap, heap[parent]!, index);
    index = parent;
  }
  put(heap, item, index);
}

function siftDown<Item extends HeapItem>(heap: Item[], item: Item): void {
  let { index } = item;
  for (;;) {
    const [left, right] = [heap[2 * index + 1], heap[2 * index + 2]];
    const child = right && right.time < left!.time ? right : left;
    if (!child || child.time >= item.time) break;
    const next = child.index;
    put(heap, child, index);
    index = next;
  }
  put(heap, item, index);
}
