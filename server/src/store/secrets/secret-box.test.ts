/** Sealed secrets: what opens them, and what does not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecretBox, isSealed, toSecretKey, type SealingKey, type SecretPlace } from './secret-box.ts';

const keyOf = (byte: number): SealingKey => toSecretKey(Buffer.alloc(32, byte))!;
const [first, second] = [keyOf(1), keyOf(2)];

const place: SecretPlace = { column: 'directory.bind_password', accountId: 3, id: 4 };
const text = 'päss wörd';

function sealingBox(...keys: SealingKey[]) {
  const box = createSecretBox(keys);
  box.agree([]);
  return box;
}

test('what is sealed opens again, says nothing about the text, and is never the same twice', () => {
  const box = sealingBox(first);
  const [one, two] = [box.seal(place, text), box.seal(place, text)];

  assert.deepEqual([box.open(place, one), box.open(place, two)], [text, text]);
  assert.notEqual(one, two);
  assert.match(one, new RegExp(`^v1\\.${first.id}\\.[\\w-]{16}\\.[\\w-]+$`));
  assert.equal(Buffer.from(one.split('.')[3]!, 'base64url').includes(text), false);
  assert.deepEqual([box.seal(place, ''), box.open(place, '')], ['', '']);
});

test('a value opens only in the row and column that it was sealed for', () => {
  const box = sealingBox(first);
  const sealed = box.seal(place, text);
  const elsewhere: SecretPlace[] = [
    { ...place, id: 5 },
    { ...place, accountId: 4 },
    { ...place, column: 'provider.client_secret' },
  ];

  assert.deepEqual(
    elsewhere.map((each) => box.open(each, sealed)),
    [undefined, undefined, undefined],
  );
});

test('a value does not open without its key, or with any character altered', () => {
  const box = sealingBox(first);
  const sealed = box.seal(place, text);
  const forged = { ...second, id: first.id };
  const opened = [...sealed].flatMap((character, at) => {
    // The last character may hold bits that mean nothing.
    if (character === '.' || at < 3 || at === sealed.length - 1) return [];
    const other = `${sealed.slice(0, at)}${character === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
    return box.open(place, other) ?? [];
  });

  assert.equal(sealingBox(second).open(place, sealed), undefined);
  assert.equal(createSecretBox([forged]).open(place, sealed), undefined);
  assert.deepEqual(opened, []);
});

test('the first key seals, and all of them open', () => {
  const before = sealingBox(first);
  const after = sealingBox(second, first);
  const [older, newer] = [before.seal(place, text), after.seal(place, text)];

  assert.deepEqual([after.open(place, older), after.open(place, newer)], [text, text]);
  assert.deepEqual(
    [after.isOutdated(older), after.isOutdated(newer), after.isOutdated(text)],
    [true, false, true],
  );
  assert.equal(before.open(place, newer), undefined);
});

test('a server seals with the first key that all others have, and never stops sealing', () => {
  const box = createSecretBox([second, first]);
  const usesKey = () => [second, first].findIndex((key) => isSealed(box.seal(place, text), key));

  const steps = [
    [[]],
    [[first.id], []],
    [[first.id]],
    [[second.id, first.id], [second.id]],
    [[]],
    [[first.id]],
  ];
  const used = steps.map((others) => [box.agree(others), usesKey()]);

  assert.deepEqual(used, [
    [false, -1],
    [false, -1],
    [true, 1],
    [true, 0],
    [false, 0],
    [true, 1],
  ]);
});

test('without a key texts are stored as they are, and a copied sealed value is not opened', () => {
  const sealed = sealingBox(first).seal(place, text);
  const clear = createSecretBox([first]);
  const texts = [text, sealed, clear.seal(place, sealed), 'v0.abc', 'v1.x.y.z'];
  const stored = texts.map((each) => clear.seal(place, each));

  assert.deepEqual(
    stored.map((each) => clear.open(place, each)),
    texts,
  );
  assert.deepEqual([stored[0], stored[3]], [text, 'v0.abc']);
  assert.equal(
    stored.some((each) => isSealed(each)),
    false,
  );
});

test('a key has 32 bytes', () => {
  assert.deepEqual([toSecretKey(Buffer.alloc(31)), toSecretKey(Buffer.alloc(33))], [undefined, undefined]);
});
