/** Compares the two conversions to YUV with each other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadYuvConverter, convertInScript, createYuvPlanes } from './yuv.ts';
import { createFramebuffer, boundsOf } from '../framebuffer.ts';

test('libyuv and our own code convert colours alike, also at odd edges', async () => {
  const framebuffer = createFramebuffer(37, 21);
  framebuffer.words.forEach((_, at) => (framebuffer.words[at] = Math.imul(at, 2_654_435_761) >>> 8));
  const [there, here] = [createYuvPlanes(framebuffer), createYuvPlanes(framebuffer)];
  const convert = await loadYuvConverter();

  convert(framebuffer, there, boundsOf(framebuffer));
  convertInScript(framebuffer, here, boundsOf(framebuffer));

  const furthest = there.bytes.reduce(
    (most, byte, at) => Math.max(most, Math.abs(byte - here.bytes[at]!)),
    0,
  );
  assert.ok(furthest <= 2, `they differ by ${furthest}`);
});
