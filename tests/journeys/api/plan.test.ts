/** What the plan does to devices and requests, on both databases. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Plan } from '@drawbridge/server/domain/people/plan';
import { must, type TestAccount } from '../../kit/server/account.ts';
import { databases } from '../../kit/server/database.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { runSql } from '../../kit/server/raw-sql.ts';

const day = 86_400;

for (const { kind, skip } of databases)
  describe(`plans on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    const set = (account: TestAccount, plan: Partial<Plan>) =>
      must(service.server.store, 'plan/set', { accountId: account.id, plan });
    const agents = async ({ owner }: TestAccount) =>
      (await owner.call('agents/list')).body['data'] as { id: number; disabled: boolean; limited: boolean }[];
    const flags = async (account: TestAccount, flag: 'disabled' | 'limited') =>
      (await agents(account)).map((agent) => agent[flag]);
    const attach = (account: TestAccount, agentId: number) =>
      runSql(
        service,
        `insert into attached_file (account_id, agent_id, name, size, digest, create_time)
         values (${account.id}, ${agentId}, 'a file', 1, 'digest', 0)`,
      );

    test('the devices added last are blocked when the plan allows fewer', async () => {
      const account = await service.account();
      for (let count = 0; count < 4; count += 1) {
        await account.agent();
        service.advance(1);
      }
      assert.deepEqual(await flags(account, 'disabled'), [false, false, false, false]);

      await set(account, { computers: 2 });

      assert.deepEqual(await flags(account, 'disabled'), [false, false, true, true]);
      await set(account, { computers: 0 });
      assert.deepEqual(await flags(account, 'disabled'), [true, true, true, true]);
      await set(account, { computers: 4 });
      assert.deepEqual(await flags(account, 'disabled'), [false, false, false, false]);
      await set(account, { computers: null });
      assert.deepEqual(await flags(account, 'disabled'), [false, false, false, false]);
    });

    test('devices added in the same second are blocked in the order of their numbers', async () => {
      const account = await service.account();
      for (let count = 0; count < 3; count += 1) await account.agent();

      await set(account, { computers: 2 });

      assert.deepEqual(await flags(account, 'disabled'), [false, false, true]);
    });

    test('the link time counts, not the number: a merged device moves up with the earlier time', async () => {
      const account = await service.account();
      const oldest = await account.agent();
      service.advance(1);
      await account.agent();
      service.advance(1);
      const youngest = await account.agent();
      await set(account, { computers: 1 });

      await account.owner.call('agents/merge', { agent_id: oldest.id, target_agent_id: youngest.id });

      assert.deepEqual(await flags(account, 'disabled'), [true, false]);
    });

    test('a place that becomes free goes to the oldest blocked device', async () => {
      const account = await service.account();
      const first = await account.agent();
      service.advance(1);
      const [second, third] = [await account.agent(), await account.agent()];
      await set(account, { computers: 1 });
      const connect = async (agent_id: number) =>
        (await account.owner.call('agents/connect', { agent_id })).http;
      assert.deepEqual([await connect(second.id), await connect(third.id)], [403, 403]);

      await account.owner.call('agents/logout', { id: first.id });

      assert.deepEqual(await flags(account, 'disabled'), [false, true]);
      assert.deepEqual([await connect(second.id), await connect(third.id)], [200, 403]);
    });

    test('a device added while there are too many files is limited, and blocked ten days later', async () => {
      const account = await service.account();
      const early = await account.agent();
      await set(account, { files: 1 });
      await attach(account, early.id);
      await account.agent();
      await attach(account, early.id);
      const late = await account.agent();
      const connect = async () => (await account.owner.call('agents/connect', { agent_id: late.id })).http;

      assert.deepEqual(await flags(account, 'limited'), [false, false, true]);
      assert.deepEqual(await flags(account, 'disabled'), [false, false, false]);
      service.advance(10 * day - 1);
      assert.deepEqual([await flags(account, 'disabled'), await connect()], [[false, false, false], 200]);
      service.advance(1);

      assert.deepEqual([await flags(account, 'disabled'), await connect()], [[false, false, true], 403]);
      assert.deepEqual(await flags(account, 'limited'), [false, false, true]);
    });

    test('both flags clear when the account is within its plan again', async () => {
      const account = await service.account();
      const early = await account.agent();
      await set(account, { files: 0 });
      await attach(account, early.id);
      await account.agent();
      service.advance(10 * day);
      assert.deepEqual(await flags(account, 'disabled'), [false, true]);

      await set(account, { files: 1 });
      assert.deepEqual(
        [await flags(account, 'limited'), await flags(account, 'disabled')],
        [
          [false, false],
          [false, false],
        ],
      );
      await set(account, { files: 0 });
      assert.deepEqual(await flags(account, 'disabled'), [false, true]);
      const [file] = await runSql(service, `select id from attached_file where account_id = ${account.id}`);
      const id = Number(file!['id']);
      await service.server.store.change('files/remove', { accountId: account.id, id });

      assert.deepEqual(
        [await flags(account, 'limited'), await flags(account, 'disabled')],
        [
          [false, false],
          [false, false],
        ],
      );
    });

    test('beyond the requests of the hour nothing is done until the hour is over', async () => {
      const account = await service.account();
      await set(account, { requests: 3 });
      service.advance(3_600 - (service.server.store.now() % 3_600) + 600);
      const create = () => account.owner.call('groups/create', { name: 'a group' });
      const limitsOf = ({ headers }: Awaited<ReturnType<typeof create>>) =>
        ['ratelimit-policy', 'ratelimit', 'retry-after'].map((name) => headers.get(name));

      const first = await create();
      assert.deepEqual(
        [first.http, ...limitsOf(first)],
        [200, '"hour";q=3;w=3600', '"hour";r=2;t=3000', null],
      );
      await create();
      assert.equal((await create()).http, 200);
      const past = await create();

      assert.deepEqual([past.http, past.body.status, past.body.error?.code], [402, 1, 'request_limit']);
      assert.deepEqual(limitsOf(past), ['"hour";q=3;w=3600', '"hour";r=0;t=3000', '3000']);
      service.advance(2_999);
      assert.equal((await create()).http, 402);
      service.advance(1);
      const { body } = await account.owner.call('groups/list');
      assert.equal(body['data'].length, 3);
    });

    test('refused requests count too, and requests of another account do not', async () => {
      const [account, other] = [await service.account(), await service.account()];
      await set(account, { requests: 2 });
      await other.owner.call('groups/list');

      assert.equal((await account.owner.call('groups/create', {})).http, 400);
      assert.equal((await account.owner.call('agents/info', { agent_id: 1 })).http, 403);

      assert.equal((await account.owner.call('groups/list')).http, 402);
      assert.equal((await other.owner.call('groups/list')).http, 200);
    });

    test('a reached limit is reported by every operation, with a number if it has one', async () => {
      const account = await service.account();
      await set(account, { requests: 0 });

      const [list, update, close] = [
        await account.owner.call('agents/list'),
        await account.owner.call('agents/update', { id: 1 }),
        await account.owner.call('support/close', { connection_id: 1 }),
      ];

      assert.deepEqual([list.http, list.body.status], [402, undefined]);
      assert.deepEqual([update.http, update.body.status], [402, 1]);
      assert.deepEqual([close.http, close.body], [402, {}]);
    });

    test('the plan and its usage are shown; unlimited values have no limit', async () => {
      const account = await service.account();
      const now = service.server.store.now();
      const { id } = await account.agent();
      await attach(account, id);
      await account.owner.call('support/create');
      const unlimited = (await account.owner.call('plan/info')).body['data'];
      const month = new Date(now * 1_000);
      const resets = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1) / 1_000;

      await set(account, { computers: 5, invitations: 6, files: 7, requests: 8, recordingMb: 9 });
      const limited = (await account.owner.call('plan/info')).body['data'];

      const hour = now - (now % 3_600) + 3_600;
      assert.deepEqual(unlimited, {
        computers: { used: 1 },
        invitations: { used: 1, resets },
        files: { used: 1 },
        requests: { used: 0, resets: hour },
        recording_mb: { used: 0 },
      });
      assert.deepEqual(limited, {
        computers: { limit: 5, used: 1 },
        invitations: { limit: 6, used: 1, resets },
        files: { limit: 7, used: 1 },
        requests: { limit: 8, used: 1, resets: hour },
        recording_mb: { limit: 9, used: 0 },
      });
    });

    test('the plan is shown to those who manage it and nobody else', async () => {
      const account = await service.account();
      const [accountant, other] = [
        await account.member([{ type: 'team', permissions: ['team_billing_admin'] }]),
        await account.member([{ type: 'team', permissions: ['team_user_admin'] }]),
      ];

      assert.equal((await accountant.call('plan/info')).http, 200);
      assert.deepEqual((await other.call('plan/info')).body.error?.code, 'forbidden');
    });
  });
