/** The direct way: frames in pieces, and frames of two ways in one order. */
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

test('a frame of any length comes out of its pieces as it went in', () => {
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
    const pieces = fragmentFrame(frame);
    assert.equal(pieces.length, Math.ceil(length / maxFragmentBytes));
    const joined = pieces.map(join);
    assert.deepEqual(joined.at(-1), frame);
    assert.ok(joined.slice(0, -1).every((each) => each === undefined));
  }
});

test('what is no piece of a frame is wrong', () => {
  assert.equal(createReassembler(10)(new Uint8Array(0)), 'wrong');
  assert.equal(createReassembler(10)(Uint8Array.of(1)), 'wrong');
  assert.equal(createReassembler(10)(Uint8Array.of(2, 1)), 'wrong');
  assert.equal(createReassembler(10)(new Uint8Array(12)), 'wrong');
});

test('frames are opened in the order in which they were sealed, whenever those of the direct way arrive', () => {
  fc.assert(
    fc.property(fc.nat(20), fc.nat(20), fc.nat(20), (before, after, early) => {
      const heard: number[] = [];
      const order = createFrameSequencer(
        ([number]) => heard.push(number!),
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
        heard,
        Array.from({ length: before + after }, (_, index) => index),
      );
    }),
    drawn(),
  );
});

test('a frame on the way that was left, a second move, and too much too early are wrong', () => {
  const wrongs: string[] = [];
  const order = createFrameSequencer(
    () => {},
    (why) => wrongs.push(why),
  );
  order.fromDirect(new Uint8Array(maxBufferedBytes));
  order.fromDirect(new Uint8Array(1));
  order.moved();
  order.moved();
  order.fromRelay(new Uint8Array(1));
  assert.deepEqual(wrongs, [
    'too much data arrived on a transport that is not in use yet',
    'the other side switched the transport twice',
    'a frame arrived on the transport that was left',
  ]);
});
