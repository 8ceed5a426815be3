/** The heap compared with a list that is sorted each time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTimeHeap, type HeapItem } from './time-heap.ts';

test('the earliest item comes first after any additions, updates and removals', () => {
  const heap = createTimeHeap<HeapItem>();
  const all: HeapItem[] = [];
  let seed = 7;
  const draw = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;

  for (let round = 0; round < 5_000; round++) {
    const chosen = all[draw(all.length + 1)];
    if (!chosen || draw(3) === 0) {
      const added = { time: draw(1_000), index: 0 };
      all.push(added);
      heap.add(added);
    } else if (draw(2) === 0) {
      chosen.time = draw(1_000);
      heap.update(chosen);
    } else {
      all.splice(all.indexOf(chosen), 1);
      heap.remove(chosen);
    }
    const earliest = all.length > 0 ? Math.min(...all.map(({ time }) => time)) : undefined;
    assert.equal(heap.first()?.time, earliest);
  }
});
