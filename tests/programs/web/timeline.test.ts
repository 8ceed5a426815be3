/** The takes of a recording in sequence: times, positions and what each chunk is bound to. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordingIndex } from '@drawbridge/contract/session/player';
import { toTimeline, wholeSegmentBefore } from '@drawbridge/web/player/timeline';

const chunk = (from: number, to: number, digest: string, whole = false) => ({
  from,
  to,
  size: 1,
  digest,
  whole,
});
const index: RecordingIndex = {
  session: 7,
  name: '',
  operator: '',
  start: 0,
  takes: [
    {
      id: 3,
      key: 'k'.repeat(43),
      complete: false,
      chunks: [chunk(0, 5_000, 'a', true), chunk(5_000, 9_000, 'b')],
    },
    {
      id: 5,
      key: 'l'.repeat(43),
      complete: true,
      chunks: [chunk(100, 4_000, 'c', true), chunk(4_000, 4_500, 'd', true)],
    },
  ],
};

test('takes follow each other without the time between them, each chunk bound to the one before in its own take', () => {
  const { segments: pieces, duration, complete } = toTimeline(index);

  assert.deepEqual(
    pieces.map(({ take, number, before, last, from, to, offset }) => [
      take,
      number,
      before,
      last,
      from,
      to,
      offset,
    ]),
    [
      [3, 0, '', false, 0, 5_000, 0],
      [3, 1, 'a', false, 5_000, 9_000, 0],
      [5, 0, '', false, 9_100, 13_000, 9_000],
      [5, 1, 'c', true, 13_000, 13_500, 9_000],
    ],
  );
  assert.deepEqual([duration, complete], [13_500, false]);
});

test('seeking starts at the whole picture before the position', () => {
  const timeline = toTimeline(index);

  assert.deepEqual(
    [0, 4_999, 8_999, 9_100, 12_999, 13_000, 99_999].map((position) =>
      wholeSegmentBefore(timeline, position),
    ),
    [0, 0, 0, 2, 2, 3, 3],
  );
});
