/** The audit log, through the public API, on both databases. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import { findChainBreak } from '@drawbridge/server/domain/audit';
import { hashOf } from '@drawbridge/server/store/audit/audit';
import { must, type TestPerson } from '../../kit/server/account.ts';
import { databases } from '../../kit/server/database.ts';
import { eventually } from '../../kit/eventually.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { runSql } from '../../kit/server/raw-sql.ts';
import { requiredOf } from '../../conformance/bad-values.ts';
import { operationIds, operationTable } from '../../conformance/call-operation.ts';
import { withoutRights } from '../../conformance/callers/callers.ts';
import { operationRows } from '../../conformance/operation-rows/index.ts';
import { createResources } from '../../conformance/resources.ts';

interface Row {
  id: number;
  time: number;
  email: string;
  address: string;
  operation: string;
  says: string;
  outcome: string;
  input: Record<string, unknown>;
  hash: string;
}

/** The log as these tests read it: counted from the first entry after the account itself was created. */
async function list(person: TestPerson, params: object = {}): Promise<{ total: number; data: Row[] }> {
  const { total, data } = (await person.call('audit/list', params as never)).body as unknown as {
    total: number;
    data: Row[];
  };
  const isFiltered = ['operation', 'email', 'date_from', 'date_to'].some((name) => name in params);
  return {
    total: isFiltered ? total : total - 1,
    data: data.filter((row) => row.operation !== creation).map((row) => ({ ...row, id: row.id - 1 })),
  };
}
const creation = 'server/account-create';

