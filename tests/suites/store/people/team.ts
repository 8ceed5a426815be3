/** Part of the store's suite: groups, roles and granted roles. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, isFault } from '@drawbridge/contract/faults';
import type { GrantInput } from '@drawbridge/server/store/changes';
import { openAccount, type StoreFixture } from '../fixture.ts';

const page = { offset: 0, limit: 100 };
/** Larger than any id. */
const nobody = 2 ** 52;

export function teamSuite(fixture: () => StoreFixture): void {
  test('groups are listed in their order, and a new one comes last unless specified otherwise', async () => {
    const { store } = fixture();
    const { accountId, group } = await openAccount(store);
    const [b, c] = [await group('b'), await group('c')];
    const a = await group('a', 0);
    const names = async () => (await store.groups.list(accountId, 'all')).map((each) => each.name);

    assert.deepEqual(await names(), ['b', 'a', 'c']);
    assert.deepEqual(await store.change('groups/edit', { accountId, id: b, order: 7 }), {});
    assert.deepEqual(await store.change('groups/edit', { accountId, id: a, name: 'A' }), {});
    assert.deepEqual(await names(), ['A', 'c', 'b']);
    assert.deepEqual(await store.groups.find(accountId, c), { id: c, accountId, name: 'c' });
    assert.deepEqual(await store.change('groups/remove', { accountId, id: c }), {});
    assert.equal(await store.groups.find(accountId, c), undefined);
  });

  test('groups that are sorted get new positions, and others keep theirs', async () => {
    const { store } = fixture();
    const { accountId, group } = await openAccount(store);
    const [a, b, c, d] = [await group('a'), await group('b'), await group('c', 1), await group('d', 9)];
    const order = (...ids: number[]) => store.change('groups/order', { accountId, ids });
    const listed = async () => (await store.groups.list(accountId, 'all')).map(({ id }) => id);
    assert.deepEqual(await listed(), [a, b, c, d]);

    assert.deepEqual(await order(d, b), {});
    assert.deepEqual(await listed(), [a, d, c, b]);
    for (const wrong of [
      [a, a],
      [a, nobody],
    ])
      assert.equal(isFault(await order(...wrong)), true);
    assert.deepEqual(await order(b, c, d, a), {});
    assert.deepEqual(await listed(), [b, c, d, a]);
  });

  test('a group that does not exist, or is another account’s, is not found', async () => {
    const { store } = fixture();
    const [{ accountId }, theirs] = [await openAccount(store), await openAccount(store)];
    const alien = await theirs.group('theirs');

    for (const id of [nobody, alien]) {
      assert.equal(await store.groups.find(accountId, id), undefined);
      assert.deepEqual(await store.change('groups/edit', { accountId, id, name: 'x' }), fault('not_found'));
      assert.deepEqual(
        await store.change('groups/order', { accountId, ids: [id] }),
        fault('not_found', { field: 'ids' }),
      );
      assert.deepEqual(await store.change('groups/remove', { accountId, id }), fault('not_found'));
    }
    assert.deepEqual(await store.groups.list(theirs.accountId, 'all'), [
      { id: alien, accountId: theirs.accountId, name: 'theirs' },
    ]);
  });

  test('a member who sees some devices sees their groups', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const [one, two, three] = [await account.group(), await account.group(), await account.group()];
    const device = await account.agent({ groupId: one });
    await account.agent({ groupId: two });
    await account.agent({ groupId: three });
    const seen = async (agentIds: number[], groupIds: number[]) =>
      (await store.groups.list(account.accountId, { agentIds, groupIds })).map((each) => each.id);

    assert.deepEqual(await seen([device.id], []), [one]);
    assert.deepEqual(await seen([device.id], [three]), [one, three]);
    assert.deepEqual(await seen([], []), []);
  });

  test('roles are found, filtered by type and by name in any case, and paged', async () => {
    const { store } = fixture();
    const { accountId, role } = await openAccount(store);
    const id = await role('agent', ['agent_connect', 'agent_chat'], 'ÄRZTE 50%');
    const names = async (filter: object) =>
      (await store.roles.list(accountId, { ...page, ...filter })).map((each) => each.name);

    assert.deepEqual(await store.roles.find(accountId, id), {
      id,
      name: 'ÄRZTE 50%',
      type: 'agent',
      description: '',
      permissions: ['agent_connect', 'agent_chat'],
      system: false,
    });
    assert.deepEqual(await names({ search: 'ärzte' }), ['ÄRZTE 50%']);
    assert.deepEqual(await names({ search: '5%' }), []);
    assert.deepEqual(await names({ type: 'team' }), ['Team administrator']);
    assert.deepEqual(await names({ offset: 6, limit: 1 }), ['ÄRZTE 50%']);
  });

  test('a role is edited in part; a permission of another type, a system role and an unknown one are refused', async () => {
    const { store } = fixture();
    const { accountId, owner, role } = await openAccount(store);
    const id = await role('team', ['team_api_key'], 'Keys');
    const [system] = await store.roles.list(accountId, page);
    const edit = (given: object) => store.change('roles/edit', { accountId, by: owner.id, id, ...given });

    assert.deepEqual(await edit({ description: 'for keys' }), {});
    assert.deepEqual(await edit({ permissions: ['team_user_admin', 'team_api_key', 'team_api_key'] }), {});
    const kept = await store.roles.find(accountId, id);
    assert.deepEqual([kept?.name, kept?.description], ['Keys', 'for keys']);
    assert.deepEqual(kept?.permissions, ['team_user_admin', 'team_api_key']);
    const stray = await edit({ permissions: ['agent_connect'] });
    assert.ok(isFault(stray) && stray.fault === 'invalid' && stray.field === 'permission');
    const fixed = await edit({ id: system!.id, name: 'x' });
    assert.ok(isFault(fixed) && fixed.code === 'system_role');
    assert.deepEqual(await edit({ id: nobody }), fault('not_found', { field: 'id' }));
    assert.deepEqual((await store.roles.find(accountId, id))?.permissions, kept?.permissions);
  });

  test('a custom role is removed, a system role and another account’s are not', async () => {
    const { store } = fixture();
    const [{ accountId, role }, theirs] = [await openAccount(store), await openAccount(store)];
    const [id, alien] = [await role('team', []), await theirs.role('team', [])];
    const [system] = await store.roles.list(accountId, page);
    const remove = (roleId: number) => store.change('roles/remove', { accountId, id: roleId });

    assert.deepEqual(await remove(id), {});
    assert.deepEqual(await remove(id), fault('not_found', { field: 'id' }));
    assert.deepEqual(await remove(alien), fault('not_found', { field: 'id' }));
    const refused = await remove(system!.id);
    assert.ok(isFault(refused) && refused.code === 'system_role');
    assert.ok(await store.roles.find(theirs.accountId, alien));
  });

  test('a role is granted once, to a member or a department, on what its type requires', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const [ann, department] = [await account.member(), await account.department()];
    const [agent, groupId] = [await account.agent(), await account.group()];
    const [onAgent, onGroup, team] = [
      await account.role('agent', ['agent_connect']),
      await account.role('group', ['agent_connect']),
      await account.role('team', []),
    ];

    await account.grant({ email: ann.email.toUpperCase() }, onAgent, { agentId: agent.id });
    await account.grant({ email: ann.email }, onAgent, { agentId: agent.id });
    await account.grant({ email: ann.email }, team);
    await account.grant({ departmentId: department }, onGroup, { groupId });

    const entry = { system: false, agentId: null, groupId: null, until: null };
    assert.deepEqual(await store.access.ofMember(accountId, ann.id), [
      { ...entry, roleId: onAgent, type: 'agent', agentId: agent.id },
      { ...entry, roleId: team, type: 'team' },
    ]);
    assert.deepEqual(await store.access.ofDepartment(accountId, department), [
      { ...entry, roleId: onGroup, type: 'group', groupId },
    ]);
  });

  test('a grant that names something missing, or what the role does not require, is refused', async () => {
    const { store } = fixture();
    const [ours, theirs] = [await openAccount(store), await openAccount(store)];
    const { accountId, owner } = ours;
    const [ann, device] = [await ours.member(), await ours.agent()];
    const [onAgent, onGroup] = [await ours.role('agent', []), await ours.role('group', [])];
    const right = { holder: { email: ann.email }, roleId: onAgent, agentId: device.id };
    const [alienAgent, alienGroup] = [(await theirs.agent()).id, await theirs.group()];
    const wrong: [string, Partial<GrantInput>][] = [
      ['not_found role_id', { roleId: await theirs.role('agent', []) }],
      ['not_found email', { holder: { email: theirs.owner.email } }],
      ['not_found department_id', { holder: { departmentId: await theirs.department() } }],
      ['not_found agent_id', { agentId: alienAgent }],
      ['not_found group_id', { roleId: onGroup, agentId: undefined, groupId: alienGroup }],
      ['invalid agent_id', { agentId: undefined }],
      ['invalid group_id', { groupId: await ours.group() }],
      ['invalid agent_id', { roleId: onGroup, groupId: await ours.group() }],
    ];

    for (const [expected, given] of wrong)
      for (const change of ['access/add', 'access/remove'] as const) {
        const refused = await store.change(change, { accountId, by: owner.id, ...right, ...given });
        assert.equal(isFault(refused) && `${refused.fault} ${refused.field}`, expected, change);
      }
    assert.deepEqual(await store.access.ofMember(accountId, ann.id), []);
  });

  test('a grant is removed once, and only that one', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const [ann, bob] = [await account.member(), await account.member()];
    const [one, two] = [await account.agent(), await account.agent()];
    const roleId = await account.role('agent', ['agent_chat']);
    for (const [{ email }, agent] of [
      [ann, one],
      [ann, two],
      [bob, one],
    ] as const)
      await account.grant({ email }, roleId, { agentId: agent.id });
    const remove = () =>
      store.change('access/remove', {
        accountId,
        by: owner.id,
        holder: { email: ann.email },
        roleId,
        agentId: one.id,
      });

    const again = fault('not_found', { field: 'role_id', message: 'This role is not granted there.' });
    assert.deepEqual([await remove(), await remove()], [{}, again]);
    assert.deepEqual(
      (await store.access.ofMember(accountId, ann.id)).map((each) => each.agentId),
      [two.id],
    );
    assert.equal((await store.access.ofMember(accountId, bob.id)).length, 1);
  });
}
