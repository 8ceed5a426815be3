/** What technicians and departments are granted, through the public API, on both databases. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { permissionIds, type Permission, type RoleType } from '@drawbridge/contract/permissions';
import type { TestPerson, TestAccount } from '../../kit/server/account.ts';
import { databases } from '../../kit/server/database.ts';
import { startService, type TestService } from '../../kit/server/service.ts';

for (const { kind, skip } of databases)
  describe(`access on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    const roleOf = async (
      { owner }: TestAccount,
      type: RoleType,
      permission: Permission[],
    ): Promise<number> =>
      (await owner.call('team/role/create', { name: `${type} role`, type, permission })).body['id'];
    const entries = async ({ owner }: TestAccount, { email }: TestPerson) =>
      (await owner.call('team/member/access/list', { email })).body['data'].roles as object[];

    test('a role is granted on what its type requires, and shown in the list', async () => {
      const account = await service.account();
      const { owner } = account;
      const technician = await account.member();
      const [{ id: agent_id }, group_id] = [await account.agent(), await account.group()];
      const [agent, group, support, team] = [
        await roleOf(account, 'agent', ['agent_connect']),
        await roleOf(account, 'group', ['agent_connect']),
        await roleOf(account, 'quick_support', ['quick_support_admin']),
        await roleOf(account, 'team', ['team_api_key']),
      ];
      const system = (await owner.call('team/role/list', { type: 'team' })).body['data'][0].id as number;
      const { email } = technician;

      for (const grant of [
        { role_id: agent, agent_id },
        { role_id: group, group_id },
        { role_id: support },
        { role_id: team },
        { role_id: system },
      ])
        assert.deepEqual((await owner.call('team/member/access/add', { email, ...grant })).body, {
          status: 0,
        });

      const { body } = await owner.call('team/member/access/list', { email: email.toUpperCase() });
      assert.deepEqual(body, {
        status: 0,
        data: {
          id: technician.id,
          email,
          roles: [
            { id: agent, agent_id },
            { id: group, group_id },
            { id: support, default: false },
            { id: team, default: false },
            { id: system, default: true },
          ],
        },
      });
    });

    test('a grant without what its role requires, or with what it does not take, is invalid', async () => {
      const account = await service.account();
      const { email } = await account.member();
      const [{ id: agent_id }, group_id] = [await account.agent(), await account.group()];
      const [agent, group, team] = [
        await roleOf(account, 'agent', ['agent_connect']),
        await roleOf(account, 'group', ['agent_connect']),
        await roleOf(account, 'team', ['team_api_key']),
      ];
      const wrong = [
        [{ role_id: agent }, 'agent_id'],
        [{ role_id: agent, group_id }, 'agent_id'],
        [{ role_id: agent, agent_id, group_id }, 'group_id'],
        [{ role_id: group }, 'group_id'],
        [{ role_id: group, agent_id }, 'agent_id'],
        [{ role_id: team, agent_id }, 'agent_id'],
        [{ role_id: team, group_id }, 'group_id'],
      ] as const;

      for (const operation of ['team/member/access/add', 'team/member/access/remove'] as const)
        for (const [grant, field] of wrong) {
          const { http, body } = await account.owner.call(operation, { email, ...grant });
          assert.deepEqual([http, body.status, body.error?.field], [400, 1, field], JSON.stringify(grant));
        }
    });

    test('granting twice is granting once, and removing a missing grant is not found', async () => {
      const account = await service.account();
      const technician = await account.member();
      const role_id = await roleOf(account, 'team', ['team_api_key']);
      const grant = { email: technician.email, role_id };

      await account.owner.call('team/member/access/add', grant);
      assert.deepEqual((await account.owner.call('team/member/access/add', grant)).body, { status: 0 });
      assert.equal((await entries(account, technician)).length, 1);
      assert.deepEqual((await account.owner.call('team/member/access/remove', grant)).body, { status: 0 });

      assert.deepEqual(await entries(account, technician), []);
      const again = await account.owner.call('team/member/access/remove', grant);
      assert.deepEqual([again.http, again.body.status], [403, 1]);
    });

    test('a removed grant does not work on the next request', async () => {
      const account = await service.account();
      const technician = await account.member();
      const { id: agent_id } = await account.agent();
      const role_id = await roleOf(account, 'agent', ['agent_connect']);
      const grant = { email: technician.email, role_id, agent_id };
      const connect = async () => (await technician.call('agents/connect', { agent_id })).http;

      const seen = [await connect()];
      await account.owner.call('team/member/access/add', grant);
      seen.push(await connect());
      await account.owner.call('team/member/access/remove', grant);
      seen.push(await connect());

      assert.deepEqual(seen, [403, 200, 403]);
    });

    test('permissions add up, from members and departments alike, and each is lost by itself', async () => {
      const account = await service.account();
      const group = await account.group();
      const { id } = await account.agent({ groupId: group });
      await service.plugIn(id);
      const technician = await account.member([
        { type: 'agent', agentId: id, permissions: ['agent_connect'] },
        { type: 'group', groupId: group, permissions: ['agent_reboot'] },
      ]);
      const { departmentId } = await account.grant(technician, {
        type: 'agent',
        agentId: id,
        permissions: ['agent_change_settings'],
        byDepartment: true,
      });
      const may = async () => [
        (await technician.call('agents/connect', { agent_id: id })).http,
        (await technician.call('agents/reboot', { id })).http,
        (await technician.call('agents/update', { id })).http,
      ];
      assert.deepEqual(await may(), [200, 200, 200]);

      await account.owner.call('team/department/member/remove', {
        id: departmentId!,
        email: technician.email,
      });
      assert.deepEqual(await may(), [200, 200, 403]);
      await account.owner.call('groups/agent/remove', { agent_id: id });

      assert.deepEqual(await may(), [200, 403, 403]);
    });

    test('a department is granted roles and shows them without the mark of system roles', async () => {
      const account = await service.account();
      const { owner } = account;
      const department_id = await account.department();
      const { id: agent_id } = await account.agent();
      const [agent, team] = [
        await roleOf(account, 'agent', ['agent_connect']),
        await roleOf(account, 'team', ['team_api_key']),
      ];

      for (const grant of [{ role_id: agent, agent_id }, { role_id: team }])
        assert.deepEqual((await owner.call('team/department/access/add', { department_id, ...grant })).body, {
          status: 0,
        });

      const { body } = await owner.call('team/department/access/list', { id: department_id });
      assert.deepEqual(body, {
        status: 0,
        data: { id: department_id, roles: [{ id: agent, agent_id }, { id: team }] },
      });
      await owner.call('team/department/access/remove', { department_id, role_id: agent, agent_id });
      const left = (await owner.call('team/department/access/list', { id: department_id })).body['data']
        .roles;
      assert.deepEqual(left, [{ id: team }]);
    });

    test('nobody hands out team permissions that they do not hold themselves', async () => {
      const account = await service.account();
      const admin = await account.member([{ type: 'team', permissions: ['team_user_admin'] }]);
      const friend = await account.member();
      const department_id = await account.department();
      const [more, same] = [
        await roleOf(account, 'team', ['team_user_admin', 'team_api_key']),
        await roleOf(account, 'team', ['team_user_admin']),
      ];

      const refused = [
        await admin.call('team/member/access/add', { email: friend.email, role_id: more }),
        await admin.call('team/member/access/add', { email: admin.email, role_id: more }),
      ];
      for (const { http, body } of refused)
        assert.deepEqual([http, body.status, body.error?.code], [403, 6, 'beyond_own_rights']);
      const department = await admin.call('team/department/access/add', { department_id, role_id: more });
      assert.deepEqual([department.http, department.body.status], [403, 8]);
      const given = await admin.call('team/member/access/add', { email: friend.email, role_id: same });

      assert.deepEqual(given.body, { status: 0 });
      assert.equal((await friend.call('keys/list')).http, 403);
    });

    test('nobody grants themselves a device, directly or by joining a department that has it', async () => {
      const account = await service.account();
      const admin = await account.member([{ type: 'team', permissions: ['team_user_admin'] }]);
      const { id: agent_id } = await account.agent();
      const role_id = await roleOf(account, 'agent', ['agent_control']);
      const department_id = await account.department();
      await account.owner.call('team/department/access/add', { department_id, role_id, agent_id });

      const direct = await admin.call('team/member/access/add', { email: admin.email, role_id, agent_id });
      const joined = await admin.call('team/department/member/add', {
        id: department_id,
        email: admin.email,
      });

      for (const { http, body } of [direct, joined])
        assert.deepEqual([http, body.status, body.error?.code], [403, 6, 'beyond_own_rights']);
      assert.equal((await admin.call('agents/info', { agent_id })).http, 403);
      assert.equal((await entries(account, admin)).length, 1);
    });

    test('members, roles, devices and groups of another account are not found', async () => {
      const [account, other] = [await service.account(), await service.account()];
      const [mine, outsider] = [await account.member(), await other.member()];
      const [agent, foreign] = [await account.agent(), await other.agent()];
      const [role, theirs] = [
        await roleOf(account, 'agent', ['agent_connect']),
        await roleOf(other, 'agent', ['agent_connect']),
      ];
      const add = async (email: string, role_id: number, agent_id: number) => {
        const { http, body } = await account.owner.call('team/member/access/add', {
          email,
          role_id,
          agent_id,
        });
        return [http, body.status, body.error?.field];
      };

      assert.deepEqual(await add(outsider.email, role, agent.id), [403, 1, 'email']);
      assert.deepEqual(await add(mine.email, theirs, agent.id), [403, 1, 'role_id']);
      assert.deepEqual(await add(mine.email, role, foreign.id), [403, 1, 'agent_id']);
      const department = await other.department();
      const given = await account.owner.call('team/department/access/add', {
        department_id: department,
        role_id: role,
        agent_id: agent.id,
      });
      assert.deepEqual([given.http, given.body.status], [403, 6]);
    });

    test('what a member may do on a device is explained, with the grant each permission comes from', async () => {
      const account = await service.account();
      const group = await account.group();
      const { id: agent_id } = await account.agent({ groupId: group });
      const technician = await account.member();
      const direct = await account.grant(technician, {
        type: 'agent',
        agentId: agent_id,
        permissions: ['agent_connect', 'agent_preview'],
      });
      const shared = await account.grant(technician, {
        type: 'group',
        groupId: group,
        permissions: ['agent_connect'],
        byDepartment: true,
      });
      await account.grant(technician, { type: 'team', permissions: ['team_api_key'] });

      const { http, body } = await account.owner.call('team/access/effective', {
        email: technician.email,
        agent_id,
      });

      assert.deepEqual([http, body.status], [200, 0]);
      const { permissions, ...who } = body['data'];
      assert.deepEqual(who, { id: technician.id, email: technician.email, agent_id, owner: false });
      const byHand = { role_id: direct.roleId, scope: 'agent' };
      const byGroup = {
        role_id: shared.roleId,
        scope: 'group',
        group_id: group,
        department_id: shared.departmentId,
      };
      const explained = permissions.map((each: { permission: string; through: { role: string }[] }) => [
        each.permission,
        each.through.map(({ role: _name, ...rest }) => rest),
      ]);
      assert.deepEqual(explained, [
        ['agent_connect', [byHand, byGroup]],
        ['agent_preview', [byHand]],
      ]);
      assert.equal(permissions[0].says, 'Connect to the device screen in view mode');
    });

    test('the owner may do everything on a device, because of being the owner', async () => {
      const account = await service.account();
      const { id: agent_id } = await account.agent();
      const { email } = account.owner;

      const { data } = (await account.owner.call('team/access/effective', { email, agent_id })).body as {
        data: { owner: boolean; permissions: { permission: string; through: object[] }[] };
      };

      assert.equal(data.owner, true);
      assert.deepEqual(
        data.permissions.map((each) => each.permission),
        permissionIds('agent'),
      );
      assert.ok(data.permissions.every((each) => each.through.length === 0));
    });

    test('the explanation is for those who manage the team, about members and devices of the account', async () => {
      const [account, other] = [await service.account(), await service.account()];
      const [agent, foreign] = [await account.agent(), await other.agent()];
      const technician = await account.member([{ type: 'team', permissions: ['team_api_key'] }]);
      const admin = await account.member([{ type: 'team', permissions: ['team_user_admin'] }]);
      const outsider = await other.member();
      const ask = async (person: TestPerson, email: string, agent_id: number) => {
        const { http, body } = await person.call('team/access/effective', { email, agent_id });
        return [http, body.status];
      };

      assert.deepEqual(await ask(technician, technician.email, agent.id), [403, 8]);
      assert.deepEqual(await ask(admin, technician.email, agent.id), [200, 0]);
      assert.deepEqual(await ask(account.owner, outsider.email, agent.id), [403, 6]);
      assert.deepEqual(await ask(account.owner, technician.email, foreign.id), [403, 6]);
      const nothing = await account.owner.call('team/access/effective', {
        email: technician.email,
        agent_id: agent.id,
      });
      assert.deepEqual(nothing.body['data'].permissions, []);
    });
  });
