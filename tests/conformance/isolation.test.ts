/**
 * Another account's resource, one that never existed and a removed one of one's own get byte-identical
 * responses.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OperationId } from '@drawbridge/contract/v1/index';
import { databases } from '../kit/server/database.ts';
import { must, type TestAccount } from '../kit/server/account.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { callOperation, operationIds, type OperationResponse } from './call-operation.ts';
import { createTechnician, withAllRights } from './callers/callers.ts';
import { openDatabaseProbe, type DatabaseProbe } from './database-probe.ts';
import { assertRefused } from './outcomes.ts';
import type { OperationParams, ResourceKind } from './operation-rows/row.ts';
import { namedParameters, operationRows } from './operation-rows/index.ts';
import { createResources, uniqueText } from './resources.ts';
import { type AccountResources } from './account-resources.ts';

/** Every parameter that names a resource. */
const pairs = operationIds.flatMap((id) => namedParameters(id).map((named) => ({ id, ...named })));

type NamedPair = Pick<(typeof pairs)[number], 'id' | 'parameter' | 'isFilter'>;

type Names = Record<ResourceKind, number | string>;

for (const { kind: database, skip } of databases)
  describe(`isolation on ${database}`, { skip }, () => {
    let service: TestService;
    let probe: DatabaseProbe;
    let home: TestAccount;
    let foreign: Names;
    let removed: Names;
    let abroad: TestAccount;
    const neverExisted: Names = {
      agent: 9_007_199_254_740_991,
      device: 999_999_999_999,
      group: 9_007_199_254_740_991,
      role: 9_007_199_254_740_991,
      department: 9_007_199_254_740_991,
      invitation: 9_007_199_254_740_991,
      key: 9_007_199_254_740_991,
      token: 9_007_199_254_740_991,
      directory: 9_007_199_254_740_991,
      provider: 9_007_199_254_740_991,
      scimToken: 9_007_199_254_740_991,
      webhook: 9_007_199_254_740_991,
      file: 9_007_199_254_740_991,
      session: 9_007_199_254_740_991,
      request: 9_007_199_254_740_991,
      email: 'nobody@example.com',
    };

    before(async () => {
      service = await startService({ database });
      probe = await openDatabaseProbe(service);
      [home, abroad] = [await service.account(), await service.account()];
      foreign = await namesOf(createResources(service, abroad));
      removed = await removedNames();
    });
    after(async () => {
      await probe.close();
      await service[Symbol.asyncDispose]();
    });

    const namesOf = async (resources: AccountResources): Promise<Names> => ({
      agent: (await resources.agent()).id,
      device: (await resources.agent()).deviceId,
      group: await resources.group(),
      role: await resources.role(),
      department: await resources.department(),
      directory: await resources.directory(),
      provider: await resources.provider(),
      scimToken: await resources.scimToken(),
      webhook: await resources.webhook(),
      invitation: await resources.invitation(),
      key: await resources.key(),
      token: await resources.token(),
      file: await resources.file(),
      session: await resources.session(),
      request: await resources.request(),
      email: (await resources.colleague()).email,
    });

    /** One of everything that existed and was removed. */
    async function removedNames(): Promise<Names> {
      const resources = createResources(service, home);
      const names = await namesOf(resources);
      const { store } = service.server;
      const accountId = home.id;
      await must(store, 'keys/revoke', { accountId, memberId: 'all', id: names.key as number });
      await must(store, 'enroll/revoke', { accountId, id: names.token as number });
      await must(store, 'agents/remove', { accountId, id: names.agent as number });
      await must(store, 'groups/remove', { accountId, id: names.group as number });
      await must(store, 'roles/remove', { accountId, id: names.role as number });
      await must(store, 'directories/remove', { accountId, id: names.directory as number });
      await must(store, 'providers/remove', { accountId, id: names.provider as number });
      await must(store, 'scim/token-remove', { accountId, id: names.scimToken as number });
      await must(store, 'webhooks/remove', { accountId, id: names.webhook as number });
      await must(store, 'departments/remove', { accountId, id: names.department as number });
      await must(store, 'members/remove', { accountId, email: names.email as string });
      await probe.run(`delete from invitation where id = ${names.invitation}`);
      return names;
    }

    /** Everything of a response except the date; a list repeats its filter, which is then no difference. */
    function bytesOf({ http, headers, text }: OperationResponse, name: number | string): string {
      const { date: _moment, 'content-length': length, ...others } = headers;
      const echo = /"filter":\{"\w+":(\d+|"[^"]*")\}/.exec(text)?.[1];
      if (echo !== JSON.stringify(name)) return JSON.stringify([http, length, others, text]);
      return JSON.stringify([http, Number(length) - echo.length, others, text.replace(`:${echo}}`, ':}')]);
    }

    /** Parameters that are right except for the one in question. */
    async function aimed(
      id: OperationId,
      parameter: string,
      name: number | string,
    ): Promise<OperationParams> {
      const params: OperationParams = {
        ...(await operationRows[id].request(createResources(service, home), service)),
        [parameter]: name,
      };
      if (parameter === 'device_id') delete params['agent_id'];
      if (parameter === 'target_device_id') delete params['target_agent_id'];
      if (parameter === 'group_id' && 'role_id' in params) delete params['agent_id'];
      if (parameter === 'agent_id' || parameter === 'group_id') await scoped(parameter, params);
      return params;
    }

    /** A role that is granted on a device or a group, where that is the parameter in question. */
    async function scoped(parameter: string, params: OperationParams): Promise<void> {
      if (!('role_id' in params)) return;
      const type = parameter === 'agent_id' ? 'agent' : 'group';
      const role = { accountId: home.id, name: `role ${uniqueText()}`, type, description: '' } as const;
      params['role_id'] = (await must(service.server.store, 'roles/create', { ...role, permissions: [] })).id;
    }

    /** A filter finds nothing, in a table nothing but its header; everything else is not found. */
    function assertNothing({ id, parameter, isFilter }: NamedPair, answer: OperationResponse): void {
      if (!isFilter) return assertRefused(id, answer, 'not_found', { field: parameter });
      if (operationRows[id].reply) return assert.match(answer.text, /^\ufeff[\w,]+\r\n$/);
      assert.deepEqual([answer.http, answer.body['data']], [200, []]);
    }

    for (const { id, parameter, kind, isFilter } of pairs)
      test(`${id}: ${parameter} of another account, of nothing and of a removed resource look the same`, async () => {
        const earlier = await probe.digest(abroad.id);
        const answers: OperationResponse[] = [];
        for (const name of [foreign[kind], neverExisted[kind], removed[kind]])
          answers.push(
            await callOperation(service.testClient, id, await aimed(id, parameter, name), {
              apiKey: home.owner.apiKey,
            }),
          );

        const [bytes, ...others] = answers.map((answer, index) =>
          bytesOf(answer, [foreign, neverExisted, removed][index]![kind]),
        );
        for (const other of others) assert.equal(other, bytes);
        assertNothing({ id, parameter, isFilter }, answers[0]!);
        assert.deepEqual(await probe.digest(abroad.id), earlier);
      });

    test('the same holds for a technician who has every permission in their own account', async () => {
      const resources = createResources(service, home);
      const person = await createTechnician(resources, withAllRights);
      for (const { id, parameter, kind } of pairs) {
        const [one, other] = await Promise.all(
          [foreign, neverExisted].map(async (names) =>
            bytesOf(
              await callOperation(service.testClient, id, await aimed(id, parameter, names[kind]), person),
              names[kind],
            ),
          ),
        );
        assert.equal(one, other, `${id} ${parameter}`);
      }
    });

    test('a permission in one account gives nothing in another in requests that name resources of both', async () => {
      const resources = createResources(service, home);
      const mine = await namesOf(resources);
      const earlier = await probe.digest(abroad.id);
      const role = async (type: 'agent' | 'group') =>
        (
          await must(service.server.store, 'roles/create', {
            accountId: home.id,
            name: uniqueText(),
            type,
            description: '',
            permissions: [],
          })
        ).id;
      const systemRole = (
        await service.server.store.roles.list(abroad.id, { offset: 0, limit: 1, type: 'team' })
      )[0]!.id;
      const mixed: [OperationId, OperationParams][] = [
        ['groups/agent/insert', { id: foreign.group, agent_id: mine.agent }],
        ['groups/agent/insert', { id: mine.group, agent_id: foreign.agent }],
        ['agents/merge', { agent_id: mine.agent, target_agent_id: foreign.agent }],
        ['agents/merge', { agent_id: foreign.agent, target_agent_id: mine.agent }],
        ['agents/merge', { device_id: mine.device, target_device_id: foreign.device }],
        ['agents/connect', { agent_id: foreign.agent, device_id: mine.device }],
        ['team/member/access/add', { email: mine.email, role_id: foreign.role }],
        ['team/member/access/add', { email: mine.email, role_id: systemRole }],
        ['team/member/access/add', { email: foreign.email, role_id: mine.role }],
        [
          'team/member/access/add',
          { email: mine.email, role_id: await role('agent'), agent_id: foreign.agent },
        ],
        [
          'team/member/access/add',
          { email: mine.email, role_id: await role('group'), group_id: foreign.group },
        ],
        ['team/department/access/add', { department_id: foreign.department, role_id: mine.role }],
        ['team/department/access/add', { department_id: mine.department, role_id: systemRole }],
        [
          'team/department/access/add',
          { department_id: mine.department, role_id: await role('agent'), agent_id: foreign.agent },
        ],
        ['team/department/member/add', { id: mine.department, email: foreign.email }],
        ['team/department/member/add', { id: foreign.department, email: mine.email }],
        ['team/access/effective', { email: foreign.email, agent_id: mine.agent }],
        ['team/access/effective', { email: mine.email, agent_id: foreign.agent }],
      ];

      for (const [id, params] of mixed)
        assertRefused(
          id,
          await callOperation(service.testClient, id, params, { apiKey: home.owner.apiKey }),
          'not_found',
          {
            because: JSON.stringify(params),
          },
        );
      assert.deepEqual(await probe.digest(abroad.id), earlier);
      const own = await callOperation(
        service.testClient,
        'agents/connect',
        { agent_id: mine.agent, device_id: foreign.device },
        { apiKey: home.owner.apiKey },
      );
      assert.equal(own.http, 200);
    });

    test('inviting a member of another account looks like inviting anyone', async () => {
      const { email } = await abroad.member();
      const earlier = await probe.digest(abroad.id);
      const shape = async (address: string) => {
        const { http, text } = await callOperation(
          service.testClient,
          'team/member/invite',
          { email: address },
          home.owner,
        );
        return [http, text.replace(/"id":\d+/, '"id":0').replace(/invite\/[\w-]{43}"/, 'invite/"')];
      };

      assert.deepEqual(await shape(email), await shape(`nobody-${uniqueText()}@example.com`));
      assert.deepEqual(await probe.digest(abroad.id), earlier);
    });

    test('the same person in two accounts has in each only the permissions of that one', async () => {
      const email = `both-${uniqueText()}@example.com`;
      const { id } = (await home.owner.call('team/member/invite', { email })).body as { id: number };
      await abroad.owner.call('team/member/invite', { email });
      const roleOf = async (account: TestAccount) =>
        (await service.server.store.roles.list(account.id, { offset: 0, limit: 1, type: 'team' }))[0]!.id;
      await home.owner.call('team/member/access/add', { email, role_id: await roleOf(home) });

      const access = async (account: TestAccount) =>
        (await account.owner.call('team/member/access/list', { email })).body['data'] as {
          id: number;
          roles: unknown[];
        };
      assert.equal((await access(home)).roles.length, 1);
      assert.equal((await access(abroad)).roles.length, 0);
      assert.notEqual((await access(abroad)).id, id);
      await abroad.owner.call('team/member/remove', { email });
      assert.equal((await access(home)).roles.length, 1);
    });
  });
