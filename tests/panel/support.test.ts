/** The creators of invitations, as the panel shows them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { panel } from '@drawbridge/contract/panel/index';
import { databases } from '../kit/server/database.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { openSignedInPanel } from '../kit/server/panel.ts';

for (const { kind, skip } of databases)
  describe(`the creators of invitations, on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => void (service = await startService({ database: kind })));
    after(() => service[Symbol.asyncDispose]());

    test('a member who sees all invitations sees whose they are, a member who sees their own sees no others', async () => {
      const account = await service.account();
      const { owner } = account;
      const [all, own] = [
        await account.member([{ type: 'quick_support', permissions: ['quick_support_technical'] }]),
        await account.member([{ type: 'quick_support', permissions: ['quick_support_admin'] }]),
      ];
      const made = async (by: typeof owner): Promise<number> =>
        (await by.call('support/create')).body['data'].id;
      const [hers, his, closed] = [await made(owner), await made(own), await made(owner)];
      await owner.call('support/close', { connection_id: closed });
      const seenBy = async (person: typeof owner) => {
        const { http, body } = await (
          await openSignedInPanel(service, account, person)
        ).ask('support/creators');
        assert.equal(http, 200);
        return panel['support/creators'].output.parse(body).data;
      };

      const mine = { connection_id: his, email: own.email };
      assert.deepEqual(await seenBy(all), [mine, { connection_id: hers, email: owner.email }]);
      assert.deepEqual(await seenBy(own), [mine]);
    });

    test('a member who may see no invitations is refused, and another account sees nothing', async () => {
      const [account, other] = [await service.account(), await service.account()];
      await account.owner.call('support/create');
      const outsider = await openSignedInPanel(service, account, await account.member());
      const elsewhere = await openSignedInPanel(service, other, other.owner);

      assert.equal((await outsider.ask('support/creators')).http, 403);
      assert.deepEqual((await elsewhere.ask('support/creators')).body['data'], []);
    });
  });
