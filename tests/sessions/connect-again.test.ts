/** Connecting again after a session: a signed-in person gets a new link with their own rights, and nobody else does. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { databases } from '../kit/server/database.ts';
import { waitUntilOnline, createEnrolToken } from '../kit/server/enrolment.ts';
import { openSignedInPanel } from '../kit/server/panel.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { openSessionLink, postToSession, readRefusal, startFakeDevice } from '../kit/session/session-ends.ts';

for (const { kind, skip } of databases)
  describe(`connecting again on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    async function fixture(video?: boolean) {
      const account = await service.account();
      const { owner } = account;
      const device = await startFakeDevice(service.testClient.baseUrl, await createEnrolToken(owner));
      await waitUntilOnline(owner, device.id);
      const params = { agent_id: device.id, ...(video !== undefined && { video }) };
      const { url } = (await owner.call('agents/connect', params)).body['data'];
      const { session, secret } = await openSessionLink(service, url);
      return { account, owner, device, token: { session, secret } };
    }
    const ask = (token: object, headers: Record<string, string> = {}, check = false) =>
      postToSession(service, 'again', { ...token, check }, headers);

    test('a signed-in person gets a link that opens with their own rights', async () => {
      const { account, owner, device, token } = await fixture();
      await using _device = device;
      const ann = await account.member([
        { type: 'agent', agentId: device.id, permissions: ['agent_connect'] },
      ]);
      const { headers } = await openSignedInPanel(service, account, ann);

      const checked = await ask(token, headers('POST'), true);
      const answer = await ask(token, headers('POST'));

      assert.deepEqual([checked.http, JSON.parse(checked.text)], [200, { may: true }]);
      const opened = await openSessionLink(service, JSON.parse(answer.text).url);
      assert.deepEqual([opened.name, opened.permissions], [ann.email, ['agent_connect']]);
      const [line] = (await owner.call('audit/list', { operation: 'session/again' })).body['data'];
      assert.deepEqual(
        [line.email, line.input, line.outcome],
        [ann.email, { session: token.session, agent_id: device.id }, 'done'],
      );
    });

    test('nobody gets a link who is not signed in, has no rights, belongs to another account or guesses', async () => {
      const { account, device, token } = await fixture();
      await using _device = device;
      const other = await service.account();
      const [stranger, idle] = [other.owner, await account.member([])];
      const headersOf = async (person: typeof idle) =>
        (await openSignedInPanel(service, person === stranger ? other : account, person)).headers('POST');

      const refused = [
        await ask(token),
        await ask(token, await headersOf(stranger)),
        await ask(token, await headersOf(idle)),
        await ask(token, { ...(await headersOf(account.owner)), 'sec-fetch-site': 'cross-site' }),
      ];
      const checked = await ask(token, {}, true);
      const guessed = await ask({ ...token, secret: 'x' }, await headersOf(account.owner));

      for (const answer of refused) assert.deepEqual(readRefusal(answer), [403, 'forbidden']);
      assert.deepEqual(JSON.parse(checked.text), { may: false });
      assert.deepEqual(readRefusal(guessed), [404, 'ended']);
    });

    test('a session that had to be recorded is recorded again', async () => {
      const { account, owner, device, token } = await fixture(true);
      await using _device = device;
      const { headers } = await openSignedInPanel(service, account, owner);

      const { url } = JSON.parse((await ask(token, headers('POST'))).text);

      assert.equal((await openSessionLink(service, url)).record, true);
    });

    test('anyone who used the permanent link is sent to its page, which asks for the password', async () => {
      const { owner, device } = await fixture();
      await using _device = device;
      const permanent_url = { enable: true, url: `desk-${device.id}-${kind}`, password: 'secret 123' };
      assert.equal((await owner.call('agents/update', { id: device.id, permanent_url })).http, 200);
      const entered = await service.testClient.send({
        method: 'POST',
        path: `/p/desk-${device.id}-${kind}`,
        body: 'password=secret+123',
      });
      const { session, secret } = await openSessionLink(service, String(entered.headers['location']));

      const answer = await ask({ session, secret });

      assert.deepEqual(JSON.parse(answer.text), { url: `/p/desk-${device.id}-${kind}` });
      await owner.call('agents/update', { id: device.id, permanent_url: { enable: false } });
      assert.deepEqual(readRefusal(await ask({ session, secret })), [403, 'forbidden']);
    });
  });
