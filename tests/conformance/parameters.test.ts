/**
 * How parameters are read: numbers, booleans and ids exactly, extras ignored, bodies of any type, and only
 * the right URLs.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { databases } from '../kit/server/database.ts';
import type { TestAccount } from '../kit/server/account.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { callOperation, operationIds, toQuery, operationTable } from './call-operation.ts';
import { assertDone, assertRefused, hasEmptyBody } from './outcomes.ts';
import { operationRows } from './operation-rows/index.ts';
import { insertInvitation, createResources } from './resources.ts';

/** The POSTs that carry their parameters in the query, and no file in the body. */
const queryPosts = operationIds.filter(
  (id) =>
    operationTable[id].method === 'POST' && operationTable[id].from === 'query' && !operationRows[id].file,
);

/** The lists that have pages. */
const pagedLists = operationIds.filter((id) => 'limit' in operationTable[id].input.shape);

for (const { kind, skip } of databases)
  describe(`parameters on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    const apiKeyOf = ({ owner }: TestAccount) => ({ apiKey: owner.apiKey });

    test('every operation ignores unknown fields', async () => {
      for (const id of operationIds) {
        const resources = createResources(service, await service.account());
        const params = {
          ...(await operationRows[id].request(resources, service)),
          unheard_of: 'x',
          Limit: 0,
        };

        assertDone(id, await callOperation(service.testClient, id, params, apiKeyOf(resources.account)));
      }
    });

    test('a JSON body is read whatever its Content-Type, or without one', async () => {
      const account = await service.account();
      const raw = JSON.stringify({ name: 'Harbour' });
      const post = (headers: Record<string, string>) =>
        service.testClient.send({
          method: 'POST',
          path: '/v1/groups/create',
          body: raw,
          headers: { 'X-Api-Key': account.owner.apiKey, ...headers },
        });

      const types = [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=latin1',
        'nonsense',
        'multipart/form-data',
        '',
      ];
      const answers = await Promise.all([post({}), ...types.map((type) => post({ 'Content-Type': type }))]);

      assert.deepEqual(
        answers.map(({ http }) => http),
        answers.map(() => 200),
      );
    });

    for (const id of queryPosts)
      test(`${id} reads its parameters from the query, with an empty body, any body and any Content-Type`, async () => {
        const bodies = [undefined, '', '{}', '{"connection_id":0,"agent_id":0}', 'not json', '\u0000'];
        const types = [undefined, 'application/json', 'text/plain', 'application/x-www-form-urlencoded', 'x'];
        for (const [index, body] of bodies.entries())
          for (const type of index < 2 ? types : types.slice(0, 2)) {
            const resources = createResources(service, await service.account());
            const query = toQuery(await operationRows[id].request(resources, service));

            const answer = await service.testClient.send({
              method: 'POST',
              path: `/v1/${id}?${query}`,
              headers: {
                'X-Api-Key': resources.account.owner.apiKey,
                ...(type !== undefined && { 'Content-Type': type }),
              },
              ...(body !== undefined && { body }),
            });

            assert.equal(answer.http, 200, `${id} ${body} ${type}: ${answer.text}`);
          }
      });

    test('true, false, 1 and 0 are booleans in a query; in JSON only true and false are', async () => {
      const resources = createResources(service, await service.account());
      const { id } = await resources.agent();
      const connect = (video: string) =>
        callOperation(
          service.testClient,
          'agents/connect',
          {},
          { ...apiKeyOf(resources.account), raw: `agent_id=${id}&video=${video}` },
        );

      for (const video of ['true', 'false', '1', '0']) assertDone('agents/connect', await connect(video));
      for (const video of ['True', 'yes', '', '2'])
        assertRefused('agents/connect', await connect(video), 'invalid', { field: 'video' });
      for (const safe of [1, 0, 'true'])
        assertRefused(
          'agents/reboot',
          await callOperation(service.testClient, 'agents/reboot', { id, safe }, apiKeyOf(resources.account)),
          'invalid',
          { field: 'safe' },
        );
    });

    test('an id is compared exactly, up to the largest valid one', async () => {
      const resources = createResources(service, await service.account());
      const { id } = await resources.agent();
      const wake = (raw: string) =>
        callOperation(
          service.testClient,
          'agents/logout',
          {},
          { ...apiKeyOf(resources.account), raw: `{"id":${raw}}` },
        );
      const info = (raw: string) =>
        callOperation(
          service.testClient,
          'agents/info',
          {},
          { ...apiKeyOf(resources.account), raw: `agent_id=${raw}` },
        );

      assertRefused('agents/logout', await wake('9007199254740991'), 'not_found');
      assertRefused('agents/info', await info('9007199254740991'), 'not_found');
      for (const raw of [
        '9007199254740992',
        '9007199254740993',
        '99999999999999999999',
        '1e400',
        '0',
        '-1',
        `${id}.5`,
        `"${id}"`,
      ]) {
        assertRefused('agents/logout', await wake(raw), 'invalid');
        assertRefused('agents/info', await info(encodeURIComponent(raw)), 'invalid');
      }
      assertDone('agents/info', await info(String(id)));
    });

    test('lists have 20 entries by default, at most 100, and continue where the last page ended', async () => {
      const account = await service.account();
      for (let number = 0; number < 105; number++)
        await account.department(`department ${String(number).padStart(3, '0')}`);
      const page = async (raw: string) => {
        const answer = await callOperation(
          service.testClient,
          'team/department/list',
          {},
          { ...apiKeyOf(account), raw },
        );
        return (answer.body['data'] as { name: string }[]).map(({ name }) => Number(name.slice(-3)));
      };
      const numbers = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, index) => from + index);

      assert.deepEqual(await page(''), numbers(0, 20));
      assert.deepEqual(await page('limit=100'), numbers(0, 100));
      assert.deepEqual(await page('limit=1'), [0]);
      assert.deepEqual(await page('offset=20'), numbers(20, 40));
      assert.deepEqual(await page('offset=90&limit=100'), numbers(90, 105));
      assert.deepEqual(await page('offset=105'), []);
      assert.deepEqual(await page('offset=9007199254740991'), []);
    });

    for (const id of pagedLists)
      test(`${id} refuses a limit of 0, of 101 or of no number, and a negative offset`, async () => {
        const resources = createResources(service, await service.account());
        const params = toQuery(await operationRows[id].request(resources, service));
        const ask = (raw: string) =>
          callOperation(
            service.testClient,
            id,
            {},
            { ...apiKeyOf(resources.account), raw: `${raw}&${params}` },
          );
        const raws = [
          'limit=0',
          'limit=101',
          'limit=-1',
          'limit=abc',
          'limit=',
          'offset=-1',
          'offset=abc',
          'offset=1.5',
        ];

        for (const raw of raws) assertRefused(id, await ask(raw), 'invalid', { field: raw.split('=')[0]! });
        assertDone(id, await ask('limit=100&offset=0'));
      });

    test('a list of roles filters by type, and refuses unknown types', async () => {
      const { owner } = await service.account();
      const types = async (type: string) =>
        ((await owner.call('team/role/list', { type })).body['data'] as { type: string }[]).map(
          (role) => role.type,
        );

      assert.deepEqual(await types('team'), ['team']);
      assert.deepEqual(await types('agent'), ['agent', 'agent']);
      assert.equal((await owner.call('team/role/list', { type: 'Team' })).http, 400);
    });

    test('only the row’s own method reaches an operation; every other is an unknown URL', async () => {
      const resources = createResources(service, await service.account());
      for (const id of operationIds)
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
          (each) => each !== operationTable[id].method,
        )) {
          const answer = await service.testClient.send({
            method,
            path: `/v1/${id}`,
            headers: { 'X-Api-Key': resources.account.owner.apiKey },
          });

          assert.equal(answer.http, 404, `${method} ${id}`);
          assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
          assert.deepEqual(Object.keys(JSON.parse(answer.text) as object), ['error']);
          assert.equal((JSON.parse(answer.text) as { error: { code: string } }).error.code, 'unknown_url');
        }
    });

    test('an operation has one spelling; another is an unknown URL', async () => {
      const resources = createResources(service, await service.account());
      for (const id of operationIds) {
        const params = toQuery(await operationRows[id].request(resources, service));
        const spellings = [
          `/v1/${id}/`,
          `/v1/${id.toUpperCase()}`,
          `/V1/${id}`,
          `//v1/${id}`,
          `/v1//${id}`,
          `/v1/${id}.json`,
          `/v2/${id}`,
          `/${id}`,
          `/v1/./${id}`,
          `/v1/${id}%2f`,
          `/v1/${id};x`,
        ];
        for (const path of spellings) {
          const answer = await service.testClient.send({
            method: operationTable[id].method,
            path: `${path}?${params}`,
            headers: { 'X-Api-Key': resources.account.owner.apiKey },
          });
          assert.equal(answer.http, 404, path);
        }
      }
    });

    test('closing an invitation returns no body at all, done or refused, and the status code tells which', async () => {
      const account = await service.account();
      const [mine, helper] = [
        await insertInvitation(service, account, account.owner),
        await account.member(),
      ];
      const close = (raw: string, apiKey: string | undefined = account.owner.apiKey) =>
        callOperation(service.testClient, 'support/close', {}, { apiKey, raw });

      const answers = [
        await close(`connection_id=${mine.id}`, helper.apiKey),
        await close(`connection_id=${mine.id}`, 'unknown'),
        await close('connection_id=0'),
        await close(''),
        await close('connection_id=9007199254740991'),
        await close(`connection_id=${mine.id}`),
        await close(`connection_id=${mine.id}`),
      ];

      assert.deepEqual(
        answers.map(({ http }) => http),
        [403, 403, 400, 400, 403, 200, 400],
      );
      for (const { text, headers } of answers) {
        assert.equal(text, '');
        assert.equal(headers['content-length'], '0');
      }
      assert.equal(
        (await account.owner.call('support/info', { connection_id: mine.id })).body['data'].status,
        3,
      );
    });

    test('refusals are declared as JSON in UTF-8, like replies', async () => {
      const { owner } = await service.account();
      for (const id of operationIds.filter((each) => !hasEmptyBody(each))) {
        const answers = [
          await callOperation(service.testClient, id, {}),
          await callOperation(service.testClient, id, {}, { apiKey: owner.apiKey, raw: 'x&x' }),
        ];
        for (const { headers } of answers)
          assert.equal(headers['content-type'], 'application/json; charset=utf-8', id);
      }
    });
  });
