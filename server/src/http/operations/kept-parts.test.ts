/** Parts of kept answers: what is used again when an answer is built again, and what the ETag depends on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { v1 } from '@drawbridge/contract/v1/index';
import { etagOf, toParts, type BodyPart } from './kept-parts.ts';
import { joinRendered, sectionsOf } from './rendered.ts';

const row = v1['agents/list'];

/** A list of 600 items; those in `changed` have another text, and `first` is the number of the first. */
const listOf = (changed: readonly number[] = [], first = 0) => ({
  data: {
    items: Array.from({ length: 600 }, (_, index) => {
      const isChanged = changed.includes(index);
      return {
        bytes: Buffer.from(`,{"id":${index},"name":"${isChanged ? 'other' : 'same'}"}`),
        number: first + index + (isChanged ? 1_000 : 0),
      };
    }),
  },
});

const build = (list: ReturnType<typeof listOf>, previous: readonly BodyPart[] = []) =>
  toParts(sectionsOf(row, list), previous);

const join = (parts: readonly BodyPart[]): string =>
  Buffer.concat(parts.map(({ bytes }) => bytes)).toString();

test('the parts of a list are its JSON text', async () => {
  const text = join(await build(listOf([3])));

  assert.equal(text, String(joinRendered(row, listOf([3]))));
  const { data } = JSON.parse(text) as { data: unknown[] };
  assert.equal(data.length, 600);
  assert.deepEqual(data[3], { id: 3, name: 'other' });
});

test('after a change, only the part that shows it is joined again', async () => {
  const before = await build(listOf());

  const after = await build(listOf([300]), before);

  const isReused = after.map(({ bytes }, index) => bytes === before[index]!.bytes);
  const counts = after.map(({ content }) => content?.numbers.length);
  assert.deepEqual(counts, [130, 130, 130, 130, 80]);
  assert.deepEqual(isReused, [true, true, false, true, true]);
  assert.equal(join(after), join(await build(listOf([300]))));
});

test('the ETag depends on the content, not on how the answer was built', async () => {
  const before = await build(listOf());

  const again = await build(listOf([], 5_000), before);
  const changed = await build(listOf([0]), before);

  assert.equal(etagOf(again), etagOf(before));
  assert.notEqual(etagOf(changed), etagOf(before));
  assert.equal(etagOf(changed), etagOf(await build(listOf([0]))));
});

test('a shorter list does not use parts of a longer one', async () => {
  const before = await build(listOf());
  const { items } = listOf().data;
  const shorter = { data: { items: items.slice(0, 129) } };

  assert.equal(join(await build(shorter, before)), String(joinRendered(row, shorter)));
});

test('the last part is made again when what follows it moves', async () => {
  const before = await build(listOf());
  const { items } = listOf().data;
  const shorter = { data: { items: items.slice(0, 520) } };

  const after = await build(shorter, before);

  assert.deepEqual(
    after.map(({ bytes }, index) => bytes === before[index]!.bytes),
    [true, true, true, false],
  );
  assert.equal(join(after), String(joinRendered(row, shorter)));
});

test('an empty list is an empty array', async () => {
  assert.equal(join(await build({ data: { items: [] } })), '{"data":[]}');
});
