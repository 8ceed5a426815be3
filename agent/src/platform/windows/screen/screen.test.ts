/** Tests of pictures from Windows: which strips changed, and the shape of the pointer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedStrips } from './changed-strips.ts';
import { cursorPicture } from './cursor-shape.ts';

test('strips that changed are found, and neighbours are joined', () => {
  const [width, height] = [10, 200];
  const before = Buffer.alloc(width * height * 4);
  const bytes = Buffer.from(before);
  const change = (row: number): void => void (bytes[row * width * 4] = 1);

  assert.deepEqual(changedStrips({ width, height, bytes }, before), []);
  change(0);
  change(199);
  assert.deepEqual(changedStrips({ width, height, bytes }, before), [
    { x: 0, y: 0, width, height: 64 },
    { x: 0, y: 192, width, height: 8 },
  ]);
  change(70);
  assert.deepEqual(changedStrips({ width, height, bytes }, before)[0], { x: 0, y: 0, width, height: 128 });
});

/** Pixels of 4 equal bytes. */
const pixels = (...values: number[]): Uint8Array =>
  Uint8Array.from(values.flatMap((value) => [value, value, value, 0]));

test('a pointer without colours is black, white, transparent, and black where Windows inverts', () => {
  const mask = pixels(0, 0, 255, 255, 0, 255, 0, 255);

  assert.deepEqual(
    [...cursorPicture({ width: 4, height: 1, mask, colours: undefined })],
    [
      [0, 0, 0, 255],
      [255, 255, 255, 255],
      [0, 0, 0, 0],
      [0, 0, 0, 255],
    ].flat(),
  );
});

test('a pointer with transparency is premultiplied, and one without uses its mask', () => {
  const half = Uint8Array.of(200, 100, 50, 128);
  const solid = Uint8Array.of(200, 100, 50, 0, 1, 2, 3, 0);

  assert.deepEqual(
    [...cursorPicture({ width: 1, height: 1, mask: pixels(0), colours: half })],
    [25, 50, 100, 128],
  );
  assert.deepEqual(
    [...cursorPicture({ width: 2, height: 1, mask: pixels(0, 255), colours: solid })],
    [50, 100, 200, 255, 0, 0, 0, 0],
  );
});
