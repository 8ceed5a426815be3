/** How the values of options are parsed, and how invalid ones are refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFailure } from './command.ts';
import { toEmailOption, toExpiry, toId, toLimit, toNameOption } from './values.ts';

const now = Date.UTC(2027, 0, 15) / 1_000;
const day = 86_400;

test('a key expires after minutes, hours, days, weeks or years, or at a given time', () => {
  const meant: [string, number][] = [
    ['30m', now + 1_800],
    ['12h', now + 43_200],
    ['90d', now + 90 * day],
    ['2w', now + 14 * day],
    ['1y', now + 365 * day],
    [String(now + 1), now + 1],
    ['2027-01-16', now + day],
    ['2027-01-15T02:00:00+01:00', now + 3_600],
    ['2028-02-29', Date.UTC(2028, 1, 29) / 1_000],
  ];

  for (const [text, moment] of meant) assert.equal(toExpiry(text, now), moment, text);
});

test('a time that is past, too far in the future or not valid is refused, and the message names its option', () => {
  const durations = [
    '',
    '0d',
    '90',
    '-1d',
    '1.5d',
    '90 d',
    '90D',
    '1M',
    'tomorrow',
    'NaN',
    '1e9',
    '99999999y',
  ];
  const moments = [String(now), '2027-01-15', '2027-02-31', '2027-13-01', '2027-1-16', '2028-01-01T00:00:00'];

  for (const text of [...durations, ...moments]) {
    const refusal = toExpiry(text, now);
    assert.ok(isFailure(refusal), text);
    assert.equal(refusal.exit, 2);
    assert.match(refusal.failure, /^--expires must be /);
  }
});

test('a limit is a whole number or unlimited', () => {
  assert.equal(toLimit('files', '0'), 0);
  assert.equal(toLimit('files', '2147483647'), 2_147_483_647);
  assert.equal(toLimit('files', 'unlimited'), null);
  for (const text of ['', '-1', '1.5', '2147483648', '99999999999', 'many', '0x10', 'Infinity'])
    assert.match((toLimit('files', text) as { failure: string }).failure, /^--files must be a whole number/);
});

test('invalid addresses, names and account numbers are refused, and the message names their option', () => {
  assert.equal(toEmailOption(' Ann@Example.com '), 'Ann@Example.com');
  assert.equal(toNameOption('Prüfung ✓'), 'Prüfung ✓');
  assert.equal(toId('account', '12'), 12);
  for (const text of ['ann', 'a@b@c', 'a b@c', `${'a'.repeat(250)}@b.cd`])
    assert.match((toEmailOption(text) as { failure: string }).failure, /^--email /);
  for (const text of [' ', 'a'.repeat(129), 'a\u0007b'])
    assert.match((toNameOption(text) as { failure: string }).failure, /^--name /);
  for (const text of ['0', '-1', '01', '1.0', 'one', '9'.repeat(17)])
    assert.match((toId('account', text) as { failure: string }).failure, /^--account /);
});
