/** The rules of text, checked against the engine's own case folding for all cased letters of Unicode. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { drawn } from '../../../tests/kit/random.ts';
import { countCodePoints, truncate, fold, isCleanText, likePattern, stripHostileCharacters } from './text.ts';

const anyText = fc.string({ unit: 'binary' });

const surrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

/** All letters whose case can change, from all planes. */
function casedLetters(): string[] {
  const letters: string[] = [];
  for (let code = 0; code < 0x110000; code += 1) {
    const letter = surrogate(code) ? '' : String.fromCodePoint(code);
    if (/^[\p{CWCM}\p{CWCF}]$/u.test(letter) || fold(letter) !== letter.normalize('NFC'))
      letters.push(letter);
  }
  return letters;
}

/** The letters that a case-insensitive regular expression considers equal to this one. */
function alike(letter: string, among: string): Set<string> {
  return new Set([letter, ...(among.match(new RegExp(letter, 'giu')) ?? [])]);
}

test('two letters fold alike exactly when Unicode considers them the same letter in another case', () => {
  const letters = casedLetters();
  const all = letters.join('');
  const byFold = Map.groupBy(letters, fold);

  assert.ok(letters.length > 2_900, `${letters.length} cased letters`);
  for (const letter of letters) {
    // Composition comes first: a compatibility character (the Ohm sign) is its canonical letter before any folding.
    const expected = [...alike(letter.normalize('NFC'), all)].map((twin) => twin.normalize('NFC'));
    const actual = byFold.get(fold(letter))!.map((twin) => twin.normalize('NFC'));
    assert.deepEqual(new Set(actual), new Set(expected), `U+${letter.codePointAt(0)!.toString(16)}`);
  }
});

test('a letter without case stays as it is', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0x10ffff }), (code) => {
      fc.pre(!surrogate(code));
      const letter = String.fromCodePoint(code).normalize('NFC');
      fc.pre(!/[\p{CWCM}\p{CWCF}]/u.test(letter));
      assert.equal(fold(letter), letter);
    }),
    drawn(),
  );
});

test('folding twice equals folding once', () => {
  fc.assert(
    fc.property(anyText, (text) => assert.equal(fold(fold(text)), fold(text))),
    drawn(),
  );
  for (const letter of casedLetters()) {
    for (const mark of ['', '\u030c', '\u0307', '\u0345', '\u0301']) {
      const folded = fold(letter + mark);
      assert.equal(
        fold(folded),
        folded,
        `U+${letter.codePointAt(0)!.toString(16)} ${mark.codePointAt(0) ?? ''}`,
      );
    }
  }
});

test('names in any script are found regardless of case', () => {
  const pairs = [
    ['WEB-01', 'web-01'],
    ['СЕРВЕР', 'сервер'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['STRAẞE', 'straße'],
    ['𐐀𐐁', '𐐨𐐩'],
    ['Å', 'a\u030a'],
    ['J\u030c', 'ǰ'],
    ['ᾼ', 'α\u0345'],
    ['\ufb05', '\ufb06'],
    ['ᎠᎡ', 'ꭰꭱ'],
  ] as const;

  for (const [left, right] of pairs) assert.equal(fold(left), fold(right), `${left} ${right}`);
});

test('letters that only look alike stay different', () => {
  const pairs = [
    ['I', 'ı'],
    ['i', 'İ'],
    ['ß', 'ss'],
    ['ﬁ', 'fi'],
    ['a', 'а'],
  ] as const;

  for (const [left, right] of pairs) assert.notEqual(fold(left), fold(right), `${left} ${right}`);
});

test('folding follows the table of simple case folding where alternatives would differ', () => {
  assert.equal(fold('ꭰ'), 'Ꭰ');
  assert.equal(fold('ᏸ'), 'Ᏸ');
  assert.equal(fold('ẞ'), 'ß');
  assert.equal(fold('ᾈ'), 'ᾀ');
  assert.equal(fold('ſ'), 's');
  assert.equal(fold('ς'), 'σ');
  assert.equal(fold('İ'), 'İ');
  assert.equal(fold('ı'), 'ı');
});

test('the percent sign, the underscore and the backslash match themselves in a search', () => {
  assert.equal(likePattern('100%'), '%100\\%%');
  assert.equal(likePattern('A_b'), '%a\\_b%');
  assert.equal(likePattern('C:\\x'), '%c:\\\\x%');
  assert.equal(likePattern(''), '%%');
});

test('clean text has no control characters and no lone surrogates', () => {
  for (const clean of ['', 'Ann', 'Анна', '👩‍💻', 'a b', '\u00a0'])
    assert.equal(isCleanText(clean), true, clean);
  for (const bad of ['\0', 'a\nb', 'a\tb', '\x7f', '\x85', '\x9f', '\ud800', 'a\udc00b']) {
    assert.equal(isCleanText(bad), false, JSON.stringify(bad));
  }
});

test('characters are counted as people count them, not as they are stored', () => {
  assert.equal(countCodePoints('abc'), 3);
  assert.equal(countCodePoints('👍👍'), 2);
  fc.assert(
    fc.property(anyText, (text) => assert.equal(countCodePoints(text), [...text].length)),
    drawn(),
  );
});

test('truncated text is a prefix of the text, fits, and ends in a whole character', () => {
  assert.equal(truncate('ab👍', 3), 'ab');
  assert.equal(truncate('ab👍', 4), 'ab👍');
  assert.equal(truncate('👍', 0), '');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(12), (text, max) => {
      const short = truncate(text, max);
      assert.ok(text.startsWith(short) && short.length <= max && short.isWellFormed());
      assert.ok(short.length >= Math.min(text.length, max) - 1);
    }),
    drawn(),
  );
});

test('text from a device loses only characters that could deceive its reader', () => {
  assert.equal(stripHostileCharacters('pc\u202egnp.exe'), 'pcgnp.exe');
  assert.equal(stripHostileCharacters('a\0b\u001b[31mc\u2066d\u2069\u200fe\u2028f\u0085'), 'ab[31mcdef');
  assert.equal(stripHostileCharacters('x\ud800y'), 'x\ufffdy');
  assert.equal(stripHostileCharacters('Büro שלום 👩‍💻'), 'Büro שלום 👩‍💻');
});
