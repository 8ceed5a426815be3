/** Part of the store's suite: what an import from a directory changes, and what it must not change. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, isFault } from '@drawbridge/contract/faults';
import { must } from '../../../kit/server/account.ts';
import { openAccount, type StoreFixture } from '../fixture.ts';
import { addDirectory, address, shows } from './directory-fixture.ts';

const page = { offset: 0, limit: 100 };

export function importsSuite(fixture: () => StoreFixture): void {
  test('an import creates people and departments, and a second one changes nothing', async () => {
    const { store, sql } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const directory = await addDirectory(fixture(), account);
    const [ann, bob] = [address(), address()];
    const snapshot = shows({ people: { ann, bob }, groups: { g: ['ann', 'h'], h: ['bob'] } });
    const version = async () =>
      (await sql(`select rights_version from account where account_id = ${accountId}`))[0];

    const target = { accountId, id: directory.id, by: account.owner.id };
    const planned = await store.directories.plan(target, { snapshot });
    const nobody = await store.directories.list(accountId);
    const first = await directory.run(snapshot);
    const before = await version();
    const second = await directory.run(snapshot);

    assert.deepEqual(planned, first);
    assert.equal(nobody[0]!.lastTime, null);
    assert.ok(!isFault(first) && !isFault(second));
    assert.deepEqual(Object.groupBy(first.changes, ({ kind }) => kind).create_person?.length, 2);
    assert.deepEqual(second, { problem: '', removedPercent: 0, changes: [] });
    assert.deepEqual(await version(), before);
    const departments = await store.departments.list(accountId, page);
    assert.deepEqual(
      departments.map(({ name, ldap, size }) => ({ name, ldap, size })),
      [
        { name: 'Group g', ldap: true, size: 2 },
        { name: 'Group h', ldap: true, size: 1 },
      ],
    );
    assert.equal((await store.members.find(accountId, ann))?.state, 'invited');
    assert.equal((await directory.listed()).lastTime, store.now());
  });

  test('a rename keeps person, department and rights', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const directory = await addDirectory(fixture(), account);
    const [old, renamed] = [address(), address()];
    await directory.run(shows({ people: { a: old } }));
    const [department] = await store.departments.list(accountId, page);
    await account.grant({ departmentId: department!.id }, await account.role('team', ['team_api_key']));
    const before = await store.actors.byEmail(accountId, old);
    const snapshot = shows({ people: { a: renamed } });

    const [group] = snapshot.groups;
    await directory.run({ ...snapshot, groups: [{ ...group!, name: 'Renamed' }] });

    assert.deepEqual(await store.actors.byEmail(accountId, renamed), { ...before, email: renamed });
    assert.equal((await store.departments.find(accountId, department!.id))?.name, 'Renamed');
  });

  test('the owner and server administrators stay, and local people are adopted only if it is told to', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const local = await account.member();
    const [apart, taking] = [
      await addDirectory(fixture(), account),
      await addDirectory(fixture(), account, { adopt: true }),
    ];
    const people = { o: owner.email, l: local.email, x: address() };

    await apart.run(shows({ people: { o: owner.email, l: local.email } }));
    const left = await store.departments.list(accountId, page);
    await taking.run(shows({ people }));
    await must(store, 'operators/add', {
      member: { accountId, id: (await store.members.find(accountId, people.x))!.id },
    });
    await taking.run(shows({ people: { y: address() } }));

    assert.equal(left[0]?.size, 0);
    const states = await Promise.all(
      Object.values(people).map((email) => store.members.find(accountId, email)),
    );
    assert.deepEqual(
      states.map((each) => each?.state),
      ['active', 'disabled', 'invited'].map((state, at) => (at === 0 ? states[0]!.state : state)),
    );
    assert.notEqual(states[0]!.state, 'disabled');
    await must(store, 'operators/remove', { member: { accountId, id: states[2]!.id }, evenLast: true });
  });

  test('nothing changes after a failure, without people or groups, and when too many would go', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const directory = await addDirectory(fixture(), account, { removalPercent: 50 });
    const people = { a: address(), b: address(), c: address() };
    const one = shows({ people: { a: people.a } });
    await directory.run(shows({ people }));
    const target = { accountId, id: directory.id, by: owner.id, confirmedPercent: 0 };
    const before = await store.members.list(accountId, page);

    const problems = [
      await store.change('directories/apply', { ...target, reading: { failure: 'timeout' } }),
      await directory.run({ people: [], groups: one.groups }),
      await directory.run({ people: one.people, groups: [] }),
      await directory.run(one),
    ].map((each) => (isFault(each) ? each : each.problem));

    assert.deepEqual(problems, ['timeout', 'no_people', 'no_groups', 'too_many_removals']);
    assert.deepEqual(await store.members.list(accountId, page), before);
    assert.equal((await directory.listed()).lastProblem, 'too_many_removals');
    // A third was shown and confirmed, but two thirds would go by now.
    const beyond = await directory.run(one, owner.id, 34);
    assert.ok(!isFault(beyond) && beyond.problem === 'too_many_removals');
    assert.deepEqual(await store.members.list(accountId, page), before);
    const confirmed = await directory.run(one, owner.id, 67);
    assert.ok(!isFault(confirmed) && confirmed.problem === '');
    assert.equal((await store.members.find(accountId, people.b))?.state, 'disabled');
  });

  test('an import gives nobody more than the person with whose rights it runs could give', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const directory = await addDirectory(fixture(), account, { adopt: true });
    const admin = await account.member();
    const chief = await account.member();
    await account.grant({ email: admin.email }, await account.role('team', ['team_user_admin']));
    await account.grant({ email: chief.email }, await account.role('team', ['team_billing_admin']));
    await directory.run(shows({ people: { a: address() }, groups: { strong: [], device: [] } }));
    const [strong, device] = await store.departments.list(accountId, page);
    await account.grant({ departmentId: strong!.id }, await account.role('team', ['team_billing_admin']));
    const { id: agentId } = await account.agent();
    await account.grant({ departmentId: device!.id }, await account.role('agent', ['agent_control']), {
      agentId,
    });
    const people = { a: address(), me: admin.email, chief: chief.email };

    const outcomes = [
      await directory.run(shows({ people, groups: { strong: ['a'], device: [] } }), admin.id),
      await directory.run(shows({ people, groups: { strong: [], device: ['me'] } }), admin.id),
      await directory.run(shows({ people, groups: { strong: [], device: ['a'] } }), 2 ** 52),
    ];
    await must(store, 'directories/apply', {
      accountId,
      id: directory.id,
      by: admin.id,
      confirmedPercent: 0,
      reading: { snapshot: shows({ people, groups: { strong: [], device: ['a'] } }) },
    });
    await directory.run(shows({ people: { ...people, chief: address() } }), admin.id);

    assert.deepEqual(
      outcomes.map((each) => isFault(each) && each.code),
      Array(3).fill('beyond_own_rights'),
    );
    assert.ok(await store.members.find(accountId, chief.email), 'the address of the chief was taken over');
    const unknown = await store.change('directories/apply', {
      accountId,
      id: 2 ** 52,
      by: admin.id,
      confirmedPercent: 0,
      reading: { failure: 'timeout' },
    });
    assert.deepEqual(unknown, fault('not_found', { field: 'id' }));
    assert.equal(
      await store.directories.plan({ accountId, id: 2 ** 52, by: 1 }, { failure: 'timeout' }),
      undefined,
    );
  });
}
