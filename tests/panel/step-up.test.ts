/** Re-authentication: what it requires, and that it cannot be bypassed. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { freshLifetime } from '@drawbridge/contract/panel/step-up';
import type { OperationId } from '@drawbridge/contract/v1/index';
import { random } from '@drawbridge/server/edges/random';
import { operationIds } from '../conformance/call-operation.ts';
import { operationRows, operationsWith } from '../conformance/operation-rows/index.ts';
import type { OperationParams } from '../conformance/operation-rows/row.ts';
import { createResources } from '../conformance/resources.ts';
import { must, type TestPerson, type TestAccount } from '../kit/server/account.ts';
import { databases } from '../kit/server/database.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { setPassword, openPanelClient, openSignedInPanel, type PanelResponse } from '../kit/server/panel.ts';

const password = 'correct horse 7';
const codeOf = ({ body }: PanelResponse): string | undefined => body.error?.code;

for (const { kind, skip } of databases)
  describe(`re-authentication, on ${kind}`, { skip }, () => {
    let service: TestService;
    let account: TestAccount;
    before(async () => {
      service = await startService({ database: kind });
      account = await service.account();
      await setPassword(service, account, account.owner, password);
    });
    after(() => service[Symbol.asyncDispose]());

    const givePasskey = (person: TestPerson) =>
      must(service.server.store, 'factors/passkey/add', {
        accountId: account.id,
        memberId: person.id,
        credential: random.token(),
        publicKey: 'k',
        counter: 0,
        transports: [],
        name: 'phone',
      });

    test('a person with a passkey and no password re-authenticates before they set one, a person with neither need not', async () => {
      const [withKey, withNothing] = [await account.member(), await account.member()];
      await givePasskey(withKey);
      const [stale, bare] = [
        await openSignedInPanel(service, account, withKey),
        await openSignedInPanel(service, account, withNothing),
      ];
      const fresh = async () =>
        (await openSignedInPanel(service, account, withKey)).ask('me/password', { password });
      service.advance(freshLifetime);

      const refused = await stale.ask('me/password', { password });

      assert.deepEqual([refused.http, codeOf(refused)], [403, 'confirm_identity']);
      assert.equal((await bare.ask('me/password', { password })).http, 200);
      assert.equal((await fresh()).http, 200);
    });

    test('the operations for which it was decided are carried out only with a fresh sign-in, and no others', async () => {
      const browser = await openSignedInPanel(service, account, account.owner);
      const requests = new Map<OperationId, OperationParams>();
      for (const id of operationIds)
        requests.set(id, await operationRows[id].request(createResources(service, account), service));
      service.advance(freshLifetime);

      for (const [id, params] of requests)
        assert.equal(
          codeOf(await browser.v1(id, params)) === 'confirm_identity',
          operationRows[id].freshSignIn === true,
          id,
        );

      await browser.ask('me/confirm', { password });
      for (const id of operationsWith('freshSignIn'))
        assert.equal((await browser.v1(id, requests.get(id))).http, 200, id);
    });

    test('of two who re-authenticate at the same moment with the same cookie, one gets a new one, and it works', async () => {
      const one = await openSignedInPanel(service, account, account.owner);
      const two = Object.assign(openPanelClient(service), { cookie: one.cookie, csrf: one.csrf });

      const answers = await Promise.all([one, two].map((each) => each.ask('me/confirm', { password })));

      const given = [one, two].filter((_, at) => answers[at]!.http === 200);
      assert.equal(given.length, 1);
      assert.equal((await given[0]!.ask('me')).http, 200);
    });
  });
