/** Part of the store's suite: directories, and the people and departments that come from them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, isFault } from '@drawbridge/contract/faults';
import { must } from '../../../kit/server/account.ts';
import { newApiKey, openAccount, someDigest, unique, type StoreFixture } from '../fixture.ts';
import { addDirectory, address, directorySettings, invitation, shows } from './directory-fixture.ts';

const page = { offset: 0, limit: 100 };

export function directoriesSuite(fixture: () => StoreFixture): void {
  test('directories are created, listed without password, changed and removed', async () => {
    const { store } = fixture();
    const [account, other] = [await openAccount(store), await openAccount(store)];
    const { accountId, owner } = account;
    const { id, listed } = await addDirectory(fixture(), account);
    const update = (input: object) =>
      store.change('directories/update', { accountId, by: owner.id, id, settings: {}, ...input });

    const changed = await update({ settings: { name: 'Firm', everyMinutes: 60 } });
    const elsewhere = await update({ settings: { url: 'ldaps://elsewhere.example.com' } });
    const known = await update({ settings: { url: 'ldaps://new.example.com' }, bindPassword: 'again' });

    assert.deepEqual([changed, known], [{}, {}]);
    assert.ok(isFault(elsewhere) && elsewhere.field === 'bind_password');
    const expected = { ...directorySettings, name: 'Firm', everyMinutes: 60, url: 'ldaps://new.example.com' };
    const state = { nextTime: store.now() + 3600, lastTime: null, lastProblem: '' };
    assert.deepEqual(await listed(), { id, ...expected, ...state });
    const connection = await store.directories.connection(accountId, id);
    assert.deepEqual(connection, { ...expected, bindPassword: 'again' });
    assert.equal(await store.directories.connection(other.accountId, id), undefined);
    const foreign = { accountId: other.accountId, id };
    const missing = fault('not_found', { field: 'id' });
    assert.deepEqual(await update({ accountId: other.accountId }), missing);
    assert.deepEqual(await store.change('directories/remove', foreign), missing);
    assert.deepEqual(await store.change('directories/remove', { accountId, id }), {});
    assert.deepEqual(await store.directories.list(accountId), []);
  });

  test('people who are disabled or left are out at once, and return with the same rights', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const directory = await addDirectory(fixture(), account);
    const people = { a: address(), b: address(), c: address() };
    await directory.run(shows({ people }));
    const [department] = await store.departments.list(accountId, page);
    await account.grant({ departmentId: department!.id }, await account.role('team', ['team_api_key']));
    const ann = (await store.members.find(accountId, people.a))!;
    const memberRef = { accountId, memberId: ann.id };
    const [key, session] = [newApiKey(), { digest: someDigest(), address: '', userAgent: '' }];
    await must(store, 'keys/create', { ...memberRef, key });
    const expireTime = store.now() + 600;
    const link = invitation(expireTime);
    await must(store, 'members/invite', { accountId, email: people.a, link });
    await must(store, 'panel/sessions/open', { ...memberRef, session });
    const before = await store.actors.byId(accountId, ann.id);

    await directory.run(shows({ people: { a: people.a, c: people.c }, disabled: ['a'] }));

    const states = await Promise.all(
      Object.values(people).map((email) => store.members.find(accountId, email)),
    );
    assert.deepEqual(
      states.map((each) => each?.state),
      ['disabled', 'disabled', 'invited'],
    );
    assert.equal(await store.actors.byId(accountId, ann.id), undefined);
    assert.deepEqual((await store.actors.byEmail(accountId, people.a))?.grants, []);
    assert.equal(await store.actors.byKey(key.digest), undefined);
    assert.equal(await store.actors.bySession(session.digest), undefined);
    assert.equal(await store.panel.find(memberRef), undefined);
    const refused = [
      await store.change('panel/sessions/open', {
        ...memberRef,
        session: { ...session, digest: someDigest() },
      }),
      await store.change('members/sign-in', { digest: link.digest }),
      await store.change('members/invite', { accountId, email: people.a, link: invitation(expireTime) }),
      await store.change('members/reset', {
        accountId,
        email: people.a,
        link: invitation(expireTime),
        forget: false,
      }),
    ];
    assert.deepEqual(refused.map(isFault), [true, true, true, true]);
    const local = await account.department();
    const join = { accountId, by: owner.id, id: local, email: people.a };
    const joined = await store.change('departments/member-add', join);
    assert.ok(isFault(joined) && joined.code === 'disabled');
    await directory.run(shows({ people }));
    assert.deepEqual(await store.actors.byId(accountId, ann.id), before);
    assert.ok(await store.actors.byKey(key.digest));
  });

  test('a link that was created before somebody was disabled does not work', async () => {
    const { store, sql } = fixture();
    const account = await openAccount(store);
    const person = await account.member();
    const link = invitation(store.now() + 600);
    await must(store, 'members/invite', { accountId: account.accountId, email: person.email, link });
    await sql(`update member set disabled = 1 where id = ${person.id}`);

    const used = await store.change('members/sign-in', { digest: link.digest });

    assert.deepEqual(used, fault('not_found'));
    assert.equal(await store.panel.byLink(link.digest), undefined);
  });

  test('the name and the members of an imported department change only by import, until its directory is removed', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const directory = await addDirectory(fixture(), account);
    const people = { a: address(), b: address() };
    await directory.run(shows({ people, groups: { g: ['a'] } }));
    await directory.run(shows({ people: { b: people.b }, groups: { g: ['a'] } }));
    const [department] = await store.departments.list(accountId, page);
    const membership = { accountId, id: department!.id, email: people.b };
    const attempts = async () => [
      await store.change('departments/update', { accountId, id: department!.id, name: unique() }),
      await store.change('departments/member-add', { ...membership, by: owner.id }),
      await store.change('departments/member-remove', membership),
    ];

    const refused = await attempts();
    await must(store, 'directories/remove', { accountId, id: directory.id });
    const allowed = await attempts();

    assert.deepEqual(
      refused.map((each) => isFault(each) && each.code),
      Array(3).fill('from_directory'),
    );
    assert.deepEqual(allowed, [{}, {}, {}]);
    assert.equal((await store.departments.find(accountId, department!.id))?.ldap, false);
    const link = invitation(store.now() + 600);
    await must(store, 'members/invite', { accountId, email: people.a, link });
    assert.notEqual((await store.members.find(accountId, people.a))?.state, 'disabled');
  });

  test('an import is due at its time, for one caller, with the rights of the person who set it up', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const { id } = await addDirectory(fixture(), account, { everyMinutes: 15 });
    const claim = async (...exceptAccounts: number[]) => {
      const claimed = [];
      for (;;) {
        const { due } = await must(store, 'directories/claim', { exceptAccounts });
        if (!due) return claimed.filter((each) => each.accountId === accountId);
        claimed.push(due);
      }
    };

    const early = await claim();
    advance(15 * 60);
    const without = await claim(accountId);
    const [first, second] = await Promise.all([claim(), claim()]);

    assert.deepEqual([early, without], [[], []]);
    assert.deepEqual([...first, ...second], [{ accountId, id, by: owner.id }]);
  });

  test('the directory that has been due for longest comes first', async () => {
    const { store, advance } = fixture();
    const [account, other] = [await openAccount(store), await openAccount(store)];
    const late = await addDirectory(fixture(), account, { everyMinutes: 30 });
    const { id } = await addDirectory(fixture(), other, { everyMinutes: 15 });
    advance(30 * 60);

    const seen: number[] = [];
    for (;;) {
      const { due } = await must(store, 'directories/claim', { exceptAccounts: [] });
      if (!due) break;
      seen.push(due.id);
    }

    assert.deepEqual(
      seen.filter((each) => [late.id, id].includes(each)),
      [id, late.id],
    );
  });

  test('an account can have 100 directories', async () => {
    const account = await openAccount(fixture().store);
    const { accountId, owner } = account;
    for (let count = 0; count < 100; count++) await addDirectory(fixture(), account);

    const created = { accountId, by: owner.id, bindPassword: 'secret', settings: directorySettings };
    const refused = await fixture().store.change('directories/create', created);

    assert.ok(isFault(refused) && refused.code === 'too_many_directories');
    assert.equal((await fixture().store.directories.list(accountId)).length, 100);
  });

  test('the directory checks the password of its people if a server administrator has turned that on', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const refused = await store.change('directories/create', {
      accountId,
      by: owner.id,
      bindPassword: 'secret',
      settings: { ...directorySettings, signIn: true },
    });
    await must(store, 'operators/add', { member: { accountId, id: owner.id } });
    const directory = await addDirectory(fixture(), account, { signIn: true });
    const people = { a: address(), b: address() };
    await directory.run(shows({ people, groups: { g: ['a'] } }));
    const [ann, bob] = await Promise.all(
      Object.values(people).map(async (email) => (await store.members.find(accountId, email))!),
    );
    await must(store, 'members/password', { accountId, memberId: ann!.id, password: 'a hash', keep: 0 });
    const checkedBy = async (email: string) =>
      (await store.panel.byEmail(email)).map(({ password, directory: of }) => [password, of?.uid]);
    const all = async () => [await checkedBy(people.a), await checkedBy(people.b)];
    const update = (by: number, signIn: boolean) =>
      store.change('directories/update', { accountId, by, id: directory.id, settings: { signIn } });
    const forgot = (email: string) =>
      store.change('members/reset', { accountId, email, link: invitation(store.now() + 600), forget: false });

    const ofOwner = await all();
    const session = { digest: someDigest(), address: '', userAgent: '' };
    await must(store, 'panel/sessions/open', { accountId, memberId: bob!.id, session });
    const mailed = await forgot(people.b);
    const byBob = [await update(bob!.id, true), await update(bob!.id, false)];
    const off = await all();
    await must(store, 'operators/remove', { member: { accountId, id: owner.id }, evenLast: false });

    assert.deepEqual(ofOwner, [[[null, 'a']], [[null, 'b']]]);
    assert.equal((await store.members.find(accountId, people.b))?.state, 'active');
    assert.ok(isFault(mailed) && mailed.code === 'from_directory');
    assert.ok([refused, byBob[0]].every((each) => isFault(each) && each.field === 'sign_in'));
    assert.deepEqual(byBob[1], {});
    assert.deepEqual(off, [[['a hash', undefined]], []]);
    const factors = await store.panel.factors({ accountId, memberId: bob!.id });
    assert.deepEqual([factors.password, factors.directory], [false, false]);
  });
}
