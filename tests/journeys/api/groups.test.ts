/** Groups of devices, through the public API, on both databases. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestPerson } from '../../kit/server/account.ts';
import { databases } from '../../kit/server/database.ts';
import { startService, type TestService } from '../../kit/server/service.ts';

const names = async (person: TestPerson): Promise<string[]> =>
  (await person.call('groups/list')).body['data'].map((group: { name: string }) => group.name);
const groupOf = async (person: TestPerson, agent_id: number): Promise<string> =>
  (await person.call('agents/info', { agent_id })).body['data'].group;

for (const { kind, skip } of databases)
  describe(`groups on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    test('groups are listed in their order, new ones last', async () => {
      const { owner } = await service.account();
      for (const [name, order] of [
        ['last', 20],
        ['first', 1],
        ['next', undefined],
        ['also first', 1],
      ] as const)
        await owner.call('groups/create', { name, order });

      assert.deepEqual(await names(owner), ['first', 'also first', 'last', 'next']);
    });

    test('a group may be put before all others with a negative number', async () => {
      const { owner } = await service.account();
      for (const [name, order] of [
        ['zero', 0],
        ['least', -2_147_483_648],
        ['most', 2_147_483_647],
        ['below', -1],
      ] as const)
        assert.equal((await owner.call('groups/create', { name, order })).body.status, 0, name);

      assert.deepEqual(await names(owner), ['least', 'below', 'zero', 'most']);
      for (const order of [-2_147_483_649, 2_147_483_648])
        assert.equal((await owner.call('groups/create', { name: 'beyond', order })).http, 400);
    });

    test('a group is renamed and moved independently', async () => {
      const { owner } = await service.account();
      await owner.call('groups/create', { name: 'one', order: 1 });
      const { body } = await owner.call('groups/create', { name: 'two', order: 2 });
      assert.deepEqual([body.status, Object.keys(body)], [0, ['status', 'id']]);
      const id = body['id'] as number;

      assert.deepEqual((await owner.call('groups/edit', { id, name: 'TWO' })).body, { status: 0 });
      assert.deepEqual(await names(owner), ['one', 'TWO']);
      assert.deepEqual((await owner.call('groups/edit', { id, order: 0 })).body, { status: 0 });

      assert.deepEqual(await names(owner), ['TWO', 'one']);
    });

    test('the devices of a removed group stay, without a group and without its permissions', async () => {
      const account = await service.account();
      const group = await account.group('attic');
      const { id } = await account.agent({ groupId: group });
      const technician = await account.member([
        { type: 'group', groupId: group, permissions: ['agent_connect'] },
      ]);
      assert.equal(await groupOf(technician, id), 'attic');

      assert.deepEqual((await account.owner.call('groups/remove', { id: group })).body, { status: 0 });

      assert.equal(await groupOf(account.owner, id), '');
      assert.equal((await technician.call('agents/info', { agent_id: id })).http, 403);
      assert.equal((await account.owner.call('groups/remove', { id: group })).body.status, 6);
    });

    test('a device is in one group at a time, moves, and leaves it', async () => {
      const account = await service.account();
      const [attic, cellar] = [await account.group('attic'), await account.group('cellar')];
      const { id } = await account.agent();
      const { owner } = account;

      await owner.call('groups/agent/insert', { id: attic, agent_id: id });
      assert.equal(await groupOf(owner, id), 'attic');
      await owner.call('groups/agent/insert', { id: cellar, agent_id: id });
      assert.equal(await groupOf(owner, id), 'cellar');
      assert.deepEqual((await owner.call('groups/agent/remove', { agent_id: id })).body, { status: 0 });
      assert.equal(await groupOf(owner, id), '');

      assert.deepEqual((await owner.call('groups/agent/remove', { agent_id: id })).body, { status: 0 });
    });

    test('devices are listed by group and found by the name of their group', async () => {
      const account = await service.account();
      const group = await account.group('Büro Süd');
      const { id } = await account.agent({ groupId: group });
      await account.agent();
      const ids = async (params: object) =>
        (await account.owner.call('agents/list', params as never)).body['data'].map(
          (agent: { id: number }) => agent.id,
        );

      assert.deepEqual(await ids({ group_id: String(group) }), [id]);
      assert.deepEqual(await ids({ search: 'BÜRO' }), [id]);
      assert.deepEqual(await ids({ group_id: '987654321' }), []);
      assert.deepEqual(await ids({ group_id: '' }), await ids({ search: '' }));
      assert.deepEqual(await ids({ group_id: '' }), await ids({}));
    });

    test('a group is renamed and its devices show the new name at once', async () => {
      const account = await service.account();
      const group = await account.group('before');
      const { id } = await account.agent({ groupId: group });
      assert.equal(await groupOf(account.owner, id), 'before');

      await account.owner.call('groups/edit', { id: group, name: 'after' });

      assert.equal((await account.owner.call('agents/list')).body['data'][0].group, 'after');
      assert.equal(await groupOf(account.owner, id), 'after');
    });

    test('technicians see the groups in which they see a device; those who add devices see all', async () => {
      const account = await service.account();
      const [attic, cellar] = [await account.group('attic'), await account.group('cellar')];
      await account.group('empty');
      const { id } = await account.agent({ groupId: attic });
      await account.agent({ groupId: cellar });
      const [one, whole, section, nobody] = [
        await account.member([{ type: 'agent', agentId: id, permissions: ['agent_preview'] }]),
        await account.member([{ type: 'group', groupId: cellar, permissions: ['agent_connect'] }]),
        await account.member([{ type: 'team', permissions: ['team_permanent_access'] }]),
        await account.member(),
      ];

      assert.deepEqual(await names(one), ['attic']);
      assert.deepEqual(await names(whole), ['cellar']);
      assert.deepEqual(await names(section), ['attic', 'cellar', 'empty']);
      assert.deepEqual(await names(nobody), []);
    });

    test('a group role covers the devices that are in the group now', async () => {
      const account = await service.account();
      const group = await account.group();
      const [inside, outside] = [await account.agent({ groupId: group }), await account.agent()];
      const technician = await account.member([
        { type: 'group', groupId: group, permissions: ['agent_connect'] },
      ]);
      const seen = async () =>
        (await technician.call('agents/list')).body['data'].map((agent: { id: number }) => agent.id);
      assert.deepEqual(await seen(), [inside.id]);

      await account.owner.call('groups/agent/insert', { id: group, agent_id: outside.id });
      assert.deepEqual(await seen(), [inside.id, outside.id]);
      await account.owner.call('groups/agent/remove', { agent_id: inside.id });

      assert.deepEqual(await seen(), [outside.id]);
    });

    test('nobody gains permissions on a device by moving it into a group', async () => {
      const account = await service.account();
      const group = await account.group();
      const { id } = await account.agent();
      const mover = await account.member([
        { type: 'agent', agentId: id, permissions: ['agent_change_settings'] },
        { type: 'group', groupId: group, permissions: ['agent_change_settings', 'agent_control'] },
      ]);

      const { http, body } = await mover.call('groups/agent/insert', { id: group, agent_id: id });

      assert.deepEqual([http, body.status, body.error?.code], [403, 8, 'beyond_own_rights']);
      assert.equal(await groupOf(account.owner, id), '');
    });

    test('groups that do not exist, or belong to another account, are not found', async () => {
      const [account, other] = [await service.account(), await service.account()];
      const [mine, foreign] = [await account.group(), await other.group()];
      const [agent, outsider] = [await account.agent(), await other.agent()];
      const ask = async (id: number, agent_id: number) => {
        const { http, body } = await account.owner.call('groups/agent/insert', { id, agent_id });
        return [http, body.status];
      };

      assert.deepEqual(await ask(foreign, agent.id), [403, 6]);
      assert.deepEqual(await ask(mine, outsider.id), [403, 6]);
      assert.deepEqual(await ask(987_654_321, agent.id), [403, 6]);
      assert.equal((await account.owner.call('groups/edit', { id: foreign, name: 'mine' })).body.status, 6);
      assert.equal(await groupOf(other.owner, outsider.id), '');
    });
  });
