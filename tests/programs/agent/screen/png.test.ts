/** Tiles as PNG, read back by an independent decoder. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  encodePng,
  encodeTile,
  encodeTransparentPng,
  encodeWithPalette,
} from '@drawbridge/agent/platform/png';
import { makePhoto } from '../../../kit/display/pictures.ts';
import { readPng } from '../../../kit/display/png-reader.ts';

const stride = 50;
const size = { width: 31, height: 17 };
const offset = 3 * stride + 5;

/** A larger picture with this many colours. */
const pictureOf = (colours: number): Uint32Array =>
  makePhoto(colours, { width: stride, height: 40 }).map((pixel) => (pixel % colours) * 65_793 + 0x7f00_0000);

/** The rectangle of it that is encoded. */
const expected = (words: Uint32Array): number[] =>
  Array.from({ length: size.height * size.width }, (_, at) => {
    const pixel = words[offset + Math.floor(at / size.width) * stride + (at % size.width)]!;
    return (0xff000000 | (pixel & 0xffffff)) >>> 0;
  });

for (const colours of [1, 2, 3, 4, 5, 16, 17, 200, 255])
  test(`a tile of ${colours} colours comes back exactly`, async () => {
    const words = pictureOf(colours);

    const { pixels, ...read } = readPng(await encodeTile({ words, offset, stride, ...size }));

    assert.deepEqual(read, size);
    assert.deepEqual([...pixels], expected(words));
  });

test('a tile with more colours than a palette holds comes back exactly', async () => {
  const words = makePhoto(5, { width: stride, height: 40 });

  assert.equal(await encodeWithPalette({ words, offset, stride, ...size }), undefined);
  const { pixels } = readPng(await encodeTile({ words, offset, stride, ...size }));

  assert.deepEqual([...pixels], expected(words));
});

/** Random pixels, in which nothing repeats, below or above plain ones. */
function largePicture(width: number, height: number, noisyRows: [number, number]): Uint32Array {
  const [from, to] = noisyRows;
  return makePhoto(7, { width, height }).map((pixel, at) => {
    const row = Math.floor(at / width);
    return row >= from && row < to
      ? Math.imul(pixel + at, 0x9e37_79b1) >>> 8
      : row % 3 === 0
        ? at
        : 0xff_00_ff;
  });
}

for (const [name, rows] of Object.entries({
  noise: [0, 200],
  plain: [0, 4],
  'noise beside plain parts': [60, 200],
}))
  test(`a large tile of ${name} comes back exactly`, async () => {
    const large = { width: 300, height: 200 };
    const words = largePicture(large.width, large.height, rows as [number, number]);

    const { pixels } = readPng(await encodeTile({ words, offset: 0, stride: large.width, ...large }));

    assert.deepEqual(
      pixels,
      words.map((pixel) => (0xff000000 | (pixel & 0xffffff)) >>> 0),
    );
  });

test('few colours take few bytes', async () => {
  const words = pictureOf(2);
  const tile = await encodeTile({ words, offset, stride, ...size });

  assert.ok(tile.length < 200, `${tile.length} bytes`);
});

test('transparency and the thumbnails of devices come back exactly', () => {
  const rgba = new Uint8Array([1, 2, 3, 4, 250, 251, 252, 253]);
  assert.deepEqual([...readPng(encodeTransparentPng(2, 1, rgba)).pixels], [0x04010203, 0xfdfafbfc]);

  const rgb = new Uint8Array([1, 2, 3, 250, 251, 252]);
  assert.deepEqual([...readPng(encodePng({ width: 2, height: 1, rgb })).pixels], [0xff010203, 0xfffafbfc]);
});
