/** Known attempts of members to escalate their own permissions, each through the public API. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { permissionIds, roleTypes, type Permission, type RoleType } from '@drawbridge/contract/permissions';
import { digestOf } from '@drawbridge/server/edges/random';
import { databases } from '../kit/server/database.ts';
import {
  must,
  type ReplyBody,
  type TestPerson,
  type TestAccount,
  type TestGrant,
} from '../kit/server/account.ts';
import { startService, type TestService } from '../kit/server/service.ts';

const admin: TestGrant = { type: 'team', permissions: ['team_user_admin'] };

for (const { kind, skip } of databases)
  describe(`attempts to escalate permissions on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    const role = async (
      { id: accountId }: TestAccount,
      type: RoleType,
      ...permissions: Permission[]
    ): Promise<number> =>
      (
        await must(service.server.store, 'roles/create', {
          accountId,
          name: 'role',
          type,
          description: '',
          permissions,
        })
      ).id;

    /** What a member may do now, as the rules see it: every permission with where it is held. */
    async function rightsOf({ id: accountId }: TestAccount, { id }: TestPerson): Promise<string[]> {
      const actor = await service.server.store.actors.byId(accountId, id);
      const words = actor!.grants.flatMap((grant) =>
        grant.permissions.map((each) =>
          `${each} ${grant.type} ${grant.agentId ?? grant.groupId ?? ''}`.trim(),
        ),
      );
      return [...new Set(words)].toSorted();
    }

    /**
     * An attempt that must be refused as exceeding one's own permissions, with this number, and change
     * nothing.
     */
    async function tooMuch(
      account: TestAccount,
      person: TestPerson,
      status: number,
      attempt: () => ReturnType<TestPerson['call']>,
    ): Promise<void> {
      const earlier = await rightsOf(account, person);
      const { http, body } = await attempt();
      assert.deepEqual(
        [http, body.status, body.error?.code],
        [403, status, 'beyond_own_rights'],
        JSON.stringify(body),
      );
      assert.deepEqual(await rightsOf(account, person), earlier);
    }
    const done = ({ http, body }: Awaited<ReturnType<TestPerson['call']>>): void =>
      assert.deepEqual([http, body.status], [200, 0], JSON.stringify(body));

    test('a device is not moved into a group in which the mover holds more on it', async () => {
      const account = await service.account();
      const [weak, strong] = [await account.group(), await account.group()];
      const { id } = await account.agent({ groupId: weak });
      const person = await account.member([
        { type: 'group', permissions: ['agent_change_settings'], groupId: weak },
        { type: 'group', permissions: ['agent_change_settings', 'agent_control'], groupId: strong },
      ]);

      await tooMuch(account, person, 8, () =>
        person.call('groups/agent/insert', { id: strong, agent_id: id }),
      );
      await account.grant(person, { type: 'agent', permissions: ['agent_control'], agentId: id });
      done(await person.call('groups/agent/insert', { id: strong, agent_id: id }));
    });

    test('nobody sets a password of a device with which they could do there what they may not', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      const on = { type: 'agent', agentId: id } as const;
      const person = await account.member([
        { ...on, permissions: ['agent_change_settings', 'agent_connect', 'agent_control'] },
      ]);
      const set = (who: TestPerson, permanent_url: object) =>
        who.call('agents/update', { id, permanent_url });
      const password = 'correct horse 7';
      const isOpen = async (): Promise<boolean> =>
        'permanent_url' in (await account.owner.call('agents/info', { agent_id: id })).body['data'];

      await tooMuch(account, person, 8, () => set(person, { enable: true, password }));
      await tooMuch(account, person, 8, () => set(person, { password }));
      assert.equal(await isOpen(), false);
      done(await set(account.owner, { enable: true, password }));
      done(await set(person, { url: `desk-${id}-${kind}` }));
      done(await set(person, { enable: false }));
      await tooMuch(account, person, 8, () => set(person, { enable: true }));
      assert.equal(await isOpen(), false);
      await account.grant(person, { ...on, permissions: permissionIds('agent') });
      done(await set(person, { enable: true, password }));
      assert.equal(await isOpen(), true);
    });

    test('a member who merges devices holds on the one that stays what they held on it before, and no more', async () => {
      const account = await service.account();
      const [source, target] = [await account.agent(), await account.agent()];
      const person = await account.member([
        { type: 'agent', permissions: ['agent_logout', 'agent_control'], agentId: source.id },
        { type: 'agent', permissions: ['agent_change_settings'], agentId: target.id },
      ]);
      const other = await account.member([
        { type: 'agent', permissions: ['agent_control'], agentId: source.id },
      ]);

      done(await person.call('agents/merge', { agent_id: source.id, target_agent_id: target.id }));

      assert.deepEqual(await rightsOf(account, person), [`agent_change_settings agent ${target.id}`]);
      assert.deepEqual(await rightsOf(account, other), [`agent_control agent ${target.id}`]);
    });

    test('a merge that would widen the permissions of one’s own department is refused', async () => {
      const account = await service.account();
      const [source, target] = [await account.agent(), await account.agent()];
      const person = await account.member([
        {
          type: 'agent',
          permissions: ['agent_logout', 'agent_control'],
          agentId: source.id,
          byDepartment: true,
        },
        { type: 'agent', permissions: ['agent_change_settings'], agentId: target.id },
      ]);

      await tooMuch(account, person, 8, () =>
        person.call('agents/merge', { agent_id: source.id, target_agent_id: target.id }),
      );
      assert.equal((await account.owner.call('agents/info', { agent_id: source.id })).http, 200);
      done(await account.owner.call('agents/merge', { agent_id: source.id, target_agent_id: target.id }));
    });

    const held: Record<string, (account: TestAccount) => Promise<TestGrant>> = {
      'on a device': async (account) => ({
        type: 'agent',
        permissions: ['agent_chat'],
        agentId: (await account.agent()).id,
      }),
      'on a group': async (account) => ({
        type: 'group',
        permissions: ['agent_chat'],
        groupId: await account.group(),
      }),
      'in quick support': async () => ({ type: 'quick_support', permissions: ['agent_chat'] }),
      'in the team': async () => ({ type: 'team', permissions: ['team_user_admin'] }),
    };
    for (const [where, grantIn] of Object.entries(held))
      for (const byDepartment of [false, true])
        test(`nobody widens a role that they hold ${where}${byDepartment ? ' through a department' : ''}`, async () => {
          const account = await service.account();
          const person = await account.member([admin]);
          const grant = { ...(await grantIn(account)), byDepartment };
          const { roleId } = await account.grant(person, grant);
          const permission = permissionIds(grant.type);

          await tooMuch(account, person, 6, () => person.call('team/role/edit', { id: roleId, permission }));
          done(
            await person.call('team/role/edit', {
              id: roleId,
              permission: grant.permissions,
              name: 'renamed',
            }),
          );
          done(await account.owner.call('team/role/edit', { id: roleId, permission }));
        });

    test('nobody grants themselves a role, under any spelling of their address', async () => {
      const account = await service.account();
      const person = await account.member([admin]);
      const { id: agent_id } = await account.agent();
      const group_id = await account.group();
      const roles = {
        agent: { role_id: await role(account, 'agent', 'agent_chat'), agent_id },
        group: { role_id: await role(account, 'group', 'agent_chat'), group_id },
        quick_support: { role_id: await role(account, 'quick_support', 'quick_support_admin') },
        team: { role_id: await role(account, 'team', 'team_api_key') },
      };

      for (const params of Object.values(roles))
        for (const email of [person.email, person.email.toUpperCase(), ` ${person.email} `])
          await tooMuch(account, person, 6, () =>
            person.call('team/member/access/add', { email, ...params }),
          );
    });

    test('permissions on every device of a group are not the group: nobody grants themselves the group for them', async () => {
      const account = await service.account();
      const groupId = await account.group();
      const { id } = await account.agent({ groupId });
      const person = await account.member([
        admin,
        { type: 'agent', permissions: ['agent_chat'], agentId: id },
      ]);
      const role_id = await role(account, 'group', 'agent_chat');

      await tooMuch(account, person, 6, () =>
        person.call('team/member/access/add', { email: person.email, role_id, group_id: groupId }),
      );
    });

    test('a member does not grant themselves on a device what they hold through a group: it would stay when the device leaves', async () => {
      const account = await service.account();
      const groupId = await account.group();
      const { id: agent_id } = await account.agent({ groupId });
      const person = await account.member([admin, { type: 'group', permissions: ['agent_chat'], groupId }]);
      const role_id = await role(account, 'agent', 'agent_chat');

      await tooMuch(account, person, 6, () =>
        person.call('team/member/access/add', { email: person.email, role_id, agent_id }),
      );
    });

    test('nobody joins a department that holds more, nor gives more to a department they are in', async () => {
      const account = await service.account();
      const person = await account.member([admin]);
      const { id: agent_id } = await account.agent();
      const [strong, own] = [await account.department(), await account.department()];
      const role_id = await role(account, 'agent', 'agent_control');
      done(
        await account.owner.call('team/department/access/add', { department_id: strong, role_id, agent_id }),
      );
      done(await account.owner.call('team/department/member/add', { id: own, email: person.email }));

      await tooMuch(account, person, 6, () =>
        person.call('team/department/member/add', { id: strong, email: person.email }),
      );
      await tooMuch(account, person, 8, () =>
        person.call('team/department/access/add', { department_id: own, role_id, agent_id }),
      );
      done(
        await person.call('team/department/access/add', {
          department_id: await account.department(),
          role_id,
          agent_id,
        }),
      );
    });

    test('a team permission that a member lacks cannot be handed out by any operation', async () => {
      const account = await service.account();
      const [person, other] = [await account.member([admin]), await account.member()];
      const [department, empty] = [await account.department(), await account.department()];
      const strong = await role(account, 'team', 'team_user_admin', 'team_api_key');
      const [weak, granted] = [
        await role(account, 'team', 'team_user_admin'),
        await role(account, 'team', 'team_user_admin'),
      ];
      const { email } = other;
      done(await person.call('team/member/access/add', { email, role_id: granted }));
      done(
        await account.owner.call('team/department/access/add', {
          department_id: department,
          role_id: strong,
        }),
      );

      await tooMuch(account, other, 6, () =>
        person.call('team/member/access/add', { email, role_id: strong }),
      );
      await tooMuch(account, other, 8, () =>
        person.call('team/department/access/add', { department_id: empty, role_id: strong }),
      );
      await tooMuch(account, other, 6, () =>
        person.call('team/department/member/add', { id: department, email }),
      );
      await tooMuch(account, other, 6, () =>
        person.call('team/role/edit', { id: granted, permission: ['team_user_admin', 'team_api_key'] }),
      );
      done(
        await person.call('team/role/edit', { id: weak, permission: ['team_user_admin', 'team_api_key'] }),
      );
      await tooMuch(account, other, 6, () => person.call('team/member/access/add', { email, role_id: weak }));
    });

    test('a permission that was given up cannot be taken back', async () => {
      const account = await service.account();
      const role_id = await role(account, 'team', 'team_api_key');
      const person = await account.member([admin]);
      const { email } = person;
      done(await account.owner.call('team/member/access/add', { email, role_id }));

      done(await person.call('team/member/access/remove', { email, role_id }));

      await tooMuch(account, person, 6, () => person.call('team/member/access/add', { email, role_id }));
    });

    test('a member who is removed and invited again starts with nothing', async () => {
      const account = await service.account();
      const { id: agentId } = await account.agent();
      const person = await account.member([
        { type: 'agent', permissions: ['agent_chat'], agentId },
        { type: 'agent', permissions: ['agent_control'], agentId, byDepartment: true },
      ]);
      const manager = await account.member([admin]);
      const { email } = person;

      done(await manager.call('team/member/remove', { email }));
      const { body } = await manager.call('team/member/invite', { email });

      assert.notEqual(body['id'], person.id);
      const { data } = (await manager.call('team/member/access/list', { email })).body;
      assert.deepEqual(data, { id: body['id'], email, roles: [] });
      const [again] = (await manager.call('team/member/list', { search: email })).body['data'] as ReplyBody[];
      assert.deepEqual(again!['departments'], []);
      assert.equal((await person.call('agents/list')).http, 403);
    });

    test('the link of an invitation is decisive, not the address: a newer one or a removal ends it', async () => {
      const account = await service.account();
      const email = 'new@example.com';
      const link = async () =>
        digestOf(
          ((await account.owner.call('team/member/invite', { email })).body['url'] as string)
            .split('/')
            .at(-1)!,
        );
      const signIn = (digest: string) => service.server.store.change('members/sign-in', { digest });

      const [first, second] = [await link(), await link()];
      assert.deepEqual(await signIn(first), { fault: 'not_found' });
      done(await account.owner.call('team/member/remove', { email }));
      assert.deepEqual(await signIn(second), { fault: 'not_found' });
      const third = await link();
      assert.ok('memberId' in (await signIn(third)));
      assert.deepEqual(await signIn(third), { fault: 'not_found' });
      assert.equal(
        (await account.owner.call('team/member/invite', { email })).body.error?.code,
        'already_member',
      );
    });

    test('nobody gets the link of an invited member who holds team permissions beyond their own', async () => {
      const account = await service.account();
      const [manager, strong] = [await account.member([admin]), await account.member()];
      await account.grant(strong, { type: 'team', permissions: ['team_api_key'], byDepartment: true });

      await tooMuch(account, manager, 8, () => manager.call('team/member/invite', { email: strong.email }));
      done(await account.owner.call('team/member/invite', { email: strong.email }));
    });

    for (const type of roleTypes)
      test(`a role of type ${type} accepts no permission of another type, and its type does not change`, async () => {
        const { owner } = await service.account();
        const strays = [...new Set(roleTypes.flatMap((each) => permissionIds(each)))].filter(
          (each) => !permissionIds(type).includes(each),
        );
        const { id } = (await owner.call('team/role/create', { name: 'role', type })).body;

        for (const stray of [...strays, 'nonsense', '', 'AGENT_CONNECT']) {
          const permission = [permissionIds(type)[0], stray];
          const answers = [
            await owner.call('team/role/create', { name: 'role', type, permission }),
            await owner.call('team/role/edit', { id, permission }),
          ];
          for (const { http, body } of answers)
            assert.deepEqual([http, body.status, body.error?.field], [400, 1, 'permission']);
        }
        done(await owner.call('team/role/edit', { id, type: 'team', permission: [] }));
        assert.equal(((await owner.call('team/role/info', { id })).body['data'] as ReplyBody)['type'], type);
      });

    test('system roles are neither edited nor removed, not even by the owner', async () => {
      const { owner } = await service.account();
      const roles = (await owner.call('team/role/list')).body['data'] as ReplyBody[];

      assert.equal(roles.filter((each) => each['default']).length, 6);
      for (const { id } of roles)
        for (const { http, body } of [
          await owner.call('team/role/edit', { id, name: 'mine' }),
          await owner.call('team/role/remove', { id }),
        ])
          assert.deepEqual([http, body.status, body.error?.code], [400, 1, 'system_role']);
      assert.deepEqual((await owner.call('team/role/list')).body['data'], roles);
    });

    test('a key has the permissions of its member and no others, at once and after they change', async () => {
      const account = await service.account();
      const person = await account.member([{ type: 'team', permissions: ['team_api_key'] }]);
      const { roleId } = await account.grant(person, { type: 'team', permissions: ['team_billing_admin'] });
      const second = service.testClient.sdkClient(
        (await person.call('keys/create', {})).body['api_key'] as string,
      );
      const codes = async () => [
        (await second.request('plan/info')).http,
        (await second.request('audit/list')).http,
      ];

      assert.deepEqual(await codes(), [200, 403]);
      done(await account.owner.call('team/role/remove', { id: roleId }));
      assert.deepEqual(await codes(), [403, 403]);
    });

    test('a key that expires, or works in some networks only, creates no key that goes further', async () => {
      const account = await service.account();
      const now = service.server.store.now();
      const bounded = await account.key(account.owner, {
        expireTime: now + 100,
        networks: ['127.0.0.0/8', '::1'],
      });
      const create = async (params: object) =>
        (await bounded.call('keys/create', params as Record<string, unknown>)).body;

      assert.equal((await create({ expires: now + 101 })).error?.field, 'expires');
      assert.equal((await create({ networks: ['0.0.0.0/0'] })).error?.field, 'networks');
      assert.equal((await create({ networks: ['127.0.0.0/8', '10.0.0.1'] })).error?.field, 'networks');
      const made = [await create({}), await create({ expires: now + 50, networks: ['::1'] })];
      const keys = (await account.owner.call('keys/list')).body['data'] as ReplyBody[];
      assert.deepEqual(
        made
          .map(({ id }) => keys.find((key) => key['id'] === id)!)
          .map((key) => [key['expires'], key['networks']]),
        [
          [now + 100, ['127.0.0.0/8', '::1']],
          [now + 50, ['::1']],
        ],
      );
    });

    test('two changes at the same moment never give together what each alone would not', async () => {
      const account = await service.account();
      const person = await account.member([admin]);
      const { email } = person;
      for (let round = 0; round < 25; round++) {
        const id = await role(account, 'quick_support');
        const answers = await Promise.all([
          person.call('team/role/edit', { id, permission: ['quick_support_technical'] }),
          person.call('team/member/access/add', { email, role_id: id }),
        ]);

        assert.deepEqual(await rightsOf(account, person), ['team_user_admin team']);
        assert.equal(answers.filter(({ http }) => http === 200).length, 1);
      }
    });
  });
