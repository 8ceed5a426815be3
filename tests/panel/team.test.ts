/** The team in complete lists, as the panel keeps it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { panel } from '@drawbridge/contract/panel/index';
import { permissionIds } from '@drawbridge/contract/permissions';
import type { TestAccount } from '../kit/server/account.ts';
import { databases } from '../kit/server/database.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { openSignedInPanel } from '../kit/server/panel.ts';

const lists = ['team/people', 'team/departments', 'team/roles'] as const;
type List = (typeof lists)[number];

for (const { kind, skip } of databases)
  describe(`the lists of the team in the panel on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => void (service = await startService({ database: kind })));
    after(() => service[Symbol.asyncDispose]());

    async function readList(account: TestAccount, id: List): Promise<Record<string, any>[]> {
      const { http, body } = await (await openSignedInPanel(service, account, account.owner)).ask(id);
      assert.equal(http, 200);
      panel[id].output.parse(body);
      return body['data'] as Record<string, any>[];
    }

    test('they contain what the API returns, and how often something is granted', async () => {
      const account = await service.account();
      const group = await account.group();
      const grant = { type: 'group', permissions: ['agent_connect'], groupId: group } as const;
      const ann = await account.member([grant, { ...grant, byDepartment: true }]);
      await account.department('Empty');
      const asked = async (id: Parameters<typeof ann.call>[0]) =>
        (await account.owner.call(id, { limit: 100 })).body['data'] as Record<string, unknown>[];

      const [people, departments, roles] = [
        await readList(account, 'team/people'),
        await readList(account, 'team/departments'),
        await readList(account, 'team/roles'),
      ];

      const members = await asked('team/member/list');
      assert.deepEqual<unknown>(
        people,
        members.map((member) => ({ ...member, name: '' })),
      );
      const listed = await asked('team/role/list');
      assert.deepEqual<unknown>(
        roles,
        listed.map((role, at) => ({ ...role, grants: roles[at]?.['grants'] })),
      );
      assert.deepEqual(
        roles.filter(({ default: system }) => !system).map(({ grants }) => grants as number),
        [1, 1],
      );
      assert.deepEqual(
        departments.map(({ id, name, size, grants }) => [id, name, size, grants]),
        (await asked('team/department/list')).map(({ id, name, size }) => [
          id,
          name,
          size,
          name === 'Empty' ? 0 : 1,
        ]),
      );
    });

    test('a name is shown with the roles and rights of the person, and cannot pass for another address', async () => {
      const account = await service.account();
      const { id: agentId } = await account.agent();
      const ann = await account.member([{ type: 'agent', permissions: ['agent_connect'], agentId }]);
      const [own, owners] = [
        await openSignedInPanel(service, account, ann),
        await openSignedInPanel(service, account, account.owner),
      ];

      for (const name of ['boss@example.com', 'Ann \u202emoc', 'a'.repeat(129), 'A\nnn'])
        assert.deepEqual(
          (({ http, body }) => [http, body['error']?.field])(await own.ask('me/name', { name })),
          [400, 'name'],
        );
      assert.equal((await own.ask('me/name', { name: ' Ann Smith ' })).http, 200);

      const of = { email: ann.email, name: 'Ann Smith' };
      const [found] = (await own.ask('team/names', { emails: ann.email })).body['data'];
      const [entry] = (await owners.ask('access/entries', {})).body['data'];
      const [, holder] = (await owners.ask('access/device', { agent_id: agentId })).body['data'];
      for (const each of [found, entry, holder]) assert.deepEqual({ email: each.email, name: each.name }, of);
      assert.deepEqual((await own.ask('me/first-steps')).body['data'], {
        device: false,
        client: false,
        technician: false,
      });
    });

    test('however many there are, all of them are listed, each once', async () => {
      const account = await service.account();
      const count = 501;
      for (let number = 0; number < count; number += 1) await account.department(`department ${number}`);

      const departments = await readList(account, 'team/departments');

      assert.equal(new Set(departments.map(({ name }) => name as string)).size, count);
    });

    test('only those who manage technicians can read them, and nobody of another account', async () => {
      const [account, other] = [await service.account(), await service.account()];
      await other.department();
      const plain = await account.member([
        { type: 'team', permissions: permissionIds('team').filter((each) => each !== 'team_user_admin') },
      ]);

      for (const id of lists)
        assert.equal((await (await openSignedInPanel(service, account, plain)).ask(id)).http, 403, id);
      assert.deepEqual(await readList(account, 'team/departments'), []);
      assert.deepEqual(
        (await readList(account, 'team/people')).map(({ email }) => email as string).toSorted(),
        [account.owner.email, plain.email].toSorted(),
      );
    });
  });
