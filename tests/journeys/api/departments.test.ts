/** Departments, through the public API, on both databases. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestPerson } from '../../kit/server/account.ts';
import { databases } from '../../kit/server/database.ts';
import { startService, type TestService } from '../../kit/server/service.ts';

interface Department {
  id: number;
  name: string;
  ldap: boolean;
  worker: boolean;
  create_time: number;
  modify_time: number;
}

const list = async (person: TestPerson, params = {}): Promise<(Department & { size: number })[]> =>
  (await person.call('team/department/list', params)).body['data'];
const info = async (person: TestPerson, id: number): Promise<Department & { members: object[] }> =>
  (await person.call('team/department/info', { id })).body['data'];

for (const { kind, skip } of databases)
  describe(`departments on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    test('a department is created, shown, renamed and removed', async () => {
      const { owner } = await service.account();
      const now = service.server.store.now();
      const { body } = await owner.call('team/department/create', { name: ' Field service ', worker: true });
      const id = body['id'] as number;
      const made = {
        id,
        name: 'Field service',
        ldap: false,
        worker: true,
        create_time: now,
        modify_time: now,
      };
      assert.deepEqual(body, { status: 0, id });
      assert.deepEqual(await list(owner), [{ ...made, size: 0 }]);
      assert.deepEqual(await info(owner, id), { ...made, members: [] });

      service.advance(5);
      assert.deepEqual((await owner.call('team/department/update', { id, name: 'Field' })).body, {
        status: 0,
      });
      assert.deepEqual(await list(owner), [{ ...made, name: 'Field', modify_time: now + 5, size: 0 }]);
      assert.deepEqual((await owner.call('team/department/remove', { id })).body, { status: 0 });

      assert.deepEqual(await list(owner), []);
      const gone = await owner.call('team/department/info', { id });
      assert.deepEqual([gone.http, gone.body.status], [403, 6]);
      assert.equal((await owner.call('team/department/remove', { id })).body.status, 1);
      assert.equal((await owner.call('team/department/update', { id, name: 'x' })).body.status, 1);
    });

    test('an update that changes nothing does not count as a change', async () => {
      const { owner } = await service.account();
      const { body } = await owner.call('team/department/create', { name: 'Office' });
      const made = await info(owner, body['id']);
      service.advance(5);

      for (const same of [{}, { name: 'Office' }, { name: ' Office ' }])
        assert.deepEqual((await owner.call('team/department/update', { id: made.id, ...same })).body, {
          status: 0,
        });
      assert.deepEqual(await info(owner, made.id), made);
      assert.equal((await owner.call('team/department/update', { id: 9_999_999 })).body.status, 1);
    });

    test('a department is for offices unless it is declared for workplaces', async () => {
      const { owner } = await service.account();

      const { body } = await owner.call('team/department/create', { name: 'Office' });

      assert.equal((await info(owner, body['id'])).worker, false);
    });

    test('members join and leave a department, once each, and it records when it changed', async () => {
      const account = await service.account();
      const { owner } = account;
      const [ann, bob] = [await account.member(), await account.member()];
      const id = await account.department();
      const created = service.server.store.now();
      const join = (person: TestPerson) =>
        owner.call('team/department/member/add', { id, email: person.email });
      const leave = (person: TestPerson) =>
        owner.call('team/department/member/remove', { id, email: person.email });

      service.advance(10);
      for (const person of [ann, bob, ann]) assert.deepEqual((await join(person)).body, { status: 0 });
      const members = [ann, bob].map((person) => ({ id: person.id, email: person.email }));
      const joined = await info(owner, id);
      assert.deepEqual([joined.members, joined.modify_time], [members, created + 10]);
      assert.equal((await list(owner))[0]!.size, 2);
      assert.deepEqual((await leave(ann)).body, { status: 0 });

      assert.deepEqual((await info(owner, id)).members, members.slice(1));
      const again = await leave(ann);
      assert.deepEqual([again.http, again.body.status], [403, 6]);
    });

    test('a department gives its permissions to its members only while they are in it', async () => {
      const account = await service.account();
      const { id: agent_id } = await account.agent();
      const [member, later] = [await account.member(), await account.member()];
      const { departmentId } = await account.grant(member, {
        type: 'agent',
        agentId: agent_id,
        permissions: ['agent_connect'],
        byDepartment: true,
      });
      const connect = async (person: TestPerson) => (await person.call('agents/connect', { agent_id })).http;
      assert.deepEqual([await connect(member), await connect(later)], [200, 403]);

      await account.owner.call('team/department/member/add', { id: departmentId!, email: later.email });
      assert.deepEqual([await connect(member), await connect(later)], [200, 200]);
      await account.owner.call('team/department/member/remove', { id: departmentId!, email: member.email });
      assert.deepEqual([await connect(member), await connect(later)], [403, 200]);
      await account.owner.call('team/department/remove', { id: departmentId! });

      assert.deepEqual([await connect(member), await connect(later)], [403, 403]);
    });

    test('a technician who is removed leaves all departments', async () => {
      const account = await service.account();
      const technician = await account.member();
      const id = await account.department();
      await account.owner.call('team/department/member/add', { id, email: technician.email });

      await account.owner.call('team/member/remove', { email: technician.email });

      assert.deepEqual((await info(account.owner, id)).members, []);
      assert.equal((await list(account.owner))[0]!.size, 0);
    });

    test('departments are found by part of their name in any case and script, page by page', async () => {
      const { owner } = await service.account();
      const names = [
        'Выезд',
        'Straße',
        '100%',
        '100',
        ...Array.from({ length: 20 }, (_, at) => `team ${at}`),
      ];
      for (const name of names) await owner.call('team/department/create', { name });
      const found = async (params: object) => (await list(owner, params)).map((each) => each.name);

      assert.deepEqual(await found({ search: 'ВЫЕ' }), ['Выезд']);
      assert.deepEqual(await found({ search: 'straß' }), ['Straße']);
      assert.deepEqual(await found({ search: '0%' }), ['100%']);
      assert.equal((await found({})).length, 20);
      assert.deepEqual(await found({ offset: 3, limit: 2 }), ['100', 'team 0']);
      assert.deepEqual(await found({ search: 'TEAM', offset: 19, limit: 100 }), ['team 19']);
      for (const wrong of [{ limit: 0 }, { limit: 101 }, { offset: -1 }])
        assert.equal((await owner.call('team/department/list', wrong)).http, 400);
    });

    test('members and departments of another account are not found', async () => {
      const [account, other] = [await service.account(), await service.account()];
      const [mine, outsider] = [await account.member(), await other.member()];
      const [id, foreign] = [await account.department(), await other.department()];
      const add = async (department: number, email: string) => {
        const { http, body } = await account.owner.call('team/department/member/add', {
          id: department,
          email,
        });
        return [http, body.status];
      };

      assert.deepEqual(await add(id, outsider.email), [403, 6]);
      assert.deepEqual(await add(foreign, mine.email), [403, 6]);
      assert.equal((await account.owner.call('team/department/info', { id: foreign })).body.status, 6);
      assert.equal((await account.owner.call('team/department/remove', { id: foreign })).http, 403);
      assert.deepEqual((await info(other.owner, foreign)).members, []);
    });

    test('departments are for those who manage the team', async () => {
      const account = await service.account();
      const other = await account.member([{ type: 'team', permissions: ['team_api_key'] }]);
      const id = await account.department('before');
      const { email } = other;

      const statuses = [
        await other.call('team/department/info', { id }),
        await other.call('team/department/create', { name: 'x' }),
        await other.call('team/department/update', { id, name: 'x' }),
        await other.call('team/department/remove', { id }),
        await other.call('team/department/member/add', { id, email }),
        await other.call('team/department/member/remove', { id, email }),
      ].map(({ http, body }) => [http, body.status]);

      assert.deepEqual(statuses, [
        [403, 8],
        [403, 6],
        [403, 6],
        [403, 8],
        [403, 6],
        [403, 6],
      ]);
      assert.equal((await info(account.owner, id)).name, 'before');
    });
  });
