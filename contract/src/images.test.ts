/** Tests how images are recognised from their bytes, with their size, and which files are rejected. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readImageInfo } from './images.ts';

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);

const png = bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 1, 2, 0, 0, 3, 4], zeros(9));
const frame = [0xff, 0xc2, 0, 11, 8, 0, 7, 1, 5, 1, 1, 0x11, 0];
const scan = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 0xff, 0, 3, 0xff, 0xd0, 4, 0xff, 0xd9];
const jpeg = bytes('\xff\xd8', [0xff, 0xe0, 0, 4, 1, 2], [0xff, 0xff, 0xdb, 0, 2], frame, scan);
const lossy = bytes('RIFF', zeros(4), 'WEBPVP8 ', zeros(4), zeros(3), [0x9d, 1, 0x2a, 0x20, 0x40, 0x10, 0]);
const lossless = bytes('RIFF', zeros(4), 'WEBPVP8L', zeros(4), [0x2f, 0x1f, 0xc0, 3, 0], zeros(5));
const canvas = bytes([10, 0, 0, 0], zeros(4), [0xff, 3, 0], [0, 4, 0]);
const extended = bytes(
  'RIFF',
  zeros(4),
  'WEBPVP8X',
  [...canvas],
  'VP8L',
  [5, 0, 0, 0, 0x2f, 0x1f, 0xc0, 3, 0],
  zeros(5),
);

test('the first bytes give the type and size of an image', () => {
  assert.deepEqual(readImageInfo(png), { type: 'image/png', width: 258, height: 772 });
  assert.deepEqual(readImageInfo(jpeg), { type: 'image/jpeg', width: 261, height: 7 });
  assert.deepEqual(readImageInfo(lossy), { type: 'image/webp', width: 32, height: 16 });
  assert.deepEqual(readImageInfo(lossless), { type: 'image/webp', width: 32, height: 16 });
  assert.deepEqual(readImageInfo(extended), { type: 'image/webp', width: 1_024, height: 1_025 });
});

test('other formats and truncated files are rejected', () => {
  const others = [
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'GIF89a',
    '<html>',
    '',
    '\xff\xd8\xff\xda',
    'BM',
  ];
  for (const text of others) assert.equal(readImageInfo(bytes(text)), undefined, text);
  for (const whole of [png, jpeg, lossy, lossless, extended])
    for (let length = 0; length < 20; length += 1)
      assert.equal(readImageInfo(whole.subarray(0, length)), undefined);
  assert.equal(readImageInfo(bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', zeros(17))), undefined);
  // Segments with a length of zero, which would never end.
  assert.equal(readImageInfo(bytes('\xff\xd8\xff\xe0', zeros(60))), undefined);
});

test('a JPEG is accepted only in the form that encoders write, so that it has one size', () => {
  const begin = '\xff\xd8';
  const table = [0xff, 0xdb, 0, 2];
  const bare = [0x01, 0xd0, 0xd7, 0xd8, 0xd9];
  const odd: Record<string, Uint8Array> = {
    ...Object.fromEntries(
      bare.map((marker) => [`bare ${marker}`, bytes(begin, [0xff, marker], frame, scan)]),
    ),
    'arithmetic coding': bytes(begin, [0xff, 0xc9], frame.slice(2), scan),
    'two frames': bytes(begin, frame, frame, scan),
    'a frame after the scan': bytes(begin, frame, scan.slice(0, -2), frame, [0xff, 0xd9]),
    'a frame after two scans': bytes(begin, frame, scan.slice(0, -2), scan.slice(0, -2), frame),
    'a bare marker after the scan': bytes(begin, frame, scan.slice(0, -2), [0xff, 0x01, 0xff, 0xd9]),
    'a scan before the frame': bytes(begin, scan.slice(0, -2), frame, scan),
    'no scan': bytes(begin, table, frame),
    'bytes in between': bytes(begin, table, [0], frame, scan),
    'a stuffed byte in between': bytes(begin, table, [0xff, 0], frame, scan),
    'a segment shorter than its length': bytes(begin, [0xff, 0xe0, 0, 1], frame, scan),
    'a segment without an end': bytes(begin, frame, [0xff, 0xfe, 0xff, 0xff], scan),
    'a frame that is too short': bytes(begin, [0xff, 0xc0, 0, 7, 8, 0, 7, 1, 5], scan),
    'a height that comes later': bytes(begin, frame.with(6, 0), scan.slice(0, -2), [0xff, 0xdc, 0, 4, 0, 7]),
    'more pictures': bytes(begin, [0xff, 0xe2, 0, 6], 'MPF\0', frame, scan),
  };
  for (const [what, each] of Object.entries(odd)) assert.equal(readImageInfo(each), undefined, what);
});
