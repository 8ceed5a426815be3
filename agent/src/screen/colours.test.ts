/** The two ways to take brightness and colour apart, held against each other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseConverter, convertHere, createPlanes } from './colours.ts';
import { emptyPicture, wholeOf } from './picture.ts';

test('colours are converted alike by the system and by ourselves, at odd edges too', async () => {
  const picture = emptyPicture(37, 21);
  picture.words.forEach((_, at) => (picture.words[at] = Math.imul(at, 2_654_435_761) >>> 8));
  const [there, here] = [createPlanes(picture), createPlanes(picture)];
  const convert = await chooseConverter();

  convert(picture, there, wholeOf(picture));
  convertHere(picture, here, wholeOf(picture));

  const furthest = there.bytes.reduce(
    (most, byte, at) => Math.max(most, Math.abs(byte - here.bytes[at]!)),
    0,
  );
  assert.ok(furthest <= 2, `they differ by ${furthest}`);
});
