/** Tests of what the encoder makes of a desktop that reports one box around distant changes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEncoder } from './encoder.ts';
import type { Encoded } from './encoded-frame.ts';
import { createRateController } from './rate-controller.ts';

const size = { width: 640, height: 480 };
const lineHeight = 18;
const lines = Math.floor(size.height / lineHeight);

async function startTyping() {
  const encoder = await createEncoder(size, {
    rateController: createRateController(),
    video: false,
    clock: () => now,
  });
  const words = new Uint32Array(size.width * size.height);
  let [now, letters] = [1_000, 0];
  const change = (x: number, y: number, width: number, height: number): void => {
    letters += 1;
    for (let row = y; row < y + height; row += 1)
      for (let at = x; at < x + width; at += 1)
        words[row * size.width + at] = Math.imul(letters * 977 + row * 31 + at, 2_654_435_761) >>> 8;
  };
  /** One box around everything. */
  const show = (): Promise<Encoded> => {
    now += 50;
    return encoder.take([{ box: { x: 0, y: 0, ...size }, words, offset: 0, stride: size.width }], now);
  };
  change(0, 0, size.width, size.height);
  await show();
  const numberLine = (top: number): void => change(200, top + 3, 24, 12);
  return {
    /** All lines are the same but for a number. */
    async fillWithSimilarLines() {
      for (let row = lineHeight; row < lines * lineHeight; row += 1)
        words.copyWithin(
          row * size.width,
          (row % lineHeight) * size.width,
          (row % lineHeight) * size.width + size.width,
        );
      for (let line = 0; line < lines; line += 1) numberLine(line * lineHeight);
      await show();
    },
    scrollSimilarLines() {
      const last = (lines - 1) * lineHeight;
      words.copyWithin(0, lineHeight * size.width, lines * lineHeight * size.width);
      numberLine(last);
      return show();
    },
    /** A letter on the last line, and the clock above. */
    type() {
      change(120, 0, 100, lineHeight);
      change(200, size.height - lineHeight, 9, lineHeight);
      return show();
    },
    scroll() {
      words.copyWithin(0, lineHeight * size.width);
      change(0, size.height - lineHeight, size.width, lineHeight);
      return show();
    },
    [Symbol.dispose]: () => encoder.close(),
  };
}

test('a line that scrolls is sent as a copy, however long somebody has typed with a clock in view', async () => {
  using typing = await startTyping();
  const copies: number[] = [];
  for (let letter = 0; letter < 37; letter += 1) copies.push((await typing.type()).copies.length);

  const { copies: moved } = await typing.scroll();

  assert.deepEqual(new Set(copies), new Set([0]));
  assert.deepEqual(moved, [
    { x: 0, y: lineHeight, width: size.width, height: size.height - lineHeight, toX: 0, toY: 0 },
  ]);
});

test('similar lines that scroll, in which little changes, are sent as a copy too', async () => {
  using typing = await startTyping();
  await typing.fillWithSimilarLines();
  for (let letter = 0; letter < 37; letter += 1) await typing.type();
  await typing.fillWithSimilarLines();

  const { copies } = await typing.scrollSimilarLines();

  assert.ok(copies.length > 0);
});
