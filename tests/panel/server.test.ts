/** The pages for the server's administrators: its accounts and their plans, for nobody else. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isFault } from '@drawbridge/contract/faults';
import { freshLifetime } from '@drawbridge/contract/panel/step-up';
import { createMemoryBus } from '@drawbridge/server/bus/memory';
import { createLog } from '@drawbridge/server/edges/log';
import { digestOf } from '@drawbridge/server/edges/random';
import { createPanelEvents } from '@drawbridge/server/panel/live/events';
import { acmeFolderOf } from '@drawbridge/server/tls/acme/acme-files';
import { must, type TestAccount, type TestPerson } from '../kit/server/account.ts';
import { unreachableAuthority } from '../kit/acme/unreachable-authority.ts';
import { eventually } from '../kit/eventually.ts';
import { databases } from '../kit/server/database.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { openSignedInPanel, type PanelClient } from '../kit/server/panel.ts';

for (const { kind, skip } of databases)
  describe(`administering the server on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    /** A server administrator, just signed in. */
    async function operator(): Promise<{ panel: PanelClient; account: TestAccount }> {
      const account = await service.account();
      const member = { accountId: account.id, id: account.owner.id };
      await must(service.server.store, 'operators/add', { member });
      return { panel: await openSignedInPanel(service, account, account.owner), account };
    }

    test('the owner of the first account administers the server from the start', async () => {
      const [first] = await service.server.store.accounts.list();
      const [chief] = await service.server.store.members.operators();
      const panel = await openSignedInPanel(service, { id: chief!.accountId }, chief!);

      const { http, body } = await panel.ask('server/accounts');

      assert.equal(chief?.accountId, first?.accountId);
      assert.deepEqual([http, body['data'][0].account_id], [200, first?.accountId]);
      assert.equal((await panel.ask('me')).body['data'].operator, true);
    });

    test('nobody else gets in, not even the owner of another account', async () => {
      const account = await service.account();
      const other = await service.account();
      const panel = await openSignedInPanel(service, account, account.owner);
      const earlier = await service.server.store.plan.of(other.id);

      for (const [id, params] of [
        ['server/accounts', {}],
        ['server/certificate', {}],
        ['server/accounts/create', { email: 'new@example.com' }],
        ['server/accounts/plan', { account_id: other.id, computers: 1 }],
      ] as const) {
        const { http, body } = await panel.ask(id, params);
        assert.deepEqual([http, body.error?.code], [403, 'forbidden'], id);
      }
      assert.deepEqual(await service.server.store.plan.of(other.id), earlier);
    });

    test('without automatic certificates there is nothing to say about their renewal', async () => {
      const { panel } = await operator();

      const { http, body } = await panel.ask('server/certificate');

      assert.deepEqual([http, body['failure']], [200, undefined]);
    });

    test('an administrator who is removed from the list is out from the next request on', async () => {
      const { panel, account } = await operator();
      assert.equal((await panel.ask('server/accounts')).http, 200);

      const member = { accountId: account.id, id: account.owner.id };
      await must(service.server.store, 'operators/remove', { member, evenLast: false });

      assert.equal((await panel.ask('server/accounts')).body.error?.code, 'forbidden');
    });

    test('an account is listed with its plan and its usage', async () => {
      const { panel } = await operator();
      const account = await service.account();
      const { store } = service.server;
      await account.member();
      const { id } = await account.agent();
      await account.agent();
      await must(store, 'presence/renew', { node: 'n', agents: [{ id }], leaseUntil: store.now() + 30 });
      await account.owner.call('support/create');
      await must(store, 'plan/set', { accountId: account.id, plan: { computers: 5, recordingMb: 0 } });

      const { body } = await panel.ask('server/accounts', { search: account.owner.email });

      assert.deepEqual(body, {
        status: 0,
        total: 1,
        data: [
          {
            account_id: account.id,
            owner: account.owner.email,
            create_time: store.now(),
            members: 2,
            devices: 2,
            online: 1,
            plan: { computers: 5, invitations: null, files: null, requests: null, recording_mb: 0 },
            used: { computers: 2, invitations: 1, files: 0, requests: 0, recording_mb: 0 },
          },
        ],
      });
    });

    test('a new account is opened with a link that works once, and has no unknown key', async () => {
      const { panel, account } = await operator();
      const email = `new-${account.id}@example.com`;

      const { http, body } = await panel.ask('server/accounts/create', { email });

      assert.equal(http, 200);
      const [, token] = /^https:\/\/[^/]+\/sign-in\/([\w-]{43})$/.exec(body['url'] as string) ?? [];
      const { store } = service.server;
      const accountId = body['account_id'] as number;
      assert.deepEqual(await store.members.keys(accountId, 'all'), []);
      const { rows } = await store.audit.list(accountId, { offset: 0, limit: 9 });
      assert.deepEqual(
        rows.map((row) => [row.operation, row.email]),
        [['server/account-create', 'server operator']],
      );
      const used = await must(store, 'members/sign-in', { digest: digestOf(token!) });
      assert.equal(used.accountId, accountId);
      assert.equal((await panel.ask('server/accounts/create', { email })).body.error?.field, 'email');
      const own = await store.audit.list(account.id, { offset: 0, limit: 9 });
      assert.deepEqual(own.rows.map((row) => [row.operation, row.outcome]).slice(0, 2), [
        ['panel/server/accounts/create', 'invalid_request'],
        ['panel/server/accounts/create', 'done'],
      ]);
    });

    test('a plan changes limit by limit, and the account finds it in its own log', async () => {
      const { panel } = await operator();
      const account = await service.account();
      const { store } = service.server;
      const account_id = account.id;

      await panel.ask('server/accounts/plan', { account_id, computers: 3, recording_mb: 100 });
      const { body } = await panel.ask('server/accounts/plan', { account_id, computers: null });

      assert.deepEqual(body, { status: 0 });
      const none = { computers: null, invitations: null, files: null, requests: null };
      assert.deepEqual(await store.plan.of(account.id), { ...none, recordingMb: 100 });
      const { rows } = await store.audit.list(account.id, { offset: 0, limit: 2 });
      assert.deepEqual(
        rows.map(({ operation, email, input }) => [operation, email, input]),
        [
          ['server/plan-set', 'server operator', '{"computers":null}'],
          ['server/plan-set', 'server operator', '{"computers":3,"recording_mb":100}'],
        ],
      );
    });

    test('a plan of no account, and a plan without a limit, are refused', async () => {
      const { panel } = await operator();
      const ask = (params: object) => panel.ask('server/accounts/plan', { ...params });

      assert.equal(
        (await ask({ account_id: 9_007_199_254_740_991, files: 1 })).body.error?.code,
        'not_found',
      );
      assert.equal((await ask({ account_id: 1 })).body.error?.code, 'invalid_request');
      assert.equal((await ask({ account_id: 1, files: -1 })).body.error?.field, 'files');
      assert.equal((await ask({ account_id: 1, files: 2_147_483_648 })).body.error?.field, 'files');
    });

    test('accounts and plans are changed only with a fresh sign-in', async () => {
      const { panel, account } = await operator();
      service.advance(freshLifetime + 1);

      for (const [id, params] of [
        ['server/accounts/create', { email: 'late@example.com' }],
        ['server/accounts/plan', { account_id: account.id, files: 1 }],
      ] as const)
        assert.equal((await panel.ask(id, params)).body.error?.code, 'confirm_identity', id);
      assert.equal((await panel.ask('server/accounts')).http, 200);
    });
  });

