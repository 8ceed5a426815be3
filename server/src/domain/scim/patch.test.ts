/** Patches of people: the forms that RFC 7644 names, and those of Okta and Entra ID. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFault } from '@drawbridge/contract/faults';
import fc from 'fast-check';
import { drawn } from '../../../../tests/kit/random.ts';
import { enterpriseSchema, type ScimValues } from './attributes.ts';
import { patchUser, type PatchOperation } from './patch.ts';

const ann = {
  userName: 'ann@example.com',
  active: true,
  name: { givenName: 'Ann', familyName: 'Archer' },
  emails: [{ value: 'ann@example.com', type: 'work', primary: true }],
};
const patched = (...operations: PatchOperation[]): ScimValues => {
  const result = patchUser(ann, operations);
  assert.ok(!isFault(result), JSON.stringify(result));
  return result;
};
const codeOf = (...operations: PatchOperation[]): string | undefined => {
  const result = patchUser(ann, operations);
  return isFault(result) ? result.code : undefined;
};

test('single values are set and removed, and complex ones merged', () => {
  const set = patched(
    { op: 'add', path: 'title', value: 'Chief' },
    { op: 'replace', path: 'NAME.familyname', value: 'Baker' },
    { op: 'replace', path: 'name', value: { middleName: 'M' } },
    { op: 'replace', path: 'active', value: 'FALSE' },
  );
  const removed = patched(
    { op: 'remove', path: 'name.givenName' },
    { op: 'replace', path: 'emails', value: null },
  );

  assert.deepEqual(set['name'], { givenName: 'Ann', familyName: 'Baker', middleName: 'M' });
  assert.deepEqual([set['title'], set['active']], ['Chief', false]);
  assert.deepEqual(removed['name'], { familyName: 'Archer' });
  assert.ok(!('emails' in removed));
});

test('lists are extended without copies, have one primary value, and are changed by filter', () => {
  const home = { value: 'ann@home.example', type: 'home', primary: true };
  const add = { op: 'add', path: 'emails', value: [home] } as const;

  assert.deepEqual(patched(add, add)['emails'], [{ value: 'ann@example.com', type: 'work' }, home]);
  assert.deepEqual(patched({ op: 'replace', path: 'emails', value: home })['emails'], [home]);
  assert.deepEqual(patched(add, { op: 'remove', path: 'emails[type eq "work"]' })['emails'], [home]);
  assert.deepEqual(
    patched(add, { op: 'remove', path: 'emails', value: [{ value: 'ann@example.com' }] })['emails'],
    [home],
  );
  assert.deepEqual(
    patched({ op: 'replace', path: 'emails[type eq "work" and primary eq true].display', value: 'A' })[
      'emails'
    ],
    [{ value: 'ann@example.com', type: 'work', primary: true, display: 'A' }],
  );
});

test('Entra ID finds the primary value by a text, and sets it before there is one', () => {
  const path = 'phoneNumbers[primary eq "True"].value';
  const set = patched({ op: 'add', path, value: '1' });
  const changed = patched({ op: 'add', path, value: '1' }, { op: 'replace', path, value: '2' });
  const moved = patched(
    { op: 'add', path, value: '1' },
    { op: 'add', path: 'phoneNumbers', value: [{ value: '3', primary: true }] },
  );

  assert.deepEqual(set['phoneNumbers'], [{ primary: true, value: '1' }]);
  assert.deepEqual(changed['phoneNumbers'], [{ primary: true, value: '2' }]);
  assert.deepEqual(moved['phoneNumbers'], [{ value: '1' }, { value: '3', primary: true }]);
  assert.equal(
    codeOf({ op: 'add', path: 'phoneNumbers[primary eq "perhaps"].value', value: '1' }),
    'no_target',
  );
});

test('the extension is changed by path, as a whole, and with flat names', () => {
  const set = patched(
    { op: 'add', path: `${enterpriseSchema}:department`, value: 'Sales' },
    {
      op: 'add',
      value: { [enterpriseSchema]: { costCenter: '1' }, [`${enterpriseSchema.toUpperCase()}:division`]: 'D' },
    },
    { op: 'add', path: enterpriseSchema, value: { manager: 'boss' } },
  );

  assert.deepEqual(set[enterpriseSchema], {
    department: 'Sales',
    costCenter: '1',
    division: 'D',
    manager: { value: 'boss' },
  });
  assert.ok(
    !(
      enterpriseSchema in
      patched(
        { op: 'add', path: enterpriseSchema, value: { manager: 'b' } },
        { op: 'remove', path: enterpriseSchema },
      )
    ),
  );
});

test('attributes that are not stored are accepted and ignored, by each form of a path', () => {
  const certificate = 'M'.repeat(4_096);
  assert.deepEqual(
    patched(
      { op: 'add', path: 'photos[type eq "photo"].value', value: 'https://example.com/ann.png' },
      { op: 'replace', path: 'ims', value: [{ type: 'xmpp', value: 'ann' }] },
      { op: 'add', path: 'x509Certificates', value: [{ value: certificate }] },
      { op: 'remove', path: 'photos[type eq "photo"]' },
      { op: 'replace', value: { 'ims[type eq "xmpp"].value': 'ann', photos: null } },
      { op: 'replace', path: 'password', value: 'secret' },
    ),
    ann,
  );
  for (const path of ['photos.size', 'photos[shoe eq "1"].value', 'urn:example:2.0:User:photos', 'photo'])
    assert.match(String(codeOf({ op: 'add', path, value: 'x' })), /^invalid_(?:path|filter)$/, path);
});

test('Entra ID sends the manager without its schema, and single values as lists of one', () => {
  const manager = [{ $ref: null, value: '7' }];
  const set = patched(
    { op: 'add', path: 'manager', value: manager },
    { op: 'add', path: 'nickName', value: [{ value: 'Annie' }] },
    { op: 'replace', path: 'active', value: [{ value: 'False' }] },
    { op: 'replace', value: { department: 'Sales', 'manager.displayName': 'Boss' } },
  );

  assert.deepEqual(set[enterpriseSchema], {
    manager: { value: '7', displayName: 'Boss' },
    department: 'Sales',
  });
  assert.deepEqual([set['nickName'], set['active']], ['Annie', false]);
  assert.equal(codeOf({ op: 'add', path: 'manager', value: [...manager, ...manager] }), 'invalid_value');
  assert.equal(codeOf({ op: 'add', path: 'title', value: { value: 'a', type: 'b' } }), 'invalid_value');
  const inCore = 'urn:ietf:params:scim:schemas:core:2.0:User:manager';
  assert.equal(codeOf({ op: 'add', path: inCore, value: manager }), 'invalid_path');
});

test('what cannot be applied is refused with its kind, and unknown names in a value are ignored', () => {
  assert.equal(codeOf({ op: 'remove' }), 'no_target');
  assert.equal(codeOf({ op: 'replace', path: 'emails[value co "none"].type', value: 'x' }), 'no_target');
  assert.equal(codeOf({ op: 'add', path: 'groups', value: [] }), 'mutability');
  assert.equal(codeOf({ op: 'add', path: '__proto__', value: {} }), 'invalid_path');
  assert.equal(codeOf({ op: 'add', value: 'text' }), 'invalid_value');
  assert.equal(codeOf({ op: 'add', path: 'name', value: 'Ann' }), 'invalid_value');
  assert.equal(
    codeOf({ op: 'add', path: 'emails', value: Array(51).fill('x@example.com') }),
    'invalid_value',
  );
  assert.equal(codeOf({ op: 'add', path: 'title', value: 'a\u0007' }), 'invalid_value');
  assert.deepEqual(patched({ op: 'add', value: { id: '7', shoes: 'x', password: 'secret' } }), ann);
});

test('any operation is applied or refused, and leaves no unknown names', () => {
  const path = fc.constantFrom(
    'title',
    'emails',
    'emails[type eq "work"]',
    'emails[type eq "x"].value',
    'name',
    'name.givenName',
    'active',
    enterpriseSchema,
    `${enterpriseSchema}:manager`,
    'id',
    '',
  );
  const operation = fc.record({
    op: fc.constantFrom('add', 'replace', 'remove'),
    path: fc.option(path, { nil: undefined }),
    value: fc.oneof(fc.jsonValue(), fc.dictionary(path, fc.jsonValue())),
  });
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 6 }), (operations) => {
      const result = patchUser(ann, operations);
      const known = ['userName', 'active', 'title', 'name', 'emails', enterpriseSchema];
      if (!isFault(result))
        assert.deepEqual(
          Object.keys(result).filter((key) => !known.includes(key)),
          [],
        );
    }),
    drawn(500),
  );
});
