/** Strict JSON: what is accepted unchanged, and what is refused with which field. */
import { isFault, type FaultDetails } from '@drawbridge/contract/faults';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { drawn } from '../../../../tests/kit/random.ts';
import { parseStrictJson } from './strict-json.ts';

const refused = (text: string | Buffer): FaultDetails => {
  const result = parseStrictJson(text);
  assert.ok(isFault(result), `accepted: ${String(text)}`);
  const { fault, ...details } = result;
  assert.equal(fault, 'invalid');
  return details;
};
const accepted = (text: string | Buffer): unknown => {
  const result = parseStrictJson(text);
  assert.ok(!isFault(result), `refused: ${String(text)}: ${isFault(result) ? result.message : ''}`);
  return result.value;
};
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

test('ordinary JSON gives the same value as JSON.parse, with any white space', () => {
  const body =
    '\t{ "id" : 12 ,\r\n "name":"desk \\"one\\" \\\\", "on": [ true , false, null, {} , [ ] , -0.5 ] , "é": "\\ud83d\\ude00😀" } \n';

  assert.deepEqual(accepted(body), JSON.parse(body));
  assert.deepEqual(accepted(Buffer.from(body)), JSON.parse(body));
});

test('every value that JSON can represent is accepted', () => {
  const value = fc.jsonValue({
    maxDepth: 6,
    stringUnit: 'grapheme',
    noUnicodeString: false,
  } as object);
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1, '\t'), (made, indent) => {
      const text = JSON.stringify(
        made,
        (_key, part: unknown) => (typeof part === 'number' ? Math.trunc(part) % 1e9 : part),
        indent,
      );
      if (text.includes('\\u0000') || text.includes('__proto__')) return;
      assert.deepEqual(accepted(text), JSON.parse(text));
    }),
    drawn(2_000),
  );
});

test('no text makes the parser throw, and it accepts nothing that JSON.parse refuses', () => {
  const scrap = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '\\u0000',
    'a',
    '1',
    '-',
    'e',
    '.',
    ' ',
    'true',
    '\ud800',
  );
  fc.assert(
    fc.property(fc.array(scrap, { maxLength: 24 }), (parts) => {
      const text = parts.join('');
      const result = parseStrictJson(text);
      if ('value' in result) assert.deepEqual(result.value, JSON.parse(text));
    }),
    drawn(5_000),
  );
});

test('text that is not JSON is refused', () => {
  for (const text of ['', ' ', '{', '{"a":1,}', "{'a':1}", 'NaN', '01', '0x10', '[1] x', '"\n"']) {
    assert.deepEqual(refused(text), { message: 'The text is not valid JSON.' });
  }
});

test('a duplicate key is refused and named, at any depth and in any spelling', () => {
  assert.deepEqual(refused('{"id":1,"id":1}'), { message: 'The key is given twice.', field: 'id' });
  assert.equal(
    refused('{"permanent_url":{"password":"a","pass\\u0077ord":"b"}}').field,
    'permanent_url.password',
  );
  assert.equal(refused('{"list":[{"a":1},{"a":1,"\\u0061":2}]}').field, 'list.1.a');
  assert.equal(refused('{"a\\/b":1,"a/b":2}').field, 'a/b');
  assert.deepEqual(accepted('{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}'), {
    a: { a: { a: 1 } },
    b: [{ a: 1 }, { a: 2 }],
  });
});

test('a duplicate key is found among hundreds, at any two positions', () => {
  const keys = Array.from({ length: 300 }, (_, index) => `k${index}`);

  accepted(`{${keys.map((key) => `"${key}":1`).join(',')}}`);
  for (const twice of ['k0', 'k15', 'k16', 'k17', 'k150', 'k299']) {
    assert.equal(refused(`{${[...keys, twice].map((key) => `"${key}":1`).join(',')}}`).field, twice);
  }
});

