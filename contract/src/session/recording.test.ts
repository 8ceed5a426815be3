/** Tests the format of recordings: encoding, decoding and rejection of malformed chunks. */
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

test('decoding a chunk returns its frames in order', () => {
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

test('a chunk that ends within a frame is rejected', () => {
  const whole = chunk.length - 9;
  for (const length of [1, 8, 11, whole - 1, whole + 8])
    assert.equal(decodeRecordedFrames(chunk.subarray(0, length)), undefined, String(length));
});

test('a frame of an unknown kind is skipped, and the others are kept', () => {
  const unknown = encodeRecordedFrame(frames[0]!);
  unknown[4] = 0xfe;
  assert.ok(!Object.values(frameKinds).some(({ byte }) => Number(byte) === 0xfe));

  const read = decodeRecordedFrames(Uint8Array.from([...unknown, ...encodeRecordedFrame(frames[2]!)]))!;

  assert.deepEqual(
    read.map(({ kind }) => kind),
    ['chat'],
  );
});

test('the context binds a chunk to its session, its number, the previous chunk and whether it is the last', () => {
  const parts = { session: 1, number: 2, before: 'x', last: false };
  const others = [{ session: 12 }, { number: 3 }, { before: '' }, { last: true }];
  const contexts = [{}, ...others].map((other) =>
    new TextDecoder().decode(chunkContext({ ...parts, ...other })),
  );

  assert.equal(new Set(contexts).size, contexts.length);
});
