/** What claims of a provider, which can be anything, say about a person. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toSsoPerson } from './provider.ts';

test('a person has the address and the groups of their claims', () => {
  const claims = { sub: 's', email: 'Ann@example.com', email_verified: true, roles: ['a', 'b'] };
  const person = { subject: 's', email: 'Ann@example.com', emailVerified: true, groups: ['a', 'b'] };
  assert.deepEqual(toSsoPerson(claims, 'roles'), person);
  assert.deepEqual(toSsoPerson(claims, '').groups, []);
  assert.deepEqual(toSsoPerson({ sub: 's', roles: 'a' }, 'roles').groups, ['a']);
});

test('an address is verified by the usual claim, or by that of Entra ID if there is no other', () => {
  const verifiedBy = (claims: object) => toSsoPerson({ sub: 's', ...claims }, '').emailVerified;
  for (const xms_edov of [true, 1, '1', 'true']) assert.equal(verifiedBy({ xms_edov }), true);
  for (const xms_edov of [false, 0, '0', 'yes', [true], undefined])
    assert.equal(verifiedBy({ xms_edov }), undefined);
  assert.equal(verifiedBy({ email_verified: false, xms_edov: true }), false);
  assert.equal(verifiedBy({ email_verified: 'false', xms_edov: true }), undefined);
});

test('claims of another shape are ignored', () => {
  for (const email of [
    1,
    'nobody',
    'a b@example.com',
    `${'a'.repeat(250)}@example.com`,
    '\ud800@example.com',
    ['a@b'],
  ])
    assert.equal(toSsoPerson({ sub: 's', email }, '').email, undefined);
  for (const email_verified of ['true', 1, undefined])
    assert.equal(toSsoPerson({ sub: 's', email_verified }, '').emailVerified, undefined);
  const groups = [1, null, '', 'x'.repeat(257), 'a', ...Array.from({ length: 2_000 }, () => 'b')];
  const found = toSsoPerson({ sub: 's', groups }, 'groups').groups;
  assert.deepEqual([found[0], found.length], ['a', 996]);
  assert.deepEqual(toSsoPerson({ sub: 's', groups: { a: 1 } }, 'groups').groups, []);
});
