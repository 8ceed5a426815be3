/** What the service accepts from the process of the signed-in person. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxesIn, cursorIn, layoutIn, pixelsIn } from './desktop-values.ts';

const words = new Uint32Array(100);
const box = { x: 0, y: 0, width: 10, height: 10 };
const invalid = { message: 'The helper on the desktop of the device sent something that is not valid.' };

test('pixels outside the shared memory are refused', () => {
  assert.equal(pixelsIn([{ box, offset: 0, stride: 10 }], words)[0]!.words, words);
  for (const bad of [
    { box, offset: 1, stride: 10 },
    { box, offset: -1, stride: 10 },
    { box, offset: 0, stride: 11 },
    { box, offset: 0, stride: 9 },
    { box: { ...box, height: 11 }, offset: 0, stride: 10 },
    { box: { ...box, width: 0.5 }, offset: 0, stride: 10 },
  ])
    assert.throws(() => pixelsIn([bad], words), invalid);
});

test('values of another kind, too many and too large ones are refused', () => {
  for (const bad of [
    null,
    'x',
    [null],
    [{ ...box, x: -1 }],
    [{ ...box, width: 20_000 }],
    Array.from({ length: 2_000 }, () => box),
  ])
    assert.throws(() => boxesIn(bad), invalid);
  assert.throws(
    () => layoutIn({ width: 10, height: 10, monitors: Array.from({ length: 33 }, () => box), sizes: [] }),
    invalid,
  );
  const shape = { width: 2, height: 2, hotX: 0, hotY: 0, rgba: Buffer.alloc(15).toString('base64') };
  assert.throws(() => cursorIn({ x: 0, y: 0, shape }), invalid);
});