/** Why the server has no new certificate, as its administrator learns it. */
async function readFailure(service: TestService) {
  const [chief] = await service.server.store.members.operators();
  const panel = await openSignedInPanel(service, { id: chief!.accountId }, chief!);
  return eventually(
    async () => (await panel.ask('server/certificate')).body['failure'],
    (found) => found !== undefined,
  );
}

test('an administrator learns that no certificate could be obtained, and why', async () => {
  await using service = await startService({ env: unreachableAuthority });

  const failure = await readFailure(service);

  assert.match(failure.error, /ECONNREFUSED/);
  assert.deepEqual([failure.attempts, failure.issued], [1, false]);
  assert.ok(failure.retry_time * 1_000 > Date.now());
  assert.equal(failure.expire_time * 1_000, service.server.certificate.notAfter.getTime());
});

test('an administrator learns of a failure that could not be stored', async () => {
  await using service = await startService({ env: unreachableAuthority });
  await readFailure(service);
  const stored = join(acmeFolderOf(service.folder), 'last-attempt.json');
  rmSync(stored);
  mkdirSync(stored); // a file cannot take its place
  await service.restart();

  assert.match((await readFailure(service)).error, /ECONNREFUSED/);
});

test('open panels of server administrators learn that something about the server changed, others do not', async () => {
  await using service = await startService();
  const { store } = service.server;
  const log = createLog({ level: 'silent' });
  const events = createPanelEvents({ store, bus: createMemoryBus(), log, node: 'test' });
  const account = await service.account();
  const operator = await account.member([]);
  await must(store, 'operators/add', { member: { accountId: account.id, id: operator.id } });
  /** The topics of the next batch, which ends with `me` for everybody. */
  const listenAs = async (person: TestPerson) => {
    await openSignedInPanel(service, account, person);
    const member = { accountId: account.id, memberId: person.id };
    const [session] = await store.panel.sessions(member);
    const stream = await events.subscribe({ ...member, sessionId: session!.id, lastId: undefined });
    assert.ok(!isFault(stream));
    return async () => {
      let text = '';
      for await (const bytes of stream) if ((text += String(bytes)).includes('"me"')) break;
      return [...text.matchAll(/"topic":"(\w+)"/g)].map(([, topic]) => topic);
    };
  };
  const readers = [await listenAs(operator), await listenAs(account.owner)];

  events.publishHere([{ topic: 'server' }, { topic: 'me' }]);

  assert.deepEqual(await Promise.all(readers.map((read) => read())), [['server', 'me'], ['me']]);
  events.close();
});