test('a number that would change its value is refused', () => {
  const wrong = [
    '9007199254740992',
    '9007199254740993',
    '-9007199254740992',
    '1e400',
    '-1e400',
    '1e16',
    '1.5e300',
  ];
  wrong.push(
    '9007199254740991.5',
    '9007199254740990.6',
    '7.00000000000000000001',
    '1e-400',
    '123456789012345678901234567890',
  );
  for (const number of wrong) {
    assert.equal(refused(`{"id":${number}}`).field, 'id');
    assert.equal(refused(`[0, ${number} ]`).field, '1');
    assert.equal(refused(number).field, undefined);
  }
});

test('a number that is kept exactly is accepted in any notation', () => {
  const right = [
    '0',
    '-0',
    '1',
    '-1',
    '9007199254740991',
    '-9007199254740991',
    '1e2',
    '1E+2',
    '1.0',
    '1.5e1',
    '-2.50e1',
    '0e0',
  ];
  right.push('0.1', '-0.1e-3', '100e-2', '0.30000000000000004', '1e-300', '9007199254740991.0', '0.0e-999');
  for (const number of right) assert.deepEqual(accepted(`[${number}]`), [Number(number)]);
});

test('the character NUL is refused in values and keys', () => {
  assert.equal(refused('{"name":"a\\u0000b"}').field, 'name');
  assert.match(refused('{"a\\u0000":1}').message!, /U\+0000/);
  assert.deepEqual(accepted('{"name":"a\\\\u0000b"}'), { name: 'a\\u0000b' });
});

test('half of a surrogate pair is refused, written raw or escaped', () => {
  for (const text of ['"\\ud800"', '"\\udc00\\ud800"', '"\ud800"', '{"\\udfff":1}', '["ok","x\\ud83dx"]']) {
    assert.match(refused(text).message!, /surrogate/);
  }
});

test('the key __proto__ is refused at any depth and in any spelling', () => {
  assert.equal(refused('{"__proto__":{"admin":true}}').field, '__proto__');
  assert.equal(refused('{"a":[{"\\u005f_proto__":1}]}').field, 'a.0.__proto__');
  assert.deepEqual(accepted('{"name":"__proto__"}'), { name: '__proto__' });
});

test('the keys constructor and prototype are ordinary keys and change nothing else', () => {
  const value = accepted('{"constructor":{"prototype":{"polluted":1}},"prototype":2,"toString":3}');

  assert.deepEqual(Object.keys(value as object), ['constructor', 'prototype', 'toString']);
  assert.equal(Reflect.get({}, 'polluted'), undefined);
});

test('sixteen levels are accepted and the seventeenth is refused, at any further depth', () => {
  accepted(nested(16));
  assert.match(refused(nested(17)).message!, /deeper than 16/);
  assert.match(refused(nested(30_000)).message!, /deeper than 16/);
  assert.match(refused('{"a":'.repeat(17) + '1' + '}'.repeat(17)).message!, /deeper than 16/);
});

test('a thousand keys of an object and 16,384 values in all are accepted, and one more of either is refused', () => {
  const keys = (count: number): string =>
    `{"a":{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',')}}}`;
  const values = (count: number): string =>
    `{"a":[${Array(count - 2)
      .fill(0)
      .join(',')}]}`;

  accepted(keys(1_000));
  accepted(values(16_384));
  assert.deepEqual(refused(keys(1_001)), {
    message: 'An object must not have more than 1000 keys.',
    field: 'a',
  });
  assert.deepEqual(refused(values(16_385)), { message: 'The JSON must not hold more than 16384 values.' });
});

test('bytes that are not UTF-8, and a byte order mark, are refused', () => {
  for (const bytes of [
    [0x22, 0xff, 0x22],
    [0x22, 0xc0, 0x80, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
    [0x22, 0xe2, 0x82],
  ]) {
    assert.match(refused(Buffer.from(bytes)).message!, /UTF-8/);
  }
  assert.match(refused(Buffer.from('\ufeff{}')).message!, /byte order mark/);
  assert.match(refused('\ufeff{}').message!, /byte order mark/);
});

test('a refusal does not repeat a very long key', () => {
  const key = 'k'.repeat(50_000);

  assert.equal(refused(`{"${key}":1,"${key}":1}`).field, undefined);
});
