/** The members of an account, through the public API, on both databases. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isFault } from '@drawbridge/contract/faults';
import { digestOf } from '@drawbridge/server/edges/random';
import type { TestPerson, TestAccount } from '../../kit/server/account.ts';
import { databases } from '../../kit/server/database.ts';
import { startService, type TestService } from '../../kit/server/service.ts';

const day = 86_400;

for (const { kind, skip } of databases)
  describe(`members on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    let invited = 0;
    const freshEmail = (): string => `new-${(invited += 1)}@example.com`;
    const invite = async ({ owner }: TestAccount, email: string) =>
      (await owner.call('team/member/invite', { email })).body as unknown as {
        status: number;
        id: number;
        url: string;
      };
    const list = async (person: TestPerson, params = {}) =>
      (await person.call('team/member/list', params)).body as unknown as {
        total: number;
        data: { id: number; email: string; owner: boolean; state: string; departments: object[] }[];
      };
    const takeUp = async (url: string) => {
      const prefix = `${service.server.config.publicUrl}/invite/`;
      assert.ok(url.startsWith(prefix));
      return service.server.store.change('members/sign-in', { digest: digestOf(url.slice(prefix.length)) });
    };

    test('an account begins with only its owner', async () => {
      const { owner } = await service.account();

      assert.deepEqual(await list(owner), {
        total: 1,
        data: [
          {
            id: owner.id,
            email: owner.email,
            owner: true,
            state: 'active',
            create_time: service.server.store.now(),
            departments: [],
          },
        ],
      });
    });

    test('an invited technician can be granted roles at once, and is active after following the link', async () => {
      const account = await service.account();
      const email = freshEmail();
      const { status, id, url } = await invite(account, email);
      assert.equal(status, 0);
      const role = (await account.owner.call('team/role/list', { type: 'team' })).body['data'][0]
        .id as number;
      const state = async () => (await list(account.owner)).data.find((each) => each.id === id)?.state;

      const granted = await account.owner.call('team/member/access/add', { email, role_id: role });
      assert.deepEqual([granted.body, await state()], [{ status: 0 }, 'invited']);
      assert.deepEqual(await takeUp(url), { accountId: account.id, memberId: id });

      assert.equal(await state(), 'active');
    });

    test('an invitation is used once, within seven days, and a new one replaces the one before', async () => {
      const account = await service.account();
      const email = freshEmail();
      const first = await invite(account, email);
      const second = await invite(account, email);
      assert.equal(first.id, second.id);

      assert.equal(isFault(await takeUp(first.url)), true);
      service.advance(7 * day - 1);
      assert.equal(isFault(await takeUp(second.url)), false);
      assert.equal(isFault(await takeUp(second.url)), true);
      const late = await invite(account, freshEmail());
      service.advance(7 * day);

      assert.equal(isFault(await takeUp(late.url)), true);
    });

    test('a member of the account is not invited again, however the address is written', async () => {
      const account = await service.account();
      const email = freshEmail();
      await takeUp((await invite(account, email)).url);

      for (const spelt of [email, email.toUpperCase(), account.owner.email]) {
        const { http, body } = await account.owner.call('team/member/invite', { email: spelt });
        assert.deepEqual([http, body.status, body.error?.code], [400, 1, 'already_member']);
      }
      assert.equal((await list(account.owner)).total, 2);
    });

    test('one address may belong to several accounts, which do not know of each other', async () => {
      const [account, other] = [await service.account(), await service.account()];
      const email = freshEmail();
      const [here, there] = [await invite(account, email), await invite(other, email)];

      assert.notEqual(here.id, there.id);
      await account.owner.call('team/member/remove', { email });

      assert.equal((await list(other.owner)).total, 2);
    });

    test('a removed technician has no key, grant or link left, from this moment on', async () => {
      const account = await service.account();
      const { id: agent_id } = await account.agent();
      const technician = await account.member([
        { type: 'agent', agentId: agent_id, permissions: ['agent_connect'] },
      ]);
      const second = await account.key(technician);
      const url = (await technician.call('agents/connect', { agent_id })).body['data'].url as string;
      assert.equal((await second.call('agents/list')).http, 200);

      assert.deepEqual((await account.owner.call('team/member/remove', { email: technician.email })).body, {
        status: 0,
      });

      for (const key of [technician, second]) {
        const { http, body } = await key.call('agents/list');
        assert.deepEqual([http, body.error?.code], [403, 'invalid_api_key']);
      }
      const digest = digestOf(url.split('/').at(-1)!);
      assert.equal(isFault(await service.server.store.change('links/consume', { digest })), true);
      assert.equal((await list(account.owner)).total, 1);
      assert.deepEqual(
        (await account.owner.call('keys/list')).body['data'].map((key: { email: string }) => key.email),
        [account.owner.email],
      );
      const access = await account.owner.call('team/member/access/list', { email: technician.email });
      assert.deepEqual([access.http, access.body.status], [403, 1]);
    });

    test('a member who returns starts without the permissions they had', async () => {
      const account = await service.account();
      const email = freshEmail();
      const { id } = await invite(account, email);
      const role_id = (await account.owner.call('team/role/list', { type: 'team' })).body['data'][0]
        .id as number;
      await account.owner.call('team/member/access/add', { email, role_id });
      await account.owner.call('team/member/remove', { email });

      const again = await invite(account, email);

      assert.notEqual(again.id, id);
      const { body } = await account.owner.call('team/member/access/list', { email });
      assert.deepEqual(body['data'].roles, []);
    });

    test('the owner is not removed, and an unknown member is not found', async () => {
      const [account, other] = [await service.account(), await service.account()];
      const outsider = await other.member();
      const remove = async (email: string) => {
        const { http, body } = await account.owner.call('team/member/remove', { email });
        return [http, body.status];
      };

      assert.deepEqual(await remove(account.owner.email), [400, 1]);
      assert.deepEqual(await remove(outsider.email), [403, 6]);
      assert.deepEqual(await remove('nobody@example.com'), [403, 6]);
      assert.equal((await account.owner.call('groups/list')).http, 200);
      assert.equal((await outsider.call('groups/list')).http, 200);
    });

    test('members are listed with their departments, found by part of the address, page by page', async () => {
      const account = await service.account();
      const [ann, bob] = [await account.member(), await account.member()];
      const id = await account.department('Field');
      await account.owner.call('team/department/member/add', { id, email: bob.email });

      const everyone = await list(account.owner);
      assert.deepEqual(
        everyone.data.map((each) => [each.id, each.departments]),
        [
          [account.owner.id, []],
          [ann.id, []],
          [bob.id, [{ id, name: 'Field' }]],
        ],
      );
      const found = await list(account.owner, { search: bob.email.slice(2).toUpperCase() });
      assert.deepEqual([found.total, found.data[0]?.id], [1, bob.id]);
      const page = await list(account.owner, { offset: 1, limit: 1 });
      assert.deepEqual([page.total, page.data.map((each) => each.id)], [3, [ann.id]]);
      assert.deepEqual((await list(account.owner, { search: '%' })).total, 0);
    });

    test('members are invited, listed and removed by those who manage the team', async () => {
      const account = await service.account();
      const [admin, other] = [
        await account.member([{ type: 'team', permissions: ['team_user_admin'] }]),
        await account.member([{ type: 'team', permissions: ['team_api_key'] }]),
      ];
      const email = freshEmail();

      const refused = [
        await other.call('team/member/invite', { email }),
        await other.call('team/member/remove', { email: admin.email }),
      ];
      for (const { http, body } of refused) assert.deepEqual([http, body.status], [403, 8]);
      assert.equal((await other.call('team/member/list')).http, 403);

      assert.equal((await admin.call('team/member/invite', { email })).body.status, 0);
      assert.equal((await list(admin)).total, 4);
      assert.equal((await admin.call('team/member/remove', { email })).body.status, 0);
    });
  });
