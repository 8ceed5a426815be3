/** Windows of one-time links, paths and passwords of permanent ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isReservedPath, linkLifetime, passwordProblem, windowOf, windowsOpenAt } from './links.ts';

test('a single-use link is valid for five minutes', () => {
  assert.equal(linkLifetime, 5 * 60);
});

test('a one-time link belongs to a window of 45 seconds', () => {
  assert.deepEqual([0, 44, 45, 89, 90].map(windowOf), [0, 0, 1, 1, 2]);
});

test('the link of a window works in it and in the first ten seconds of the next', () => {
  assert.deepEqual(windowsOpenAt(450), [10, 9]);
  assert.deepEqual(windowsOpenAt(459), [10, 9]);
  assert.deepEqual(windowsOpenAt(460), [10]);
  assert.deepEqual(windowsOpenAt(494), [10]);
  assert.deepEqual(windowsOpenAt(495), [11, 10]);
});

test('a password has at least eight characters with both letters and digits', () => {
  for (const strong of [
    'abcdefg1',
    '1234567a',
    'a1!!!!!!',
    'pass word 1',
    'пароль12',
    'كلمةسر١٢',
    '密码密码密码1a',
    '🔑🔑🔑🔑🔑🔑a1',
  ])
    assert.equal(passwordProblem(strong) === undefined, true, strong);
  for (const weak of [
    '',
    'a1',
    'abcdef1',
    'abcdefgh',
    '12345678',
    '!!!!!!!!',
    'abcdefg!',
    '1234567!',
    '       1',
  ])
    assert.equal(passwordProblem(weak) === undefined, false, weak);
});

test('characters are counted as people count them: surrogate pairs as one, and composed', () => {
  assert.equal(passwordProblem('🔑🔑🔑🔑🔑a1') === undefined, false);
  assert.equal(passwordProblem('e\u0301e\u0301e\u0301e\u0301e\u0301e\u03011') === undefined, false);
  assert.equal(passwordProblem('e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u03011') === undefined, true);
});

test('a password that is too long is refused for its length, however good it is otherwise', () => {
  assert.equal(passwordProblem(`${'a'.repeat(255)}1`), undefined);
  assert.equal(passwordProblem(`${'a'.repeat(256)}1`), 'The password must have at most 256 characters.');
});

test('numeric characters that are not digits do not count as digits', () => {
  assert.equal(passwordProblem('abcdefg½') === undefined, false);
  assert.equal(passwordProblem('abcdefgⅧ') === undefined, false);
});

test('only paths that look like those of the service are reserved', () => {
  for (const path of [
    'admin',
    'api',
    'docs',
    'healthz',
    'login',
    'metrics',
    'readyz',
    'sign-in',
    'static',
    'www',
  ])
    assert.equal(isReservedPath(path), true, path);
  for (const path of ['administrator', 'my-desk', 'constructor', '__proto__', ''])
    assert.equal(isReservedPath(path), false, path);
});
