/** Part of the store's suite: people and departments that identity providers look after, and their tokens. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, isFault } from '@drawbridge/contract/faults';
import { must } from '../../../kit/server/account.ts';
import { openAccount, someDigest, unique, type StoreFixture } from '../fixture.ts';
import { addDirectory, address, shows } from './directory-fixture.ts';
import { someUser } from './provisioning-fixture.ts';

const codeOf = (outcome: object) => (isFault(outcome) ? `${outcome.fault} ${outcome.code ?? ''}` : 'done');

export function provisioningSuite(fixture: () => StoreFixture): void {
  const provided = async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const caller = { accountId: account.accountId, tokenId: await account.scimToken() };
    const add = (email: string) => must(store, 'scim/user-create', { ...caller, content: someUser(email) });
    return { store, account, caller, add, ...account };
  };

  test('tokens are found by their digest, listed, used and removed, up to a limit', async () => {
    const { store, accountId, account, caller } = await provided();
    const digest = someDigest();
    const token = { digest, prefix: 'abc', name: 'Entra', expireTime: store.now() + 9 };
    const { id } = await must(store, 'scim/token-create', { accountId, memberId: account.owner.id, token });

    await must(store, 'scim/token-used', { accountId, id });
    const holder = await store.provisioning.byToken(digest);
    const listed = await store.provisioning.tokens(accountId);
    const removed = [
      await store.change('scim/token-remove', { accountId, id }),
      await store.change('scim/token-remove', { accountId, id }),
    ];
    for (let count = 1; count < 20; count += 1) await account.scimToken();
    const tooMany = { digest: someDigest(), prefix: '', name: '', expireTime: null };

    assert.equal(holder?.lastUsedTime, store.now());
    assert.equal(holder?.actor?.memberId, account.owner.id);
    assert.deepEqual(
      listed.map((each) => each.id),
      [caller.tokenId, id],
    );
    assert.deepEqual(removed, [{}, fault('not_found', { field: 'id' })]);
    assert.equal(await store.provisioning.byToken(digest), undefined);
    const more = await store.change('scim/token-create', {
      accountId,
      memberId: account.owner.id,
      token: tooMany,
    });
    assert.equal(codeOf(more), 'invalid ');
  });

  test('people are created, changed, found, deleted and brought back with their rights', async () => {
    const { store, accountId, account, caller, add } = await provided();
    const [email, moved] = [address(), address()];
    const user = await add(email);
    await account.grant({ email }, await account.role('team', ['team_api_key']));
    const content = someUser(moved, {
      userName: email,
      externalId: 'x',
      active: false,
      profile: { title: 'T', emails: [{ value: moved }] },
    });

    const updated = await must(store, 'scim/user-update', { ...caller, id: user.id, edit: { content } });
    const off = await store.actors.byId(accountId, user.id);
    const operations = [{ op: 'replace', path: 'active', value: 'True' }] as const;
    await must(store, 'scim/user-update', { ...caller, id: user.id, edit: { operations } });
    const on = await store.actors.byId(accountId, user.id);
    const found = await store.provisioning.users(
      accountId,
      { limit: 9 },
      { externalId: 'x', userName: email },
    );
    const counts = await store.provisioning.counts(accountId);
    await must(store, 'scim/user-remove', { ...caller, id: user.id });
    const hidden = await store.provisioning.users(accountId, { limit: 9 }, { ids: [user.id] });
    const total = await store.provisioning.countUsers(accountId);
    const back = await must(store, 'scim/user-create', { ...caller, content: someUser(moved) });

    assert.deepEqual([updated.email, updated.active, off], [moved, false, undefined]);
    assert.equal(on?.grants.length, 1);
    assert.deepEqual(found, [{ ...updated, active: true }]);
    assert.deepEqual(counts, { people: 1, departments: 0 });
    assert.deepEqual([hidden, total], [[], 1]);
    assert.equal(back.id, user.id);
    assert.equal((await store.actors.byId(accountId, user.id))?.grants.length, 1);
  });

  test('nobody whom the provider disabled or deleted comes back by an invitation, a link or a directory', async () => {
    const { store, accountId, account, caller, add } = await provided();
    const directory = await addDirectory(fixture(), account, { adopt: true });
    const link = () => ({ digest: someDigest(), expireTime: store.now() + 600 });
    const [disabled, deleted] = [await add(address()), await add(address())];
    const emails = [disabled.email, deleted.email];
    const open = [link(), link()];
    for (const [at, email] of emails.entries())
      await must(store, 'members/invite', { accountId, email, link: open[at]! });

    const operations = [{ op: 'replace', path: 'active', value: false }] as const;
    await must(store, 'scim/user-update', { ...caller, id: disabled.id, edit: { operations } });
    await must(store, 'scim/user-remove', { ...caller, id: deleted.id });
    const attempts = await Promise.all([
      ...emails.map((email) => store.change('members/invite', { accountId, email, link: link() })),
      ...open.map(({ digest }) => store.change('members/sign-in', { digest })),
    ]);
    const imported = { people: { a: disabled.email, b: deleted.email, c: address() } };
    for (let runs = 0; runs < 2; runs += 1) await directory.run(shows(imported));
    const members = await Promise.all(emails.map((email) => store.members.find(accountId, email)));
    await must(store, 'scim/token-remove', { accountId, id: caller.tokenId });
    const local = await store.change('members/invite', { accountId, email: deleted.email, link: link() });

    assert.deepEqual(attempts.map(codeOf), [
      'invalid disabled',
      'invalid disabled',
      'not_found ',
      'not_found ',
    ]);
    assert.deepEqual(
      members.map((each) => each?.state),
      ['disabled', 'disabled'],
    );
    assert.equal(codeOf(local), 'done');
  });

  test('addresses and user names are unique, and some people are protected', async () => {
    const { store, accountId, account, caller, add } = await provided();
    const [one, other] = [await add(address()), await add(address())];
    const directory = await addDirectory(fixture(), account);
    const fromThere = address();
    await directory.run(shows({ people: { a: fromThere } }));
    const imported = (await store.members.find(accountId, fromThere))!;
    const update = async (id: number, content: ReturnType<typeof someUser>) =>
      codeOf(await store.change('scim/user-update', { ...caller, id, edit: { content } }));
    const remove = async (id: number) => codeOf(await store.change('scim/user-remove', { ...caller, id }));

    assert.equal(
      codeOf(await store.change('scim/user-create', { ...caller, content: someUser(one.email) })),
      'invalid uniqueness',
    );
    assert.equal(await update(one.id, someUser(other.email)), 'invalid uniqueness');
    assert.equal(await update(2 ** 52, someUser(address())), 'not_found ');
    assert.equal(await remove(2 ** 52), 'not_found ');
    assert.equal(await update(account.owner.id, someUser(address())), 'forbidden protected_person');
    assert.equal(await remove(account.owner.id), 'forbidden protected_person');
    assert.equal(await remove(imported.id), 'forbidden from_directory');
  });

  test('departments are created, changed, found and deleted, and keep their roles', async () => {
    const { store, accountId, caller, add } = await provided();
    const user = await add(address());
    const members = [{ kind: 'set', ids: [user.id] }] as const;
    const name = unique();
    const edit = { name, externalId: 'g', members };
    const group = await must(store, 'scim/group-create', { ...caller, edit });
    const { id } = group;

    const lookup = { name: name.toUpperCase(), externalId: 'g', ids: [id], memberId: user.id };
    const found = await store.provisioning.groups(accountId, { limit: 9 }, lookup);
    const inside = await store.provisioning.membersOf(accountId, [id], 9);
    const groups = await store.provisioning.groupsOf(accountId, [user.id], 9);
    const cutMembers = await store.provisioning.membersOf(accountId, [id], 0);
    const cutGroups = await store.provisioning.groupsOf(accountId, [user.id], 0);
    const outcomes = [
      await store.change('scim/group-create', { ...caller, edit }),
      await store.change('scim/group-update', { ...caller, id: 2 ** 52, edit }),
      await store.change('scim/group-update', {
        ...caller,
        id,
        edit: { members: [{ kind: 'add', ids: [2 ** 52] }] },
      }),
      await store.change('scim/group-remove', { ...caller, id: 2 ** 52 }),
      await store.change('departments/update', { accountId, id, name: 'Mine' }),
      await store.change('scim/group-update', {
        ...caller,
        id,
        edit: { members: [{ kind: 'remove', ids: [user.id] }] },
      }),
      await store.change('scim/group-remove', { ...caller, id }),
    ].map(codeOf);

    assert.deepEqual(found, [group]);
    assert.deepEqual([cutMembers.cutAt, cutGroups.cutAt, cutMembers.lists.size], [id, user.id, 0]);
    assert.deepEqual(inside.lists.get(id), [{ id: user.id, name: user.email }]);
    assert.deepEqual(groups.lists.get(user.id), [{ id, name }]);
    assert.deepEqual(outcomes, [
      'invalid uniqueness',
      'not_found ',
      'invalid invalid_value',
      'not_found ',
      'invalid provisioned',
      'done',
      'done',
    ]);
    assert.equal(await store.provisioning.countGroups(accountId), 0);
    assert.equal((await store.departments.find(accountId, id))?.name, name);
  });

  test('a token acts with the rights that its creator has at that moment', async () => {
    const { store, accountId, account, caller, add } = await provided();
    const admin = await account.member();
    const roleId = await account.role('team', ['team_user_admin']);
    await account.grant({ email: admin.email }, roleId);
    const own = { accountId, tokenId: await account.scimToken(admin.id) };
    const user = await add(address());
    const group = await must(store, 'scim/group-create', {
      ...caller,
      edit: { name: unique(), members: [] },
    });
    await account.grant({ departmentId: group.id }, await account.role('team', ['team_billing_admin']));
    const { id: agentId } = await account.agent();
    const onDevice = await must(store, 'scim/group-create', {
      ...caller,
      edit: { name: unique(), members: [] },
    });
    const control = await account.role('agent', ['agent_control']);
    await account.grant({ departmentId: onDevice.id }, control, { agentId });
    const join = async (id: number, who: number, by = own) =>
      codeOf(
        await store.change('scim/group-update', {
          ...by,
          id,
          edit: { members: [{ kind: 'add', ids: [who] }] },
        }),
      );

    const joined = [
      await join(group.id, user.id),
      await join(onDevice.id, admin.id),
      await join(onDevice.id, user.id),
      await join(group.id, user.id, caller),
    ];
    await must(store, 'roles/remove', { accountId, id: roleId });
    const content = someUser(address());
    const lost = [
      await store.change('scim/user-create', { ...own, content }),
      await store.change('scim/user-update', { ...own, id: user.id, edit: { content } }),
      await store.change('scim/user-remove', { ...own, id: user.id }),
      await store.change('scim/group-create', { ...own, edit: { name: unique(), members: [] } }),
      await store.change('scim/group-remove', { ...own, id: group.id }),
    ].map(codeOf);

    const beyond = 'forbidden beyond_own_rights';
    assert.deepEqual(joined, [beyond, beyond, 'done', 'done']);
    assert.deepEqual(lost, Array(5).fill('forbidden token_lost_rights'));
  });
}
