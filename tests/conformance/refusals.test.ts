/**
 * How every operation refuses: the HTTP status code, the number and the error of each outcome, and that
 * nothing was changed.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { databases } from '../kit/server/database.ts';
import { must } from '../kit/server/account.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { callOperation, operationIds, operationTable } from './call-operation.ts';
import { badValuesOf, requiredOf, withValue } from './bad-values.ts';
import { openDatabaseProbe, type DatabaseProbe } from './database-probe.ts';
import { assertDone, assertRefused, hasEmptyBody } from './outcomes.ts';
import { operationRows } from './operation-rows/index.ts';
import { createResources } from './resources.ts';
import { type AccountResources } from './account-resources.ts';

/** Words of the validator, which people must never read. */
const validatorPhrase = /expected|received|invalid input|invalid option|too (big|small)/i;

for (const { kind, skip } of databases)
  describe(`refusals on ${kind}`, { skip }, () => {
    let service: TestService;
    let probe: DatabaseProbe;
    let resources: AccountResources;
    before(async () => {
      service = await startService({ database: kind });
      probe = await openDatabaseProbe(service);
      resources = createResources(service, await service.account());
    });
    after(async () => {
      await probe.close();
      await service[Symbol.asyncDispose]();
    });

    /** Sends requests that must all be refused: nothing changes, and each leaves one row in the log. */
    async function refusing(work: () => Promise<unknown>[]): Promise<void> {
      const earlier = await probe.digest(resources.account.id);
      let count = 0;
      const lines = await probe.linesOf(resources.account.id, async () => {
        const running = work();
        count = running.length;
        await Promise.all(running);
      });
      assert.equal(lines.length, count);
      assert.ok(lines.every(({ outcome }) => outcome !== 'done'));
      assert.deepEqual(await probe.digest(resources.account.id), earlier);
    }

    for (const id of operationIds)
      test(`${id} refuses every invalid value of its fields`, async () => {
        const params = await operationRows[id].request(resources, service);
        const { apiKey } = resources.account.owner;

        await refusing(() =>
          badValuesOf(id, operationTable[id]).map(async (bad) => {
            const answer = await callOperation(service.testClient, id, withValue(params, bad), { apiKey });
            const because = `with ${bad.field} = ${JSON.stringify(bad.value).slice(0, 40)}`;
            // A list names its element, and what cannot be parsed at all has no field to name.
            const field = answer.body.error?.field?.replace(/\.\d+$/, '');
            if (!hasEmptyBody(id)) assert.equal(field, bad.field, `${id} ${because}: ${answer.text}`);
            assert.doesNotMatch(answer.text, validatorPhrase);
            assertRefused(id, answer, 'invalid', { because });
          }),
        );
      });

    test('every operation refuses a request that lacks a required field, and names the field', async () => {
      for (const id of operationIds) {
        const params = await operationRows[id].request(resources, service);
        const { apiKey } = resources.account.owner;
        await refusing(() =>
          requiredOf(operationTable[id]).map(async ({ name: field }) => {
            const { [field]: _left, ...rest } = params;
            const answer = await callOperation(service.testClient, id, rest, { apiKey });
            assertRefused(id, answer, 'invalid', {
              ...(!hasEmptyBody(id) && { field }),
              because: `without ${field}`,
            });
            if (!hasEmptyBody(id)) assert.equal(answer.body.error?.message, `${field} is missing.`);
          }),
        );
      }
    });

    test('every operation that takes a body refuses one that is not a JSON object', async () => {
      const { apiKey } = resources.account.owner;
      const bodies = [
        '[]',
        '"x"',
        '1',
        'null',
        '{',
        '{"id":1,"id":2}',
        '{"id":9007199254740993}',
        '\ufeff{}',
      ];
      for (const id of operationIds.filter(
        (each) => operationTable[each].method === 'POST' && !operationTable[each].from,
      ))
        await refusing(() =>
          bodies.map(async (raw) => {
            const answer = await callOperation(service.testClient, id, {}, { apiKey, raw });
            assertRefused(id, answer, 'invalid', { because: `with the body ${raw}` });
          }),
        );
    });

    test('every operation refuses a body over 64 KiB, and accepts one up to that', async () => {
      const { apiKey } = resources.account.owner;
      for (const id of operationIds.filter(
        (each) => operationTable[each].method === 'POST' && !operationTable[each].from,
      )) {
        // A list is refused for another reason once it has been read.
        const filled = (size: number): string => `["${'x'.repeat(size - 4)}"]`;

        const answers = await Promise.all(
          [64 * 1024 + 1, 64 * 1024].map((size) =>
            callOperation(service.testClient, id, {}, { apiKey, raw: filled(size) }),
          ),
        );

        assertRefused(id, answers[0]!, 'invalid', { because: 'with a large body' });
        assert.match(answers[0]!.body.error!.message, /64 KiB/);
        assert.match(answers[1]!.body.error!.message, /must be a JSON object/);
      }
    });

    test('every operation refuses a parameter that is given twice', async () => {
      const { apiKey } = resources.account.owner;
      for (const id of operationIds.filter(
        (each) => operationTable[each].method === 'GET' || operationTable[each].from === 'query',
      )) {
        const answer = await callOperation(service.testClient, id, {}, { apiKey, raw: 'limit=1&limit=2' });
        assertRefused(id, answer, 'invalid', { because: 'with limit twice' });
      }
    });

    test('every operation answers a missing key, an unknown one and a malformed one with the same bytes', async () => {
      for (const id of operationIds) {
        const params = await operationRows[id].request(resources, service);
        const keys = [undefined, '', 'x', 'A'.repeat(64), 'é', `${resources.account.owner.apiKey}x`];

        const answers = await Promise.all(
          keys.map((apiKey) => callOperation(service.testClient, id, params, { apiKey })),
        );

        for (const answer of answers) assertRefused(id, answer, 'unauthenticated');
        assert.equal(new Set(answers.map(({ text }) => text)).size, 1, id);
      }
    });

    test('beyond the request limit of the plan every operation answers 402 and does nothing', async () => {
      const account = await service.account();
      const poor = createResources(service, account);
      const params = new Map(
        await Promise.all(
          operationIds.map(async (id) => [id, await operationRows[id].request(poor, service)] as const),
        ),
      );
      await must(service.server.store, 'plan/set', { accountId: account.id, plan: { requests: 0 } });
      const earlier = await probe.digest(account.id);

      const lines = await probe.linesOf(account.id, async () => {
        for (const id of operationIds) {
          const answer = await callOperation(service.testClient, id, params.get(id)!, {
            apiKey: account.owner.apiKey,
          });
          assertRefused(id, answer, 'plan_exceeded');
          assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/, id);
          assert.equal(answer.headers['ratelimit'], `"hour";r=0;t=${String(answer.headers['retry-after'])}`);
        }
      });

      assert.deepEqual(
        lines.map(({ operation, outcome }) => [operation, outcome]),
        operationIds.map((id) => [id, 'request_limit']),
      );
      assert.deepEqual(await probe.digest(account.id), earlier);
    });

    test('an invitation beyond the plan of the month is answered 402', async () => {
      const account = await service.account();
      await must(service.server.store, 'plan/set', { accountId: account.id, plan: { invitations: 1 } });
      const create = () =>
        callOperation(service.testClient, 'support/create', {}, { apiKey: account.owner.apiKey });

      assertDone('support/create', await create());
      assert.equal((await account.owner.call('support/list')).body['remain'], 0);
      assertRefused('support/create', await create(), 'plan_exceeded', { code: 'plan_limit' });
      assert.equal(((await account.owner.call('support/list')).body['data'] as unknown[]).length, 1);
    });
  });

for (const { kind, skip } of databases)
  test(
    `when the database fails, every operation on ${kind} answers 500 and reveals nothing of the cause`,
    { skip },
    async () => {
      await using service = await startService({ database: kind });
      const probe = await openDatabaseProbe(service);
      const resources = createResources(service, await service.account());
      const params = new Map(
        await Promise.all(
          operationIds.map(async (id) => [id, await operationRows[id].request(resources, service)] as const),
        ),
      );
      await probe.run('alter table api_key rename to api_key_lost');
      await probe.close();

      for (const id of operationIds) {
        const answer = await callOperation(service.testClient, id, params.get(id)!, {
          apiKey: resources.account.owner.apiKey,
        });
        assertRefused(id, answer, 'internal');
        assert.doesNotMatch(answer.text, /api_key_lost|api_key|table|relation|select| at /);
      }
    },
  );
