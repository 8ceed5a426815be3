/** Random values: their format, that they are unique, and a digest that other programs can check. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { random, digestOf } from './random.ts';

test('keys, codes and tokens have the right format', () => {
  assert.match(random.apiKey(), /^[A-Za-z0-9]{64}$/);
  assert.match(random.digits(9), /^[1-9][0-9]{8}$/);
  assert.match(random.token(), /^[A-Za-z0-9_-]{43}$/);
  assert.equal(random.bytes(16).length, 16);
});

test('a thousand keys and a thousand tokens are all different', () => {
  const drawn = Array.from({ length: 1_000 }, () => [random.apiKey(), random.token()]).flat();

  assert.equal(new Set(drawn).size, 2_000);
});

test('no byte is used twice, however many are requested at a time', () => {
  const drawn = [8, 4_090, 5_000, 16, 4_096, 24].flatMap((count) => {
    const bytes = random.bytes(count);
    assert.equal(bytes.length, count);
    return Array.from({ length: count / 8 }, (_, at) => bytes.subarray(at * 8, at * 8 + 8).toHex());
  });

  assert.equal(new Set(drawn).size, drawn.length);
});

test('a digest is the SHA-256 of the UTF-8 text in hex', () => {
  assert.equal(digestOf('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  assert.equal(digestOf('ключ').length, 64);
});
