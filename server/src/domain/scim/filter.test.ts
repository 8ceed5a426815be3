/** Filters of SCIM: what is read, what is refused, and that no text costs much or does harm. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFault } from '@drawbridge/contract/faults';
import fc from 'fast-check';
import { drawn } from '../../../../tests/kit/random.ts';
import { groupDefinition, userDefinition } from './attributes.ts';
import { parseFilter, parsePatchPath, type ScimFilter } from './filter.ts';
import { countMentions, matchesFilter, requiredTexts } from './match.ts';

const read = (source: string): ScimFilter => {
  const filter = parseFilter(userDefinition, source);
  assert.ok(!isFault(filter), source);
  return filter;
};
const problemOf = (source: string): string => {
  const filter = parseFilter(userDefinition, source);
  assert.ok(isFault(filter), source);
  return filter.message!;
};

const ann = {
  userName: 'Ann@example.com',
  active: true,
  title: 'Chief "of" \\ staff',
  emails: [
    { value: 'ann@example.com', type: 'work', primary: true },
    { value: 'ann@home.example', type: 'home' },
  ],
  meta: { created: '2026-01-02T03:04:05.000Z' },
};

test('and binds stronger than or, and brackets stronger than both', () => {
  const shape = (filter: ScimFilter): string =>
    'parts' in filter
      ? `(${filter.parts.map(shape).join(` ${filter.kind} `)})`
      : 'part' in filter
        ? `not ${shape(filter.part)}`
        : filter.path.attribute.name;

  assert.equal(shape(read('title pr or active pr and locale pr')), '(title or (active and locale))');
  assert.equal(shape(read('(title pr OR active pr) And locale pr')), '((title or active) and locale)');
  assert.equal(
    shape(read('not (title pr and active pr) or locale pr')),
    '(not (title and active) or locale)',
  );
});

test('each comparison is true and false where it should be', () => {
  const cases: [string, boolean][] = [
    ['userName eq "ANN@EXAMPLE.COM"', true],
    ['title eq "chief \\"of\\" \\\\ staff"', true],
    ['title eq "chief \\u0022of\\" \\\\ staff"', true],
    ['userName ne "ann@example.com"', false],
    ['nickName ne "x"', true],
    ['nickName eq null', true],
    ['title eq null', false],
    ['emails co "home"', true],
    ['emails[type eq "work" and value co "home"]', false],
    ['emails[type eq "home"].value ew "home.example"', true],
    ['emails[type eq "home"].value ew "example.com"', false],
    ['emails.type eq "other"', false],
    ['emails[primary eq true]', true],
    ['active eq "True"', true],
    ['active ne true', false],
    ['active gt true', false],
    ['meta.created gt "2026-01-02T04:04:04+01:00"', true],
    ['meta.created gt "2026-01-02T04:04:05+01:00"', false],
    ['meta.created ge "not a time"', false],
    ['name.givenName pr', false],
    ['emails pr', true],
  ];
  for (const [source, expected] of cases) assert.equal(matchesFilter(ann, read(source)), expected, source);
});

test('what cannot be read is refused with its place', () => {
  assert.match(problemOf(''), /empty/);
  assert.match(problemOf('userName'), /no known operator at the end/);
  assert.match(problemOf('userName eq'), /no value at the end/);
  assert.match(problemOf('userName eq ann'), /no value at ann/);
  assert.match(problemOf('userName eq "x'), /cannot be read at character 12/);
  assert.match(problemOf('(userName pr'), /lacks \)/);
  assert.match(problemOf('emails[type pr'), /lacks \]/);
  assert.match(problemOf('userName pr)'), /goes on after its end: \)/);
  assert.match(problemOf('emails[userName pr]'), /no known attribute at userName/);
  assert.match(problemOf('constructor pr'), /no known attribute/);
  assert.match(problemOf('x'.repeat(2_049)), /longer than 2048/);
  assert.match(problemOf(`${'('.repeat(1_000)}title pr${')'.repeat(1_000)}`), /deeper than 8/);
  assert.match(problemOf(Array(65).fill('title pr').join(' or ')), /more than 64 conditions/);
});

test('conditions that everybody found must meet are looked up, and no others', () => {
  const texts = (source: string) => requiredTexts(read(source), 'userName');
  const members = (source: string) => {
    const filter = parseFilter(groupDefinition, source);
    assert.ok(!isFault(filter));
    return [requiredTexts(filter, 'members'), countMentions(filter, 'members')];
  };

  assert.deepEqual(texts('userName eq "a" and title pr'), ['a']);
  assert.deepEqual(texts('userName eq "a" or title pr'), []);
  assert.deepEqual(texts('not (userName eq "a")'), []);
  assert.deepEqual(texts('userName ne "a"'), []);
  assert.deepEqual(members('members[value eq "1"]'), [['1'], 1]);
  assert.deepEqual(members('members.value eq "1" and id eq "2"'), [['1'], 1]);
  assert.deepEqual(members('members[display eq "1"]'), [[], 1]);
});

test('paths of patches are read with schema, filter and part', () => {
  const path = parsePatchPath(
    userDefinition,
    'urn:ietf:params:scim:schemas:core:2.0:User:emails[type eq "]"].value',
  );
  const unknown = [
    'shoes',
    'title[type eq "x"]',
    'emails[type eq "x"',
    'emails].value[',
    'name.none',
    'a.b.c',
  ];

  assert.ok(!isFault(path));
  assert.deepEqual([path.attribute.name, path.sub?.name, path.filter?.kind], ['emails', 'value', 'compare']);
  for (const source of unknown) assert.ok(isFault(parsePatchPath(userDefinition, source)), source);
});

test('any text is read or refused, and costs little', () => {
  const words = fc.constantFrom(
    'userName',
    'emails',
    'emails[',
    'type',
    ']',
    '(',
    ')',
    'not',
    'and',
    'or',
    'eq',
    'co',
    'pr',
    'gt',
    '"x"',
    '"',
    'true',
    'null',
    '7',
    '.value',
    '\\',
    'meta.created',
  );
  const text = fc.oneof(
    fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 100 })
      .map((codes) => String.fromCharCode(...codes)),
    fc.array(words, { maxLength: 200 }).map((parts) => parts.join(' ')),
  );
  const before = process.cpuUsage();
  fc.assert(
    fc.property(text, (source) => {
      const filter = parseFilter(userDefinition, source);
      if (!isFault(filter)) assert.equal(typeof matchesFilter(ann, filter), 'boolean');
      parsePatchPath(userDefinition, source);
    }),
    drawn(500),
  );
  for (const unit of ['(', '"', '\\', 'not (', 'emails[', ' ', 'a.', 'title pr or '])
    parseFilter(userDefinition, unit.repeat(Math.floor(2_048 / unit.length)));
  assert.ok(process.cpuUsage(before).user < 5_000_000, 'microseconds of CPU');
});
