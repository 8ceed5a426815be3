/** The device list of the panel: which devices, and what may be done on each. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { panel } from '@drawbridge/contract/panel/index';
import { permissionIds } from '@drawbridge/contract/permissions';
import { must } from '../kit/server/account.ts';
import { databases } from '../kit/server/database.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { openSignedInPanel } from '../kit/server/panel.ts';

interface Shown {
  rights: string[][];
  data: { id: number; rights: number; [field: string]: unknown }[];
}

for (const { kind, skip } of databases)
  describe(`the device list of the panel on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => void (service = await startService({ database: kind })));
    after(() => service[Symbol.asyncDispose]());

    const listOf = async (
      account: { id: number },
      person: { id: number },
      params: Record<string, unknown> = {},
    ): Promise<Shown> => {
      const answer = await (await openSignedInPanel(service, account, person)).ask('devices', params);
      assert.equal(answer.http, 200);
      panel.devices.output.parse(answer.body);
      return answer.body as unknown as Shown;
    };
    const idsOf = ({ data }: Shown): number[] => data.map(({ id }) => id);

    test('a device is listed with everything that is searched, filtered and offered', async () => {
      const account = await service.account();
      const group = await account.group();
      const { id, deviceId } = await account.agent({
        name: 'Zoë "1"',
        groupId: group,
        os: 'win',
        osUser: 'OFFICE\\zoe',
        version: '1.2.3',
        geo: { ip: '203.0.113.9', country: 'Sweden', region: '', city: '' },
      });
      await service.plugIn(id);
      await account.owner.call('agents/favorite', { id, favorite: true });

      const { rights, data } = await listOf(account, account.owner);

      const now = service.server.store.now();
      assert.deepEqual(rights, [permissionIds('agent')]);
      assert.deepEqual(data, [
        {
          id,
          device_id: deviceId,
          name: 'Zoë "1"',
          os: 'win',
          os_user: 'OFFICE\\zoe',
          ip: '203.0.113.9',
          country: 'Sweden',
          version: '1.2.3',
          group_id: group,
          online: true,
          last_time: now,
          link_time: now,
          favorite: true,
          disabled: false,
          limited: false,
          rights: 0,
        },
      ]);
    });

    test('everyone sees the devices they have a permission on, with what they may do on each', async () => {
      const account = await service.account();
      const [mine, foreign] = [await account.group(), await account.group()];
      const inGroup = [await account.agent({ groupId: mine }), await account.agent({ groupId: mine })];
      const both = await account.agent({ groupId: mine });
      const single = await account.agent();
      await account.agent({ groupId: foreign });
      const ann = await account.member([
        { type: 'group', permissions: ['agent_connect'], groupId: mine, byDepartment: true },
        { type: 'agent', permissions: ['agent_reboot'], agentId: both.id },
        { type: 'agent', permissions: ['agent_reboot'], agentId: single.id },
      ]);

      const shown = await listOf(account, ann);

      const held = new Map(shown.data.map(({ id, rights }) => [id, shown.rights[rights]]));
      assert.deepEqual(
        held,
        new Map([
          [inGroup[0]!.id, ['agent_connect']],
          [inGroup[1]!.id, ['agent_connect']],
          [both.id, ['agent_connect', 'agent_reboot']],
          [single.id, ['agent_reboot']],
        ]),
      );
      assert.equal(shown.rights.length, 3, 'each set is named once');
      assert.deepEqual(idsOf(await listOf(account, await account.member())), []);
    });

    test('a request for some devices returns those of them that exist and may be seen', async () => {
      const [account, other] = [await service.account(), await service.account()];
      const [one, two, gone] = [await account.agent(), await account.agent(), await account.agent()];
      const foreign = await other.agent();
      const ann = await account.member([
        { type: 'agent', permissions: ['agent_connect'], agentId: one.id },
        { type: 'agent', permissions: ['agent_connect'], agentId: gone.id },
      ]);
      await must(service.server.store, 'agents/remove', { accountId: account.id, id: gone.id });
      const ids = [one, two, gone, foreign].map(({ id }) => id).join();

      assert.deepEqual(idsOf(await listOf(account, ann, { ids })), [one.id]);
      assert.deepEqual(idsOf(await listOf(account, account.owner, { ids })), [one.id, two.id]);
      const panelClient = await openSignedInPanel(service, account, ann);
      for (const bad of ['', '1,', 'a', '-1', '1;2', Array(201).fill('1').join()])
        assert.equal((await panelClient.ask('devices', { ids: bad })).http, 400, bad);
    });

    test('devices requested by their ids come with the address of a picture, for those who may see it', async () => {
      const account = await service.account();
      const [one, two] = [await account.agent(), await account.agent()];
      const ann = await account.member([
        { type: 'agent', permissions: ['agent_preview'], agentId: one.id },
        { type: 'agent', permissions: ['agent_connect'], agentId: two.id },
      ]);

      const { data } = await listOf(account, ann, { ids: `${one.id},${two.id}` });
      const info = await ann.call('agents/info', { agent_id: one.id });

      assert.deepEqual(
        data.map((device) => device['preview_url']),
        [info.body.data.preview_url, ''],
      );
      assert.notEqual(info.body.data.preview_url, '');
      assert.ok((await listOf(account, ann)).data.every((device) => !('preview_url' in device)));
    });

    test('a change of a device, of its group and of its presence shows in the next response', async () => {
      const account = await service.account();
      const group = await account.group();
      const { id } = await account.agent({ name: 'before' });
      await listOf(account, account.owner);

      await account.owner.call('agents/update', { id, name: 'after' });
      await account.owner.call('groups/agent/insert', { id: group, agent_id: id });
      await service.plugIn(id);

      const [device] = (await listOf(account, account.owner)).data;
      assert.deepEqual([device!['name'], device!['group_id'], device!['online']], ['after', group, true]);
    });

    test('devices beyond the plan are shown as blocked', async () => {
      const account = await service.account();
      await account.agent();
      await account.agent();
      await must(service.server.store, 'plan/set', { accountId: account.id, plan: { computers: 1 } });

      const { data } = await listOf(account, account.owner);

      assert.deepEqual(
        data.map(({ disabled }) => disabled),
        [false, true],
      );
    });

    test('a long list is returned completely and in order', async () => {
      const account = await service.account();
      const group = await account.group();
      const made = await Promise.all(
        Array.from({ length: 1_300 }, (_, index) => account.agent(index % 2 === 0 ? { groupId: group } : {})),
      );
      const ann = await account.member([{ type: 'group', permissions: ['agent_connect'], groupId: group }]);

      assert.deepEqual(
        idsOf(await listOf(account, account.owner)),
        made.map(({ id }) => id).toSorted((one, other) => one - other),
      );
      assert.equal((await listOf(account, ann)).data.length, 650);
    });

    test('a member who may change groups sorts them with one request; nobody else can', async () => {
      const account = await service.account();
      const [a, b, c] = [await account.group(), await account.group(), await account.group()];
      const changes = (groupId: number) => ({
        type: 'group' as const,
        permissions: ['agent_change_settings' as const],
        groupId,
      });
      const [both, one] = [
        await account.member([changes(a), changes(b)]),
        await account.member([changes(a)]),
      ];
      const order = async (person: { id: number }, ...ids: number[]) =>
        (await (await openSignedInPanel(service, account, person)).ask('groups/order', { ids })).http;
      const listed = async () => (await account.owner.call('groups/list')).body['data'] as { id: number }[];

      assert.equal(await order(one, b, a), 403);
      assert.equal(await order(both, c, b, a), 403);
      assert.deepEqual(
        (await listed()).map(({ id }) => id),
        [a, b, c],
      );
      assert.equal(await order(both, b, a), 200);
      assert.equal(await order(account.owner, c, b, a), 200);
      assert.deepEqual(
        (await listed()).map(({ id }) => id),
        [c, b, a],
      );
    });
  });
