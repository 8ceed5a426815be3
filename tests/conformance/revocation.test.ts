/** Permissions that are removed are gone with the very next request. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { databases } from '../kit/server/database.ts';
import { must } from '../kit/server/account.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { withAllRights, withoutRights, createTechnician } from './callers/callers.ts';
import { formerTechnicians } from './callers/former-callers.ts';
import { createResources } from './resources.ts';

for (const { kind, skip } of databases)
  describe(`revocation on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    const withNothingLeft = formerTechnicians.filter(({ remains }) => remains === withoutRights);
    for (const { name, create, loseRights: befalls } of withNothingLeft)
      test(`a member ${name} is refused from the next request on`, async () => {
        const resources = createResources(service, await service.account());
        const person = await create(resources, service);
        const agent_id = (await resources.agent()).id;
        const codes = async () => [
          (await person.call('team/role/list')).http,
          (await person.call('support/list')).http,
          (await person.call('agents/info', { agent_id })).http,
        ];
        assert.deepEqual(await codes(), [200, 200, 200]);

        await befalls(service, resources, person);

        assert.deepEqual(await codes(), [403, 403, 403]);
      });

    test('a device that leaves its group, or whose group is removed, is inaccessible from the next request on', async () => {
      for (const leave of ['groups/agent/remove', 'groups/remove'] as const) {
        const resources = createResources(service, await service.account());
        const person = await createTechnician(resources, withAllRights);
        const agent_id = (await resources.agent()).id;
        const info = async () => (await person.call('agents/info', { agent_id })).http;
        assert.equal(await info(), 200);

        await resources.account.owner.call(leave, { agent_id, id: await resources.group() });

        assert.equal(await info(), 403);
      }
    });

    test('a key stops working once it is revoked, once it expires, and once its member is removed', async () => {
      const { store } = service.server;
      const account = await service.account();
      const { id: accountId } = account;
      const person = await account.member();
      const revoked = await account.key(person);
      const expiring = await account.key(person, { expireTime: store.now() + 10 });
      const alive = async () => [
        (await person.call('agents/list')).http,
        (await revoked.call('agents/list')).http,
        (await expiring.call('agents/list')).http,
      ];

      assert.deepEqual(await alive(), [200, 200, 200]);
      await must(store, 'keys/revoke', { accountId, memberId: 'all', id: revoked.keyId });
      assert.deepEqual(await alive(), [200, 403, 200]);
      service.advance(10);
      assert.deepEqual(await alive(), [200, 403, 403]);
      await must(store, 'members/remove', { accountId, email: person.email });
      assert.deepEqual(await alive(), [403, 403, 403]);
    });
  });
