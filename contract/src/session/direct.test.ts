/** Tests the direct connection: fragmented frames, and the order of frames across two transports. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { drawn } from '../../../tests/kit/random.ts';
import {
  createReassembler,
  createFrameSequencer,
  maxFragmentBytes,
  maxBufferedBytes,
  fragmentFrame,
} from './direct.ts';

test('a frame of any length is reassembled from its fragments', () => {
  const join = createReassembler(1_000_000);
  for (const length of [
    1,
    2,
    maxFragmentBytes - 1,
    maxFragmentBytes,
    maxFragmentBytes + 1,
    3 * maxFragmentBytes,
    500_000,
  ]) {
    const frame = Uint8Array.from({ length }, (_, index) => index % 251);
    const fragments = fragmentFrame(frame);
    assert.equal(fragments.length, Math.ceil(length / maxFragmentBytes));
    const joined = fragments.map(join);
    assert.deepEqual(joined.at(-1), frame);
    assert.ok(joined.slice(0, -1).every((each) => each === undefined));
  }
});

test('malformed and oversized fragments are rejected', () => {
  assert.equal(createReassembler(10)(new Uint8Array(0)), 'wrong');
  assert.equal(createReassembler(10)(Uint8Array.of(1)), 'wrong');
  assert.equal(createReassembler(10)(Uint8Array.of(2, 1)), 'wrong');
  assert.equal(createReassembler(10)(new Uint8Array(12)), 'wrong');
});

test('frames are delivered in the order in which they were sealed, even if direct frames arrive early', () => {
  fc.assert(
    fc.property(fc.nat(20), fc.nat(20), fc.nat(20), (before, after, early) => {
      const delivered: number[] = [];
      const order = createFrameSequencer(
        ([number]) => delivered.push(number!),
        (why) => assert.fail(why),
      );
      const direct = Array.from({ length: after }, (_, index) => Uint8Array.of(before + index));
      for (let number = 0; number < before; number += 1) {
        if (number >= before - early && direct.length > 0) order.fromDirect(direct.shift()!);
        order.fromRelay(Uint8Array.of(number));
      }
      order.moved();
      direct.forEach(order.fromDirect);
      assert.deepEqual(
        delivered,
        Array.from({ length: before + after }, (_, index) => index),
      );
    }),
    drawn(),
  );
});

test('a frame on the old transport, a second switch, and too much early data are rejected', () => {
  const errors: string[] = [];
  const order = createFrameSequencer(
    () => {},
    (why) => errors.push(why),
  );
  order.fromDirect(new Uint8Array(maxBufferedBytes));
  order.fromDirect(new Uint8Array(1));
  order.moved();
  order.moved();
  order.fromRelay(new Uint8Array(1));
  assert.deepEqual(errors, [
    'too much data arrived on a transport that is not in use yet',
    'the other side switched the transport twice',
    'a frame arrived on the transport that was left',
  ]);
});
