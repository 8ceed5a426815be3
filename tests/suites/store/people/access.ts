/**
 * Part of the store's suite: the detailed view of grants, for those who review the permissions of a whole
 * account.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAccount, type StoreFixture } from '../fixture.ts';

export function accessSuite(fixture: () => StoreFixture): void {
  test('grants are listed with their names, and for a device its holders', async () => {
    const { store } = fixture();
    const [account, other] = [await openAccount(store), await openAccount(store)];
    const { accountId, owner } = account;
    const groupId = await account.group('Office');
    const { id } = await account.agent({ groupId, name: 'Desk' });
    const ann = await account.member();
    const departmentId = await account.department('Sales');
    await account.join(departmentId, ann);
    const [direct, shared] = [
      await account.role('agent', ['agent_reboot'], 'Rebooter'),
      await account.role('group', ['agent_connect'], 'Viewer'),
    ];
    await account.grant({ email: ann.email }, direct, { agentId: id });
    await account.grant({ departmentId }, shared, { groupId });

    const all = await store.access.all(accountId, {});
    const some = [
      { agentId: id },
      { groupId },
      { roleId: shared },
      { roleId: shared, agentId: id },
      { email: ann.email.toUpperCase() },
      { departmentId },
    ];
    const found = await Promise.all(some.map((filter) => store.access.all(accountId, filter)));
    const holders = await store.access.holders(accountId, { id, groupId });
    const counts = [
      await store.access.counts(accountId, 'role_id'),
      await store.access.counts(accountId, 'department_id'),
    ];

    const none = {
      email: null,
      name: null,
      departmentId: null,
      department: null,
      system: false,
      until: null,
    };
    const [onAgent, onGroup] = [
      { agentId: id, agent: 'Desk', groupId: null, group: null },
      { agentId: null, agent: null, groupId, group: 'Office' },
    ];
    assert.deepEqual(all, [
      { ...none, roleId: direct, role: 'Rebooter', type: 'agent', ...onAgent, email: ann.email, name: '' },
      {
        ...none,
        roleId: shared,
        role: 'Viewer',
        type: 'group',
        ...onGroup,
        departmentId,
        department: 'Sales',
      },
    ]);
    assert.deepEqual(found, [[all[0]], [all[1]], [all[1]], [], [all[0]], [all[1]]]);
    assert.deepEqual(
      counts.map((each) => [...each].toSorted(([one], [two]) => one - two)),
      [
        [
          [direct, 1],
          [shared, 1],
        ],
        [[departmentId, 1]],
      ],
    );
    assert.deepEqual(
      holders.map(({ memberId, grants }) => [memberId, grants.map(({ roleId }) => roleId)]),
      [
        [owner.id, []],
        [ann.id, [direct, shared]],
      ],
    );
    assert.deepEqual(await store.access.all(other.accountId, {}), []);
    assert.equal((await store.access.counts(other.accountId, 'role_id')).size, 0);
  });

  test('devices are listed by name within a scope, and by number', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const groupId = await account.group();
    const [one, two] = [await account.agent({ groupId, name: 'one' }), await account.agent({ name: 'two' })];

    const all = await store.access.devices(accountId, 'all');
    const some = await store.access.devices(accountId, { agentIds: [], groupIds: [groupId] });
    const listed = await store.agents.list(
      { accountId, memberId: owner.id },
      { scope: 'all', ids: [two.id, 1] },
    );

    assert.deepEqual(all, [
      { id: one.id, name: 'one', groupId },
      { id: two.id, name: 'two', groupId: null },
    ]);
    assert.deepEqual(some, [all[0]]);
    assert.deepEqual(
      listed.map(({ id }) => id),
      [two.id],
    );
  });
}
