/** Tests what an import from a directory changes, with examples and with random directories and accounts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { drawn } from '../../../../tests/kit/random.ts';
import { fold } from '../text.ts';
import {
  exceedsRemovals,
  planImport,
  type ImportPlan,
  type StoredDirectory,
  type StoredPerson,
} from './directory-plan.ts';
import { normalizeDn, resolveMembers, type DirectoryGroup, type DirectorySnapshot } from './directory.ts';

const person = (uid: string, email: string | undefined = `${uid}@example.org`, disabled = false) => ({
  uid,
  dn: `uid=${uid},ou=people,dc=example`,
  email,
  disabled,
});
const group = (uid: string, ...members: string[]): DirectoryGroup => ({
  uid,
  dn: `cn=${uid},ou=groups,dc=example`,
  name: uid,
  members: members.map((each) =>
    each.startsWith('g') ? `cn=${each},ou=groups,dc=example` : `uid=${each},ou=people,dc=example`,
  ),
});
const stored = (memberId: number, uid: string | null, email: string): StoredPerson => ({
  memberId,
  uid,
  email,
  disabled: false,
  local: uid === null,
  keepsAccess: false,
  keepsAddress: false,
});
const owner = { ...stored(1, null, 'owner@example.org'), keepsAccess: true, keepsAddress: true };
const newAccount: StoredDirectory = { people: [owner], departments: [] };

function plan(snapshot: DirectorySnapshot, before: StoredDirectory, adopt = true): ImportPlan {
  const planned = planImport(snapshot, before, { adopt });
  assert.ok(!('refused' in planned), 'the plan was refused');
  return planned;
}

/** What is stored after the plan was carried out. */
function apply(planned: ImportPlan, { people, departments }: StoredDirectory): StoredDirectory {
  const disabled = new Set(planned.disablePeople.map(({ memberId }) => memberId));
  const enabled = new Set(planned.enablePeople.map(({ memberId }) => memberId));
  const emails = new Map(planned.changeEmails.map(({ memberId, email }) => [memberId, email]));
  const adopted = new Map(planned.adoptPeople.map(({ memberId, uid }) => [memberId, uid]));
  const names = new Map(planned.renameDepartments.map(({ departmentId, name }) => [departmentId, name]));
  const nextId = 1 + Math.max(0, ...people.map(({ memberId }) => memberId));
  const nextDepartment = 1 + Math.max(0, ...departments.map(({ departmentId }) => departmentId));
  const is = (list: ImportPlan['join'], department: string, uid: string): boolean =>
    list.some((each) => each.department === department && each.person === uid);
  const kept = people.map((each) => ({
    ...each,
    email: emails.get(each.memberId) ?? each.email,
    uid: adopted.get(each.memberId) ?? each.uid,
    local: each.local && !adopted.has(each.memberId),
    disabled: disabled.has(each.memberId) || (each.disabled && !enabled.has(each.memberId)),
  }));
  const created = planned.createPeople.map(({ uid, email }, at) => stored(nextId + at, uid, email));
  return {
    people: [...kept, ...created],
    departments: [
      ...departments.map((each) => ({ ...each, name: names.get(each.departmentId) ?? each.name })),
      ...planned.createDepartments.map((each, at) => ({
        ...each,
        departmentId: nextDepartment + at,
        members: [],
      })),
    ].map((each) => ({
      ...each,
      members: [
        ...each.members.filter((uid) => !is(planned.leave, each.uid, uid)),
        ...planned.join.filter(({ department }) => department === each.uid).map((joined) => joined.person),
      ],
    })),
  };
}

const changesOf = (planned: ImportPlan): number =>
  Object.entries(planned).reduce(
    (sum, [name, list]) => sum + (name === 'skipped' || !Array.isArray(list) ? 0 : list.length),
    0,
  );

const uids = ['a', 'b', 'c', 'd', 'e', 'f'];
const groupUids = ['g1', 'g2', 'g3', 'g4'];
const anyEmail = fc.constantFrom(
  ...uids.map((uid) => `${uid}@example.org`),
  'A@EXAMPLE.org',
  'owner@example.org',
);
const anyPerson = fc
  .tuple(fc.constantFrom(...uids), fc.option(anyEmail, { nil: undefined }), fc.boolean())
  .map(([uid, email, disabled]) => ({ ...person(uid), email, disabled }));
const anyGroup = fc
  .tuple(
    fc.constantFrom(...groupUids),
    fc.constantFrom('Sales', 'Support', 'Night shift'),
    fc.uniqueArray(fc.constantFrom(...uids, ...groupUids, 'unknown')),
  )
  .map(([uid, name, members]) => ({ ...group(uid, ...members), name }));
