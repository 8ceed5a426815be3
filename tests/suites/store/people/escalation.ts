/**
 * Part of the store's suite: nobody gives themselves more than they hold, not even with two changes at once.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFault } from '@drawbridge/contract/faults';
import type { Permission } from '@drawbridge/contract/permissions';
import type { PermanentLinkUpdate } from '@drawbridge/server/domain/sessions/links';
import { devicePermissions } from '@drawbridge/server/domain/sessions/sessions';
import { openAccount, type StoreAccount, type StoreFixture } from '../fixture.ts';

const forbidden = (outcome: unknown): boolean =>
  isFault(outcome) && outcome.fault === 'forbidden' && outcome.code === 'beyond_own_rights';

/** A member who manages the team and holds nothing else. */
async function administrator(account: StoreAccount, ...more: Permission[]) {
  const person = await account.member();
  await account.grant({ email: person.email }, await account.role('team', ['team_user_admin', ...more]));
  return person;
}

export function escalationSuite(fixture: () => StoreFixture): void {
  test('an administrator cannot grant, edit, join or move into permissions of their own', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const ann = await administrator(account);
    const [groupId, device] = [await account.group(), await account.agent()];
    const onGroup = await account.role('group', ['agent_control']);
    const held = await account.role('agent', ['agent_chat']);
    const [strong, weak] = [await account.department(), await account.department()];
    await account.grant({ email: ann.email }, held, { agentId: device.id });
    await account.grant({ departmentId: strong }, onGroup, { groupId });
    const base = { accountId, by: ann.id };
    const { id: source } = await account.agent();
    await account.grant({ departmentId: weak }, await account.role('agent', ['agent_reboot']), {
      agentId: source,
    });
    await account.join(weak, ann);
    const before = await store.actors.byId(accountId, ann.id);

    const outcomes = [
      await store.change('access/add', { ...base, holder: { email: ann.email }, roleId: onGroup, groupId }),
      await store.change('roles/edit', { ...base, id: held, permissions: ['agent_chat', 'agent_reboot'] }),
      await store.change('departments/member-add', { ...base, id: strong, email: ann.email }),
      await store.change('agents/merge', { ...base, sourceId: source, targetId: device.id }),
    ];

    assert.deepEqual(outcomes.map(forbidden), [true, true, true, true]);
    assert.deepEqual(await store.actors.byId(accountId, ann.id), before);
    assert.ok(await account.agentOf(source));
  });

  test("nobody who holds less than a device's password gives can set it, or enable the link that uses it", async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const ann = await account.member();
    const { id } = await account.agent();
    const roleId = await account.role('agent', [
      'agent_change_settings',
      ...devicePermissions.slice(1),
    ] as Permission[]);
    await account.grant({ email: ann.email }, roleId, { agentId: id });
    const update = (by: number, permanent: PermanentLinkUpdate) =>
      store.change('agents/update', { accountId, by, id, permanent });
    const stateOf = async () => {
      const agent = await account.agentOf(id);
      return [agent?.permanentEnabled, agent?.permanentPassword];
    };

    const first = await update(ann.id, { enable: true, password: 'of ann' });
    await update(owner.id, { enable: true, password: 'of the owner' });
    const second = await update(ann.id, { password: 'of ann' });
    const harmless = [await update(ann.id, { enable: true, url: `desk-${id}` }), await stateOf()];
    const closed = [await update(ann.id, { enable: false }), await stateOf()];
    const reopened = await update(ann.id, { enable: true });
    const ofNobody = await update(2 ** 52, { enable: true });

    assert.deepEqual([first, second, reopened, ofNobody].map(forbidden), [true, true, true, true]);
    assert.deepEqual(harmless, [{}, [true, 'of the owner']]);
    assert.deepEqual(closed, [{}, [false, 'of the owner']]);
    assert.deepEqual(await stateOf(), [false, 'of the owner']);
    const rest = await account.role('agent', [devicePermissions[0]] as Permission[]);
    await account.grant({ email: ann.email }, rest, { agentId: id });
    assert.deepEqual(await update(ann.id, { enable: true, password: 'of ann' }), {});
    assert.deepEqual(await stateOf(), [true, 'of ann']);
  });

  test('moving a device into a group in which the mover holds more is refused', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const ann = await account.member();
    const [groupId, device] = [await account.group(), await account.agent()];
    await account.grant({ email: ann.email }, await account.role('group', ['agent_control']), { groupId });

    const outcome = await store.change('agents/move', { accountId, by: ann.id, id: device.id, groupId });

    assert.ok(forbidden(outcome));
    assert.equal((await account.agentOf(device.id))?.groupId, null);
  });

  test('nobody hands out a team permission that they do not hold', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const [ann, bob] = [await administrator(account), await account.member()];
    const billing = await account.role('team', ['team_billing_admin']);
    const given = await account.role('team', []);
    const department = await account.department();
    await account.grant({ email: bob.email }, given);
    await account.grant({ departmentId: department }, billing);
    const base = { accountId, by: ann.id };

    const outcomes = [
      await store.change('access/add', { ...base, holder: { email: bob.email }, roleId: billing }),
      await store.change('roles/edit', { ...base, id: given, permissions: ['team_billing_admin'] }),
      await store.change('departments/member-add', { ...base, id: department, email: bob.email }),
    ];

    assert.deepEqual(outcomes.map(forbidden), [true, true, true]);
    assert.deepEqual(
      (await store.actors.byId(accountId, bob.id))?.grants.flatMap((grant) => [...grant.permissions]),
      [],
    );
  });

  test('two changes at the same moment cannot together give what neither may give alone', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const ann = await administrator(account);
    const base = { accountId, by: ann.id };
    const onGroup = await account.role('group', ['agent_control']);

    for (let round = 0; round < 20; round++) {
      const [department, groupId] = [await account.department(), await account.group()];
      const outcomes = await Promise.all([
        store.change('departments/member-add', { ...base, id: department, email: ann.email }),
        store.change('access/add', {
          ...base,
          holder: { departmentId: department },
          roleId: onGroup,
          groupId,
        }),
      ]);

      assert.equal(outcomes.filter(forbidden).length, 1, `round ${round}`);
    }
  });

  test('a role that is removed while it is granted is granted and gone, or not found', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const holder = { email: (await account.member()).email };

    for (let round = 0; round < 10; round++) {
      const roleId = await account.role('team', []);
      const [granted, removed] = await Promise.all([
        store.change('access/add', { accountId, by: owner.id, holder, roleId }),
        store.change('roles/remove', { accountId, id: roleId }),
      ]);

      assert.deepEqual(removed, {});
      assert.ok(!isFault(granted) || granted.fault === 'not_found');
      assert.equal(await store.roles.find(accountId, roleId), undefined);
    }
  });
}
