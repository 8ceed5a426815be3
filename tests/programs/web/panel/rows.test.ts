/** Which rows of a long table are drawn. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toRowsAndGaps, visibleRows } from '@drawbridge/web/panel/ui/tables/visible-rows';

const long = { count: 10_000, rowHeight: 50, height: 800 };

test('of a long table the visible rows are rendered, and a few beyond each edge', () => {
  assert.deepEqual(visibleRows({ ...long, above: 0 }), { first: 0, last: 28 });
  assert.deepEqual(visibleRows({ ...long, above: 50_000 }), { first: 988, last: 1_028 });
  assert.deepEqual(visibleRows({ ...long, above: 499_200 }), { first: 9_972, last: 10_000 });
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
