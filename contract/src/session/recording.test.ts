/** The format of a recording: what is written is read, and what is broken is not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frameKinds } from './frame-kinds.ts';
import { chunkContext, decodeRecordedFrames, encodeRecordedFrame, type RecordedFrame } from './recording.ts';

const frames: RecordedFrame[] = [
  { at: 0, kind: 'layout', payload: Uint8Array.of(1, 2, 3) },
  { at: 40, kind: 'tiles', payload: new Uint8Array(70_000).fill(7) },
  { at: 4_294_967_295, kind: 'chat', payload: new Uint8Array() },
];
const chunk = Uint8Array.from(frames.flatMap((frame) => [...encodeRecordedFrame(frame)]));

test('the frames of a chunk are read as they were recorded, in their order', () => {
  assert.deepEqual(
    decodeRecordedFrames(chunk)!.map(({ at, kind, payload }) => ({
      at,
      kind,
      payload: Uint8Array.from(payload),
    })),
    frames,
  );
  assert.deepEqual(decodeRecordedFrames(new Uint8Array()), []);
});

test('a chunk that stops in the middle of a frame is none', () => {
  const whole = chunk.length - 9;
  for (const length of [1, 8, 11, whole - 1, whole + 8])
    assert.equal(decodeRecordedFrames(chunk.subarray(0, length)), undefined, String(length));
});

test('a frame of a kind that is not known is left out, and those around it stay', () => {
  const unknown = encodeRecordedFrame(frames[0]!);
  unknown[4] = 0xfe;
  assert.ok(!Object.values(frameKinds).some(({ byte }) => Number(byte) === 0xfe));

  const read = decodeRecordedFrames(Uint8Array.from([...unknown, ...encodeRecordedFrame(frames[2]!)]))!;

  assert.deepEqual(
    read.map(({ kind }) => kind),
    ['chat'],
  );
});

test('a chunk is bound to its session, its number, the chunk before it, and to being the last', () => {
  const said = { session: 1, number: 2, before: 'x', last: false };
  const others = [{ session: 12 }, { number: 3 }, { before: '' }, { last: true }];
  const contexts = [{}, ...others].map((other) =>
    new TextDecoder().decode(chunkContext({ ...said, ...other })),
  );

  assert.equal(new Set(contexts).size, contexts.length);
});
