/** Roles, through the public API, on both databases. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { permissionIds, roleTypes } from '@drawbridge/contract/permissions';
import type { TestPerson } from '../../kit/server/account.ts';
import { databases } from '../../kit/server/database.ts';
import { startService, type TestService } from '../../kit/server/service.ts';

interface Role {
  id: number;
  name: string;
  type: string;
  permission: string[];
  default: boolean;
}

const list = async (person: TestPerson, params = {}): Promise<Role[]> =>
  (await person.call('team/role/list', params)).body['data'];
const info = async (person: TestPerson, id: number): Promise<Role & { description: string }> =>
  (await person.call('team/role/info', { id })).body['data'];

for (const { kind, skip } of databases)
  describe(`roles on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    const create = async (person: TestPerson, role: object): Promise<number> =>
      (await person.call('team/role/create', { name: 'a role', type: 'agent', ...role })).body['id'];

    test('an account starts with system roles of every type', async () => {
      const { owner } = await service.account();

      const roles = await list(owner);

      assert.deepEqual(
        roles.map(({ name, type, default: system }) => [name, type, system]),
        [
          ['Full access to a device', 'agent', true],
          ['View only', 'agent', true],
          ['Full access to a group', 'group', true],
          ['Own invitations', 'quick_support', true],
          ['All invitations', 'quick_support', true],
          ['Team administrator', 'team', true],
        ],
      );
      assert.deepEqual(roles[0]!.permission, permissionIds('agent'));
      assert.deepEqual(roles[5]!.permission, permissionIds('team'));
    });

    test('a system role is neither edited nor removed, and stays unchanged', async () => {
      const { owner } = await service.account();
      for (const role of await list(owner)) {
        const was = await info(owner, role.id);

        const edit = await owner.call('team/role/edit', { id: role.id, name: 'mine', permission: [] });
        const remove = await owner.call('team/role/remove', { id: role.id });

        for (const { http, body } of [edit, remove])
          assert.deepEqual([http, body.status, body.error?.code], [400, 1, 'system_role']);
        assert.deepEqual(await info(owner, role.id), was);
      }
    });

    test('a role is created, shown, edited in part and removed', async () => {
      const { owner } = await service.account();
      const { body } = await owner.call('team/role/create', {
        name: ' Night shift ',
        description: 'Only looks.',
        type: 'group',
        permission: ['agent_preview', 'agent_connect', 'agent_preview'],
      });
      const id = body['id'] as number;
      const made = {
        id,
        name: 'Night shift',
        type: 'group',
        description: 'Only looks.',
        default: false,
        permission: ['agent_connect', 'agent_preview'],
      };
      assert.deepEqual([body.status, await info(owner, id)], [0, made]);

      await owner.call('team/role/edit', { id, name: 'Day shift' });
      assert.deepEqual(await info(owner, id), { ...made, name: 'Day shift' });
      await owner.call('team/role/edit', { id, description: '' });
      await owner.call('team/role/edit', { id, permission: [] });
      assert.deepEqual(await info(owner, id), {
        ...made,
        name: 'Day shift',
        description: '',
        permission: [],
      });
      assert.deepEqual((await owner.call('team/role/remove', { id })).body, { status: 0 });

      const gone = await owner.call('team/role/info', { id });
      assert.deepEqual([gone.http, gone.body.error?.code], [403, 'not_found']);
      assert.equal((await owner.call('team/role/remove', { id })).body.status, 1);
    });

    test('a role carries only permissions of its type', async () => {
      const { owner } = await service.account();
      for (const type of roleTypes) {
        const stray = type === 'team' ? 'agent_connect' : 'team_user_admin';

        const refused = await owner.call('team/role/create', { name: type, type, permission: [stray] });
        const id = await create(owner, { name: type, type, permission: permissionIds(type) });
        const edit = await owner.call('team/role/edit', { id, permission: [stray] });

        for (const { http, body } of [refused, edit])
          assert.deepEqual([http, body.status, body.error?.field], [400, 1, 'permission']);
        assert.deepEqual((await info(owner, id)).permission, permissionIds(type));
      }
      const unknown = await owner.call('team/role/create', { name: 'x', type: 'agent', permission: ['fly'] });
      assert.equal(unknown.body.status, 1);
    });

    test('removing a role removes its grants in one step', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      const technician = await account.member();
      const direct = { type: 'agent', agentId: id, permissions: ['agent_connect'] } as const;
      const { roleId } = await account.grant(technician, direct);
      const department = await account.department();
      await account.owner.call('team/department/access/add', {
        department_id: department,
        role_id: roleId,
        agent_id: id,
      });
      assert.equal((await technician.call('agents/info', { agent_id: id })).http, 200);

      assert.deepEqual((await account.owner.call('team/role/remove', { id: roleId })).body, { status: 0 });

      assert.equal((await technician.call('agents/info', { agent_id: id })).http, 403);
      const entries = await account.owner.call('team/member/access/list', { email: technician.email });
      const departments = await account.owner.call('team/department/access/list', { id: department });
      assert.deepEqual([entries.body['data'].roles, departments.body['data'].roles], [[], []]);
    });

    test('an edited role works on the next request of everyone who holds it', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      const technician = await account.member();
      const { roleId } = await account.grant(technician, {
        type: 'agent',
        agentId: id,
        permissions: ['agent_connect'],
      });
      const connect = async () => (await technician.call('agents/connect', { agent_id: id })).http;
      assert.equal(await connect(), 200);

      await account.owner.call('team/role/edit', { id: roleId, permission: ['agent_preview'] });
      assert.equal(await connect(), 403);
      await account.owner.call('team/role/edit', { id: roleId, permission: ['agent_connect'] });

      assert.equal(await connect(), 200);
    });

    test('roles are found by part of their name in any case and script, and by type', async () => {
      const { owner } = await service.account();
      for (const name of ['Ночная смена', '50% off', '50 off', 'a_c', 'abc']) await create(owner, { name });
      const found = async (params: object) => (await list(owner, params)).map((role) => role.name);

      assert.deepEqual(await found({ search: 'НОЧ' }), ['Ночная смена']);
      assert.deepEqual(await found({ search: '0%' }), ['50% off']);
      assert.deepEqual(await found({ search: 'A_C' }), ['a_c']);
      assert.deepEqual(await found({ type: 'team' }), ['Team administrator']);
      assert.deepEqual(await found({ search: 'view', type: 'group' }), []);
    });

    test('a page of roles holds 20, at most 100, from the given offset', async () => {
      const { owner } = await service.account();
      for (let count = 0; count < 20; count += 1) await create(owner, { name: `role ${count}` });
      const all = await list(owner, { limit: 100 });

      assert.equal(all.length, 26);
      assert.deepEqual(await list(owner), all.slice(0, 20));
      assert.deepEqual(await list(owner, { offset: 20 }), all.slice(20));
      assert.deepEqual(await list(owner, { offset: 5, limit: 3 }), all.slice(5, 8));
      assert.deepEqual(await list(owner, { offset: 26 }), []);
      for (const wrong of [{ limit: 0 }, { limit: 101 }, { limit: -1 }, { offset: -1 }, { limit: 1.5 }])
        assert.equal((await owner.call('team/role/list', wrong)).http, 400);
    });

    test('an administrator cannot add team permissions they lack to a role that is granted', async () => {
      const account = await service.account();
      const [admin, other] = [
        await account.member([{ type: 'team', permissions: ['team_user_admin'] }]),
        await account.member(),
      ];
      const { roleId } = await account.grant(other, { type: 'team', permissions: ['team_brand_admin'] });

      const { http, body } = await admin.call('team/role/edit', {
        id: roleId,
        permission: ['team_brand_admin', 'team_api_key'],
      });

      assert.deepEqual([http, body.status, body.error?.code], [403, 6, 'beyond_own_rights']);
      assert.deepEqual((await info(account.owner, roleId)).permission, ['team_brand_admin']);
    });

    test('roles are for those who manage the team', async () => {
      const account = await service.account();
      const other = await account.member([{ type: 'team', permissions: ['team_api_key'] }]);
      const id = await create(account.owner, {});

      const answers = [
        await other.call('team/role/create', { name: 'x', type: 'agent' }),
        await other.call('team/role/edit', { id, name: 'x' }),
        await other.call('team/role/remove', { id }),
      ];

      for (const { http, body } of answers) assert.deepEqual([http, body.status], [403, 6]);
      assert.equal((await other.call('team/role/list')).http, 403);
      assert.equal((await info(account.owner, id)).name, 'a role');
    });
  });
