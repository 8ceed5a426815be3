/** Which rows of a long table are drawn. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assignSlots } from '@drawbridge/web/panel/ui/tables/row-slots';
import { overscanPx, toRowsAndGaps, visibleRows } from '@drawbridge/web/panel/ui/tables/visible-rows';

const long = { count: 10_000, rowHeight: 50, height: 800, overscan: overscanPx };

test('of a long table the visible rows are rendered, and a few beyond each edge', () => {
  assert.deepEqual(visibleRows({ ...long, above: 0 }), { first: 0, last: 28 });
  assert.deepEqual(visibleRows({ ...long, above: 50_000 }), { first: 988, last: 1_028 });
  assert.deepEqual(visibleRows({ ...long, above: 499_200 }), { first: 9_972, last: 10_000 });
});

test('after a jump only the visible rows are rendered', () => {
  assert.deepEqual(visibleRows({ ...long, above: 50_000, overscan: 0 }), { first: 1_000, last: 1_016 });
});

test('of a table that is far below or far above no rows are rendered', () => {
  assert.deepEqual(visibleRows({ ...long, above: -200_000 }), { first: 0, last: 0 });
  assert.deepEqual(visibleRows({ ...long, above: 900_000 }), { first: 10_000, last: 10_000 });
});

const shown = (focused: number): string =>
  toRowsAndGaps({ first: 4, last: 7, count: 20, focused })
    .map((part) => ('gap' in part ? `${part.gap} ${part.rows}` : part.at))
    .join(', ');

test('the space of the other rows is kept above and below', () => {
  assert.equal(shown(-1), 'above 4, 4, 5, 6, below 13');
});

test('the focused row is rendered wherever it is, and all others stay in place', () => {
  assert.equal(shown(5), 'above 4, 4, 5, 6, below 13');
  assert.equal(shown(1), 'above 1, 1, between 2, 4, 5, 6, below 13');
  assert.equal(shown(9), 'above 4, 4, 5, 6, between 2, 9, below 10');
});

const slotsAfter = (...views: readonly (readonly string[])[]): string => {
  let slots: ReadonlyMap<string | number, number> = new Map();
  for (const view of views) slots = assignSlots(slots, view);
  return [...slots].map(([row, slot]) => `${row}${slot}`).join(' ');
};

test('the elements of the focused row are not reused when it is gone', () => {
  const before = new Map([
    ['a', 0],
    ['b', 1],
  ]);
  assert.deepEqual([...assignSlots(before, ['x', 'y'], 'a').values()], [1, 2]);
});

test('a row keeps its elements while it is rendered, and rows after a jump reuse those of earlier rows', () => {
  assert.equal(slotsAfter(['a', 'b', 'c']), 'a0 b1 c2');
  assert.equal(slotsAfter(['a', 'b', 'c'], ['b', 'c', 'd']), 'b1 c2 d3');
  assert.equal(slotsAfter(['a', 'b', 'c'], ['b', 'c', 'd'], ['x', 'y', 'z']), 'x1 y2 z3');
  assert.equal(slotsAfter(['a', 'b', 'c'], ['b', 'c', 'd'], ['b', 'c', 'd', 'e']), 'b1 c2 d3 e4');
  assert.equal(slotsAfter(['a', 'b'], ['x', 'y', 'z']), 'x0 y1 z2');
  assert.equal(slotsAfter(['a', 'b', 'c'], ['x'], ['x', 'y']), 'x0 y1');
  assert.equal(slotsAfter(['a', 'b', 'c'], ['c', 'x', 'y', 'z']), 'c2 x0 y1 z3');
  assert.equal(slotsAfter(['a'], [], ['b']), 'b0');
});