for (const { kind, skip } of databases)
  describe(`the audit log on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    test('a change leaves one row that says who did what, when and from where', async () => {
      const { owner } = await service.account();

      await owner.call('groups/create', { name: 'attic' });

      const { total, data } = await list(owner);
      const { hash, ...row } = data[0]!;
      assert.equal(total, 1);
      assert.deepEqual(row, {
        id: 1,
        time: service.server.store.now(),
        email: owner.email,
        address: '127.0.0.1',
        operation: 'groups/create',
        says: 'Create a group of devices.',
        outcome: 'done',
        input: { name: 'attic' },
      });
      assert.match(hash, /^[0-9a-f]{64}$/);
    });

    test('rows come newest first and are numbered without a gap', async () => {
      const { owner } = await service.account();
      for (const name of ['one', 'two', 'three']) await owner.call('groups/create', { name });

      const { data } = await list(owner);

      assert.deepEqual(
        data.map((row) => [row.id, row.input['name']]),
        [
          [3, 'three'],
          [2, 'two'],
          [1, 'one'],
        ],
      );
    });

    test('a refusal leaves a row with its reason, whatever it was refused for', async () => {
      const account = await service.account();
      const technician = await account.member();
      const { id } = await account.agent();
      const expired = await account.key(technician, { expireTime: service.server.store.now() });

      await technician.call('agents/reboot', { id });
      await technician.call('agents/info', { agent_id: 987_654_321 });
      await technician.call('groups/create', {});
      await account.owner.call('agents/reboot', { id });
      await account.owner.call('team/role/remove', { id: 987_654_321 });
      await expired.call('agents/list');

      // The row for a key that is no longer valid is written after the response.
      const { data } = await eventually(
        () => list(account.owner),
        ({ total }) => total === 6,
      );
      assert.deepEqual(
        data.map((row) => [row.operation, row.outcome, row.email]),
        [
          ['agents/list', 'invalid_api_key', technician.email],
          ['team/role/remove', 'not_found', account.owner.email],
          ['agents/reboot', 'agent_offline', account.owner.email],
          ['groups/create', 'invalid_request', technician.email],
          ['agents/info', 'not_found', technician.email],
          ['agents/reboot', 'forbidden', technician.email],
        ],
      );
    });

    test('refusals beyond the request limit are recorded too', async () => {
      const account = await service.account();
      await must(service.server.store, 'plan/set', { accountId: account.id, plan: { requests: 0 } });
      await account.owner.call('groups/create', { name: 'attic' });
      await must(service.server.store, 'plan/set', { accountId: account.id, plan: { requests: null } });

      const { data } = await list(account.owner);

      assert.deepEqual(
        data.map((row) => [row.operation, row.outcome]),
        [['groups/create', 'request_limit']],
      );
    });

    test('a successful read leaves no row, and an unknown key leaves none anywhere', async () => {
      const account = await service.account();
      for (const id of ['agents/list', 'groups/list', 'team/role/list', 'support/list'] as const)
        await account.owner.call(id);
      const rows = async () => (await runSql(service, 'select count(*) as rows from audit'))[0]!['rows'];
      const was = await rows();
      await service.testClient.sdkClient('an unknown key').request('groups/create', { name: 'attic' });

      assert.deepEqual([(await list(account.owner)).total, await rows()], [0, was]);
    });

    test('every operation that is refused leaves exactly one row', async () => {
      const account = await service.account();
      const nobody = await account.member();
      let was = 0;
      for (const id of operationIds) {
        const { http } = await nobody.call(id, {});
        const { total, data } = await list(account.owner, { limit: 1 });

        const { outcome, openWithoutParameters } = operationRows[id];
        const isAllowed = openWithoutParameters === true || outcome(withoutRights.held) === 'done';
        const isRefused = !isAllowed || requiredOf(operationTable[id]).length > 0;
        assert.equal(http !== 200, isRefused, id);
        assert.equal(total - was, isRefused ? 1 : 0, id);
        if (isRefused) assert.deepEqual([data[0]!.operation, data[0]!.email], [id, nobody.email]);
        was = total;
      }
    });

    test('every operation that changes something leaves exactly one row', async () => {
      for (const id of operationIds.filter((each) => operationTable[each].method === 'POST')) {
        const resources = createResources(service, await service.account());
        const { owner } = resources.account;
        const params = await operationRows[id].request(resources, service);
        const { total: was } = await list(owner);

        const { http } = await owner.call(id, params, operationRows[id].file);
        const { total, data } = await list(owner, { limit: 1 });

        assert.equal(http, 200, id);
        assert.equal(total - was, 1, id);
        // The directory of these parameters is at an address that may not be used.
        const outcome = id === 'team/directory/run' ? 'address' : 'done';
        assert.deepEqual([data[0]!.operation, data[0]!.outcome], [id, outcome]);
      }
    });

    test('rows are found by operation, member and time, page by page', async () => {
      const account = await service.account();
      const { owner } = account;
      const technician = await account.member();
      const start = service.server.store.now();
      for (const name of ['one', 'two', 'three']) {
        await owner.call('groups/create', { name });
        service.advance(10);
      }
      await technician.call('groups/create', { name: 'four' });
      await owner.call('team/department/create', { name: 'five' });
      const found = async (params: object) => (await list(owner, params)).data.map((row) => row.id);

      assert.deepEqual(await found({ operation: 'groups/create' }), [4, 3, 2, 1]);
      assert.deepEqual(await found({ operation: 'groups' }), []);
      assert.deepEqual(await found({ email: technician.email.toUpperCase() }), [4]);
      assert.deepEqual(await found({ date_from: start + 10, date_to: start + 20 }), [3, 2]);
      assert.deepEqual(await found({ date_from: start + 31 }), []);
      assert.deepEqual(await found({ offset: 1, limit: 2 }), [4, 3]);
      assert.equal((await list(owner, { limit: 1, operation: 'groups/create' })).total, 4);
      for (const wrong of [
        { limit: 101 },
        { limit: 0 },
        { offset: -1 },
        { date_from: -1 },
        { email: 'nobody' },
      ])
        assert.equal((await owner.call('audit/list', wrong)).http, 400);
    });

    test('each row is chained to the one before it, over the whole life of an account', async () => {
      const account = await service.account();
      await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          at % 2
            ? account.owner.call('groups/create', { name: `${at}` })
            : account.owner.call('agents/reboot', {}),
        ),
      );

      const rows = await service.server.store.audit.chain(account.id, 0, 100);
      const head = await service.server.store.audit.head(account.id);

      assert.equal(rows.length, 21);
      let last = { seq: 0, hash: '' };
      for (const row of rows) {
        assert.equal(findChainBreak(row, last, hashOf), undefined);
        last = row;
      }
      assert.deepEqual(head, { seq: last.seq, hash: last.hash });
      const shown = (await list(account.owner)).data.toReversed();
      assert.deepEqual(
        shown.map((row) => row.hash),
        rows.slice(1).map((row) => row.hash),
      );
    });

    test('no secret is recorded: no key, no link, no token, no password', async () => {
      const account = await service.account();
      const { owner } = account;
      const { id } = await account.agent();
      const password = 'Canary-5-of-the-log';
      const secrets = [
        password,
        (await owner.call('keys/create')).body['api_key'],
        parseEnrolmentToken((await owner.call('agents/enroll/create')).body['token'] as string)?.secret,
        (await owner.call('team/member/invite', { email: 'guest@example.com' })).body['url'],
        (await owner.call('agents/connect', { agent_id: id })).body['data'].url,
        owner.apiKey,
      ] as string[];
      await owner.call('agents/update', { id, permanent_url: { enable: true, password } });
      await owner.call('agents/update', { id, permanent_url: { enable: true, password, url: 'admin' } });

      const text = JSON.stringify(await service.server.store.audit.chain(account.id, 0, 100));

      assert.ok(text.includes('agents/update'));
      for (const secret of secrets) assert.equal(text.includes(secret.split('/').at(-1)!), false);
    });

    test('the name of a client is in no row, because it is for the owner alone', async () => {
      const account = await service.account();
      const auditor = await account.member([{ type: 'team', permissions: ['team_security_log_admin'] }]);
      const { body } = await account.owner.call('support/create', { client_name: 'Ann Canary' });
      await account.owner.call('support/update', { connection_id: body['data'].id, name: 'Ann Canary' });

      const { data } = await list(auditor);

      assert.deepEqual(
        data.map((row) => [row.operation, row.input]),
        [
          ['support/update', { connection_id: body['data'].id }],
          ['support/create', {}],
        ],
      );
    });

    test('the log is for those who may see it, and only of their own account', async () => {
      const [account, other] = [await service.account(), await service.account()];
      const [auditor, technician] = [
        await account.member([{ type: 'team', permissions: ['team_security_log_admin'] }]),
        await account.member([{ type: 'team', permissions: ['team_user_admin'] }]),
      ];
      await other.owner.call('groups/create', { name: 'attic' });

      assert.equal((await list(auditor)).total, 0);
      assert.equal((await technician.call('audit/list')).http, 403);
      assert.equal((await list(other.owner)).total, 1);
    });
  });
