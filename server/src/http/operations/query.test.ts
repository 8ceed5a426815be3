/** Query strings: how they are parsed, and what is refused. */
import { isFault, type FaultDetails } from '@drawbridge/contract/faults';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { drawn } from '../../../../tests/kit/random.ts';
import { parseQuery } from './query.ts';

const read = (text: string): Record<string, string> => {
  const result = parseQuery(text);
  assert.ok('values' in result, `refused: ${text}`);
  return Object.fromEntries(result.values);
};
const refused = (text: string): FaultDetails => {
  const result = parseQuery(text);
  assert.ok(isFault(result), `accepted: ${text}`);
  const { fault, ...details } = result;
  assert.equal(fault, 'invalid');
  return details;
};

test('parameters are read as written, a plus is a space, and the first equals sign separates name and value', () => {
  assert.deepEqual(read(''), {});
  assert.deepEqual(read('offset=0&limit=100&search=web+shop'), {
    offset: '0',
    limit: '100',
    search: 'web shop',
  });
  assert.deepEqual(read('a=1=2&b=&c&&d=%2B%26%3D&'), { a: '1=2', b: '', c: '', d: '+&=' });
  assert.deepEqual(read('search=%D0%BA%D0%BE%D1%82%F0%9F%98%80'), { search: 'кот😀' });
});

test('everything that a browser encodes is decoded to the same text', () => {
  const entry = fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(fc.uniqueArray(entry, { selector: ([name]) => name, maxLength: 8 }), (entries) => {
      if (entries.flat().join('').includes('\0')) return;
      const result = parseQuery(new URLSearchParams(entries).toString());
      assert.ok('values' in result);
      assert.deepEqual([...result.values].toSorted(), entries.toSorted());
    }),
    drawn(1_000),
  );
});

test('a duplicate parameter is refused and named, in any spelling', () => {
  assert.deepEqual(refused('id=1&id=1'), { message: 'The parameter is given twice.', field: 'id' });
  assert.equal(refused('id=1&a=2&%69d=2').field, 'id');
  assert.equal(refused('a+b=1&a%20b=2').field, 'a b');
  assert.equal(refused('__proto__=1&__proto__=2').field, '__proto__');
});

test('invalid escapes, bytes that are not UTF-8 and NUL are refused, and the parameter is named', () => {
  for (const value of ['%', '%1', '%zz', '100%', '%ff', '%c0%80', '%ed%a0%80', '%e2%82', 'a%00b']) {
    assert.equal(refused(`ok=1&search=${value}`).field, 'search');
    assert.equal(refused(`${value}=1`).field, undefined);
  }
});

test('text that was not encoded is refused', () => {
  assert.equal(refused('search=Ã©').field, 'search');
  assert.equal(refused('search=a\0b').field, 'search');
});

test('names with a meaning in JavaScript are ordinary parameters', () => {
  assert.deepEqual(Object.entries(read('constructor=1&toString=2&ids[]=3&a.b=4')), [
    ['constructor', '1'],
    ['toString', '2'],
    ['ids[]', '3'],
    ['a.b', '4'],
  ]);
  const result = parseQuery('__proto__=1&__proto__[admin]=1');
  assert.ok('values' in result);
  assert.deepEqual(
    [...result.values],
    [
      ['__proto__', '1'],
      ['__proto__[admin]', '1'],
    ],
  );
  assert.equal(Reflect.get({}, 'admin'), undefined);
});

test('a hundred parameters are read and one more is refused; empty ones do not count', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => `p${index}=1`).join('&&');

  assert.equal(Object.keys(read(hundred)).length, 100);
  assert.match(refused(`${hundred}&one=more`).message!, /more than 100/);
  assert.deepEqual(read(`${'&'.repeat(500)}last=1`), { last: '1' });
});
