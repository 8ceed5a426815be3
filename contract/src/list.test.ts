/** Tests lists and dictionaries from outside: how many elements are checked, and which error is reported. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { truncatedList, dictionary, isBounded, list } from './list.ts';
import { parseAs } from './parse.ts';

/** A text schema that counts how often it ran. */
function counted() {
  const seen = { count: 0 };
  const text = z.string().refine(() => (seen.count += 1) > 0);
  return { seen, text };
}

test('a list that is too long is rejected before any element is checked', () => {
  const { seen, text } = counted();

  const { problem } = parseAs(z.object({ names: list(text, { max: 3 }) }), {
    names: Array(32_000).fill('a'),
  });

  assert.deepEqual(problem, { field: 'names', message: 'names must have at most 3 items.' });
  assert.equal(seen.count, 0);
});

test('the check ends at the first invalid element and names it', () => {
  const { seen, text } = counted();
  const given = ['a', ...Array<number>(9_000).fill(0), 'b'];

  const { error } = list(text, { max: 10_000 }).safeParse(given);

  assert.deepEqual([error?.issues.length, error?.issues[0]?.path, seen.count], [1, [1], 1]);
  assert.equal(
    list(z.string().max(1), { max: 10_000 }).safeParse(Array(9_000).fill('aa')).error?.issues.length,
    1,
  );
});

test('only the elements that a truncated list keeps are checked', () => {
  const { seen, text } = counted();

  const { data } = parseAs(truncatedList(text, 64), [
    ...Array<string>(64).fill('a'),
    ...Array<number>(9_000).fill(0),
  ]);

  assert.deepEqual([data?.length, seen.count], [64, 64]);
});

test('limits also apply to lists with a description, a default or metadata, and to optional lists', () => {
  const { seen, text } = counted();
  const names = list(text, { max: 3, min: 1 });
  const long = Array(9_000).fill('a');

  for (const each of [names.describe('x'), names.optional(), names.default([]), names.meta({ secret: true })])
    assert.deepEqual([each.safeParse(long).success, each.safeParse(['a']).success], [false, true]);
  assert.equal(names.safeParse([]).error?.issues[0]?.code, 'too_small');
  assert.equal(seen.count, 4);
});

test('a dictionary has a limited number of entries, and its check ends at the first invalid one', () => {
  const shape = dictionary(z.string().max(8), z.number(), 3);

  assert.deepEqual(shape.parse({ a: 1, b: 2 }), { a: 1, b: 2 });
  assert.equal(
    shape.safeParse(Object.fromEntries(Array.from({ length: 4 }, (_, at) => [at, 1]))).error?.issues[0]?.code,
    'too_big',
  );
  assert.deepEqual(
    shape.safeParse({ a: 1, b: 'x', c: 'y' }).error?.issues.map(({ path }) => path),
    [['b']],
  );
  assert.equal(shape.safeParse({ toolongakey: 1 }).success, false);
  assert.equal(shape.safeParse([]).success, false);
});

test('the key __proto__ is read as plain data', () => {
  const read = dictionary(z.string(), z.unknown(), 3).parse(JSON.parse('{"__proto__":{"admin":true}}'));

  assert.deepEqual([Object.keys(read), (read as { admin?: boolean }).admin], [['__proto__'], undefined]);
});

test('their JSON Schema is that of an ordinary array and record', () => {
  const plain = z.object({ a: z.array(z.string()).min(1).max(3), b: z.record(z.string(), z.number()) });
  const ours = z.object({
    a: list(z.string(), { min: 1, max: 3 }),
    b: dictionary(z.string(), z.number(), 3),
  });

  assert.deepEqual(z.toJSONSchema(ours), z.toJSONSchema(plain));
});

test('parseAs refuses a schema with a list that has no limit', () => {
  for (const wrong of [
    z.array(z.string()),
    z.array(z.string()).max(3),
    z.record(z.string(), z.string()),
    z.any(),
  ]) {
    assert.equal(isBounded(wrong), false);
    assert.throws(() => parseAs(z.object({ inside: wrong.optional() }), {}), /without a limit/);
  }
});