const byUid = { selector: ({ uid }: { uid: string }) => uid, minLength: 1 };
const anySnapshot: fc.Arbitrary<DirectorySnapshot> = fc.record({
  people: fc.uniqueArray(anyPerson, byUid),
  groups: fc.uniqueArray(anyGroup, byUid),
});
/** Accounts as earlier imports leave them, with a local person. */
const anyAccount = fc.array(anySnapshot, { maxLength: 3 }).map((snapshots) => {
  const local = stored(2, null, 'b@example.org');
  const elsewhere = { ...stored(3, null, 'c@example.org'), local: false };
  return snapshots.reduce((now, snapshot) => apply(plan(snapshot, now), now), {
    ...newAccount,
    people: [owner, local, elsewhere],
  } as StoredDirectory);
});

test('an import creates people and departments, and a second one changes nothing', () => {
  const snapshot = { people: [person('a'), person('b')], groups: [group('g1', 'a', 'g2'), group('g2', 'b')] };

  const first = plan(snapshot, newAccount);
  const second = plan(snapshot, apply(first, newAccount));

  assert.deepEqual(
    first.createPeople.map(({ uid }) => uid),
    ['a', 'b'],
  );
  assert.deepEqual(first.join, [
    { department: 'g1', person: 'a' },
    { department: 'g1', person: 'b' },
    { department: 'g2', person: 'b' },
  ]);
  assert.equal(changesOf(second), 0);
});

test('renaming and moving entries keeps the person and the department', () => {
  const before = { people: [person('a')], groups: [group('g1', 'a')] };
  const account = apply(plan(before, newAccount), newAccount);
  const moved = { ...person('a', 'new@example.org'), dn: 'uid=new,ou=elsewhere,dc=example' };
  const renamed = { ...group('g1'), dn: 'cn=new,dc=example', name: 'New', members: [moved.dn] };

  const planned = plan({ people: [moved], groups: [renamed] }, account);

  assert.deepEqual(planned.changeEmails, [{ memberId: 2, email: 'new@example.org' }]);
  assert.deepEqual(planned.renameDepartments, [{ departmentId: 1, name: 'New' }]);
  assert.equal(changesOf(planned), 2);
});

test('a name that returns with another uid is another department, and the old one is emptied', () => {
  const account = apply(plan({ people: [person('a')], groups: [group('g1', 'a')] }, newAccount), newAccount);

  const planned = plan({ people: [person('a')], groups: [{ ...group('g1', 'a'), uid: 'g9' }] }, account);

  assert.deepEqual(planned.leave, [{ department: 'g1', person: 'a' }]);
  assert.deepEqual(planned.createDepartments, [{ uid: 'g9', name: 'g1' }]);
});

test('nothing is planned when the directory shows nobody, no group, or one uid twice', () => {
  const [people, groups] = [[person('a')], [group('g1', 'a')]];

  assert.deepEqual(planImport({ people: [], groups }, newAccount, { adopt: true }), { refused: 'no_people' });
  assert.deepEqual(planImport({ people, groups: [] }, newAccount, { adopt: true }), { refused: 'no_groups' });
  const twice = { people: [person('a'), person('a', 'x@example.org')], groups };
  assert.deepEqual(planImport(twice, newAccount, { adopt: true }), { refused: 'duplicate_uid' });
});

test('people who left or are disabled lose access, and the share of them is known', () => {
  const before = { people: uids.map((uid) => person(uid)), groups: [group('g1', ...uids)] };
  const account = apply(plan(before, newAccount), newAccount);
  const people = [person('a', undefined, true), ...uids.slice(2).map((uid) => person(uid))];

  const planned = plan({ people, groups: before.groups }, account);

  assert.deepEqual(planned.disablePeople, [
    { memberId: 2, because: 'disabled' },
    { memberId: 3, because: 'left' },
  ]);
  assert.equal(Math.round(planned.removedPercent), 33);
  assert.deepEqual([exceedsRemovals(planned, 33), exceedsRemovals(planned, 34)], [true, false]);
});

test('people who return are the same people, in the same departments', () => {
  const before = { people: [person('a'), person('b')], groups: [group('g1', 'a', 'b')] };
  const account = apply(plan(before, newAccount), newAccount);
  const without = apply(plan({ ...before, people: [person('b')] }, account), account);

  const planned = plan(before, without);

  assert.equal(without.people[1]!.disabled, true);
  assert.deepEqual(planned.enablePeople, [{ memberId: 2 }]);
  assert.deepEqual(apply(planned, without), account);
});

test('emptied groups count as removals although nobody left', () => {
  const people = [person('a'), person('b')];
  const account = apply(plan({ people, groups: [group('g1', 'a', 'b')] }, newAccount), newAccount);

  assert.equal(plan({ people, groups: [group('g1')] }, account).removedPercent, 100);
});

test('spellings of one DN are equal, and escaped separators stay', () => {
  assert.equal(normalizeDn('CN=Ann , OU = People,DC=example'), 'cn=ann,ou=people,dc=example');
  assert.notEqual(normalizeDn('cn=a\\,b,dc=example'), normalizeDn('cn=a,b,dc=example'));
  assert.equal(normalizeDn('cn=Ren\\C3\\A9e\\2C x,dc=example'), normalizeDn('cn=Renée\\, x,dc=example'));
  assert.notEqual(normalizeDn('cn=\\FF,dc=example'), normalizeDn('cn=\\FE,dc=example'));
});

