/** The limits of a plan are exact, however many clients and servers there are. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Client } from '@drawbridge/client';
import type { Plan } from '@drawbridge/server/domain/people/plan';
import type { TestAccount } from '../kit/server/account.ts';
import { databases, openDatabaseFor, type TestDatabase } from '../kit/server/database.ts';
import { skipWithout } from '../kit/requirements.ts';
import { startNats } from '../kit/server/nats.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { createSharedSettings } from '../kit/server/shared-settings.ts';

const clientCount = 50;

for (const { kind, skip } of databases)
  describe(
    `${clientCount} clients on ${kind}, ${kind === 'sqlite' ? 'one server' : 'two servers'}`,
    { skip: skip || (kind === 'postgres' && skipWithout('nats-server')) },
    () => {
      let database: TestDatabase;
      let services: TestService[];
      const opened = new AsyncDisposableStack();
      before(async () => {
        database = await openDatabaseFor(kind);
        if (kind === 'sqlite') {
          services = [await startService({ env: database.env })];
          return;
        }
        const nats = opened.use(await startNats());
        const shared = opened.use(await createSharedSettings());
        const env = { ...database.env, ...shared.env, DRAWBRIDGE_BUS: nats.url };
        services = [await startService({ env }), await startService({ env })];
      });
      after(async () => {
        for (const service of services) await service[Symbol.asyncDispose]();
        await opened.disposeAsync();
        await database.drop();
      });

      /** An account whose plan is limited, and clients of its owner, spread over the servers. */
      async function gather(plan: Partial<Plan>): Promise<{ account: TestAccount; clients: Client[] }> {
        const account = await services[0]!.account();
        await services[0]!.server.store.change('plan/set', { accountId: account.id, plan });
        const clients = Array.from({ length: clientCount }, (_, at) =>
          services[at % services.length]!.testClient.sdkClient(account.owner.apiKey),
        );
        return { account, clients };
      }

      test('exactly as many requests pass as the hour allows, and nothing is done for the others', async () => {
        const limit = 120;
        const { account, clients } = await gather({ requests: limit });

        const rounds = await Promise.all(
          clients.map(async (client) => [
            await client.request('groups/create', { name: 'a' }),
            await client.request('groups/create', { name: 'b' }),
            await client.request('groups/create', { name: 'c' }),
            await client.request('groups/create', { name: 'd' }),
          ]),
        );

        const [passed, refused] = [200, 402].map((code) => rounds.flat().filter(({ http }) => http === code));
        assert.deepEqual([passed?.length, refused?.length], [limit, 4 * clientCount - limit]);
        const left = passed!.map(
          ({ headers }) => /^"hour";r=(\d+);t=3600$/.exec(headers.get('ratelimit')!)?.[1],
        );
        assert.deepEqual(
          left.map(Number).toSorted((a, b) => b - a),
          Array.from({ length: limit }, (_, at) => limit - 1 - at),
        );
        for (const { headers, body } of refused!) {
          assert.equal((body as { error?: { code: string } }).error?.code, 'request_limit');
          assert.equal(headers.get('retry-after'), '3600');
          assert.equal(headers.get('ratelimit'), '"hour";r=0;t=3600');
          assert.equal(headers.get('ratelimit-policy'), `"hour";q=${limit};w=3600`);
        }
        const groups = await services[0]!.server.store.groups.list(account.id, 'all');
        assert.equal(groups.length, limit);
      });

      test('exactly as many invitations are created as the month allows, and the others get 402', async () => {
        const { account, clients } = await gather({ invitations: 17 });

        const answers = await Promise.all(clients.map((client) => client.request('support/create', {})));

        const refused = answers.filter(({ http }) => http !== 200);
        assert.equal(refused.length, clientCount - 17);
        for (const { http, body } of refused)
          assert.deepEqual([http, (body as { error?: { code: string } }).error?.code], [402, 'plan_limit']);
        const { body } = await account.owner.call('support/list');
        assert.deepEqual([body['remain'], body['data'].length], [0, 17]);
      });

      test('the count resets with the next hour', async () => {
        const { account } = await gather({ requests: 1 });
        const ask = async () => (await account.owner.call('groups/list')).http;

        const codes = [await ask(), await ask()];
        for (const service of services) service.advance(3_600);

        assert.deepEqual([...codes, await ask()], [200, 402, 200]);
      });
    },
  );
