/** Tests of tracking which blocks were sent lossily. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLossyBlocks } from './lossy-blocks.ts';

const everything = { x: 0, y: 0, width: 100, height: 60 };

test('a block stays lossy until all of it was sent exactly', () => {
  const lossy = createLossyBlocks(100, 60);

  lossy.mark([{ x: 20, y: 20, width: 4, height: 4 }], 5);
  assert.deepEqual(lossy.older(5, Infinity), [{ x: 16, y: 16, width: 16, height: 16 }]);

  lossy.clear([{ x: 16, y: 16, width: 15, height: 16 }]);
  assert.equal(lossy.count(), 1);
  lossy.clear([{ x: 16, y: 16, width: 16, height: 16 }]);
  assert.equal(lossy.count(), 0);
  assert.equal(lossy.dueAt(300), undefined);
});

test('blocks at the edge end where the picture ends', () => {
  const lossy = createLossyBlocks(100, 60);

  lossy.mark([everything], 1);

  assert.equal(lossy.count(), 7 * 4);
  assert.deepEqual(lossy.older(1, Infinity), [everything]);
});

test('a copy of lossy content makes every block it touches lossy', () => {
  const lossy = createLossyBlocks(100, 60);
  lossy.mark([{ x: 0, y: 0, width: 16, height: 16 }], 1);

  lossy.copy({ x: 0, y: 0, width: 32, height: 16, toX: 8, toY: 20 }, 9);

  assert.deepEqual(lossy.older(9, Infinity), [
    { x: 0, y: 0, width: 16, height: 16 },
    { x: 0, y: 16, width: 32, height: 32 },
  ]);
});

test('exact content copied over a block makes it exact', () => {
  const lossy = createLossyBlocks(100, 60);
  lossy.mark([{ x: 48, y: 16, width: 16, height: 16 }], 1);

  lossy.copy({ x: 0, y: 0, width: 32, height: 32, toX: 40, toY: 10 }, 9);

  assert.equal(lossy.count(), 0);
});

test('only blocks that have not changed for a while are returned, and no more than requested', () => {
  const lossy = createLossyBlocks(100, 60);
  lossy.mark([{ x: 0, y: 0, width: 64, height: 16 }], 100);
  lossy.mark([{ x: 0, y: 32, width: 16, height: 16 }], 200);

  assert.equal(lossy.dueAt(300), 400);
  assert.deepEqual(lossy.older(150, Infinity), [{ x: 0, y: 0, width: 64, height: 16 }]);
  assert.deepEqual(lossy.older(250, 512), [{ x: 0, y: 0, width: 32, height: 16 }]);
});