test('an owner is never removed, adopted or given another address, and a taken address goes to nobody else', () => {
  fc.assert(
    fc.property(anySnapshot, anyAccount, (snapshot, account) => {
      const after = apply(plan(snapshot, account), account);

      assert.deepEqual(after.people[0], owner);
      const addresses = after.people.map(({ email }) => fold(email));
      assert.equal(new Set(addresses).size, addresses.length);
    }),
    drawn(500),
  );
});

test('a person who keeps access and address stays, whatever happens to their entry', () => {
  fc.assert(
    fc.property(anySnapshot, (snapshot) => {
      const kept = { ...stored(1, 'a', 'boss@example.org'), keepsAccess: true, keepsAddress: true };
      const account = { people: [kept], departments: [] };

      const after = apply(plan(snapshot, account), account);

      assert.deepEqual(after.people[0], kept);
    }),
    drawn(300),
  );
});

test('after an import, departments give rights to exactly the enabled people of their groups', () => {
  fc.assert(
    fc.property(anySnapshot, anyAccount, (snapshot, account) => {
      const after = apply(plan(snapshot, account), account);

      const present = new Set(after.people.filter((each) => !each.disabled).map(({ uid }) => uid));
      const resolved = resolveMembers(snapshot)!;
      const disabled = new Set(snapshot.people.filter((each) => each.disabled).map(({ uid }) => uid));
      const heldBy = (uid: string, people: Iterable<string>) =>
        [uid, new Set(people).intersection(present)] as const;
      assert.deepEqual(
        new Map(after.departments.map(({ uid, members }) => heldBy(uid, members))),
        new Map(after.departments.map(({ uid }) => heldBy(uid, resolved.get(uid) ?? []))),
      );
      assert.ok([...resolved.keys()].every((uid) => after.departments.some((each) => each.uid === uid)));
      assert.ok([...present].every((uid) => uid === null || !disabled.has(uid)));
    }),
    drawn(500),
  );
});

test('nobody is deleted, and nobody but those who left or are disabled loses access', () => {
  fc.assert(
    fc.property(anySnapshot, anyAccount, (snapshot, account) => {
      const after = apply(plan(snapshot, account), account);

      const active = new Set(snapshot.people.filter((each) => !each.disabled).map(({ uid }) => uid));
      for (const each of account.people) {
        const later = after.people.find(({ memberId }) => memberId === each.memberId);
        assert.equal(later?.disabled, each.uid !== null && !active.has(each.uid));
      }
    }),
    drawn(300),
  );
});

test('local people who are not adopted stay as they were', () => {
  fc.assert(
    fc.property(anySnapshot, anyAccount, (snapshot, account) => {
      const planned = plan(snapshot, account);
      const after = apply(planned, account);

      const adopted = new Set(planned.adoptPeople.map(({ memberId }) => memberId));
      for (const each of account.people.filter(({ uid, memberId }) => uid === null && !adopted.has(memberId)))
        assert.ok(after.people.some((kept) => kept.memberId === each.memberId && kept.email === each.email));
    }),
    drawn(300),
  );
});

test('repeating an import ends in a plan without changes', () => {
  fc.assert(
    fc.property(anySnapshot, anyAccount, (snapshot, account) => {
      // A person may wait one round for an address that another gives up.
      const settled = uids.reduce((now) => apply(plan(snapshot, now), now), account);

      assert.equal(changesOf(plan(snapshot, settled)), 0);
    }),
    drawn(300),
  );
});

test('groups that contain each other end, and have the same people', () => {
  const groups = [group('g1', 'a', 'g2'), group('g2', 'b', 'g3'), group('g3', 'g1', 'g3')];

  const resolved = resolveMembers({ people: [person('a'), person('b')], groups })!;

  for (const each of groups) assert.deepEqual(resolved.get(each.uid), new Set(['a', 'b']));
});

test('nested groups with more memberships than a server can store are refused', () => {
  const people = Array.from({ length: 1_000 }, (_, at) => person(`p${at}`));
  const chain = Array.from({ length: 600 }, (_, at) => group(`g${at}`, `g${at + 1}`));
  const groups = [...chain, group('g600', ...people.map(({ uid }) => uid))];

  assert.deepEqual(planImport({ people, groups }, newAccount, { adopt: true }), { refused: 'too_large' });
});

test('unless they may be adopted, local people keep out of reach of the directory', () => {
  const local = stored(2, null, 'A@example.org');
  const account = { people: [owner, local], departments: [] };
  const snapshot = { people: [person('a'), person('b')], groups: [group('g1', 'a', 'b')] };

  const apart = plan(snapshot, account, false);

  assert.deepEqual(apart.adoptPeople, []);
  assert.deepEqual(apart.skipped, [{ uid: 'a', because: 'email_taken' }]);
  assert.deepEqual(apart.join, [{ department: 'g1', person: 'b' }]);
  assert.deepEqual(plan(snapshot, account).adoptPeople, [{ memberId: 2, uid: 'a' }]);
});
