/**
 * How a session begins: links are used once and by pressing a button, permissions are checked again, and both
 * sides get their part.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isSignedBy, loadIdentity } from '@drawbridge/server/gateway/devices/identity';
import { splitSigned } from '@drawbridge/contract/session/signed';
import { must, type TestPerson } from '../kit/server/account.ts';
import { databases } from '../kit/server/database.ts';
import { createEnrolToken } from '../kit/server/enrolment.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import {
  postToSession,
  linkCode,
  openSessionLink,
  readRefusal,
  randomKey,
  startFakeDevice,
  joinRelay,
} from '../kit/session/session-ends.ts';
import { eventually } from '../kit/eventually.ts';

const password = 'correct horse 7';

for (const { kind, skip } of databases)
  describe(`opening sessions on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    /** An account with an online device. */
    async function fixture() {
      const account = await service.account();
      const device = await startFakeDevice(service.testClient.baseUrl, await createEnrolToken(account.owner));
      await eventually(
        async () => (await account.owner.call('agents/info', { agent_id: device.id })).body['data'].online,
        (online) => online === true,
      );
      return { account, owner: account.owner, device };
    }
    const link = async (person: TestPerson, agent_id: number, more = {}): Promise<string> =>
      (await person.call('agents/connect', { agent_id, ...more })).body['data'].url;
    const open = (url: string, headers = {}) =>
      postToSession(service, 'open', { code: linkCode(url), key: randomKey() }, headers);
    const lastLine = async (owner: TestPerson, operation: string) =>
      (await owner.call('audit/list', { operation, limit: 1 })).body['data'][0];

    test('pressing Connect gives the operator a ticket and the device a grant that the server signed, and they meet', async () => {
      const { owner, device } = await fixture();
      await using _device = device;
      const key = randomKey();
      const url = await link(owner, device.id);

      const answer = await postToSession(service, 'open', { code: linkCode(url), key });
      const opened = JSON.parse(answer.text);
      await using operator = joinRelay(opened);
      await operator.paired;

      const { publicKey } = await loadIdentity(service.server.store);
      const [grant] = device.grants;
      assert.equal(answer.http, 200);
      assert.deepEqual(
        [opened.server_key, opened.name, opened.device.id, opened.device.key],
        [publicKey, owner.email, device.id, device.rogue.key.publicKey],
      );
      assert.deepEqual(
        [grant!.session, grant!.pair, grant!.operator_key, grant!.device_key, grant!.confirm],
        [opened.session, opened.pair, key, device.rogue.key.publicKey, false],
      );
      assert.deepEqual(grant!.permissions, opened.permissions);
      assert.equal(grant!.permissions.length, 11);
      const sent = device.commands.find(({ name }) => name === 'session')!.input['grant'] as string;
      const { body, signature } = splitSigned(sent)!;
      const statement = `drawbridge-session-grant\n${body}`;
      assert.ok(isSignedBy(publicKey, statement, Buffer.from(signature).toString('base64url')));
      const { outcome, email, input } = await lastLine(owner, 'session/open');
      assert.deepEqual([outcome, email, input], ['done', owner.email, { door: 'api', agent_id: device.id }]);
    });

    test('the connection is listed while it runs, and its end, bytes and note stay in the history', async () => {
      const { owner, device } = await fixture();
      await using _device = device;
      const opened = await openSessionLink(service, await link(owner, device.id));
      const operator = joinRelay(opened);
      const listed = async () => (await owner.call('sessions/list')).body['data'];
      await operator.paired;
      const [running] = await eventually(listed, (data) => data.length === 1);
      assert.deepEqual(
        [running.id, running.agent_id, running.login, running.ip, running.user_agent],
        [opened.session, device.id, owner.email, '127.0.0.1', 'browser/1.0'],
      );
      operator.socket.send(Buffer.from([0x05, 1, 2, 3]));
      service.advance(7);

      operator.socket.close(1_000);
      await eventually(listed, (data) => data.length === 0);
      const noted = await postToSession(service, 'note', {
        session: opened.session,
        secret: opened.secret,
        text: 'Done.',
      });

      const [past] = (await owner.call('history/list', { agent_id: device.id })).body['data'];
      assert.equal(noted.http, 200);
      assert.deepEqual([past.id, past.stop - past.start, past.note], [opened.session, 7, 'Done.']);
      const { sessions } = (await owner.call('agents/info', { agent_id: device.id })).body['data'];
      assert.deepEqual([sessions.total, sessions.last.stop_time], [1, past.stop]);
      const line = await lastLine(owner, 'session/close');
      assert.deepEqual(
        [line.outcome, line.input],
        ['done', { session: opened.session, by: 'operator', bytes: 4 }],
      );
    });

    test('viewing a link does not use it up, however often and by whatever request', async () => {
      const { owner, device } = await fixture();
      await using _device = device;
      const url = await link(owner, device.id);

      for (let count = 0; count < 100; count++)
        for (const method of ['GET', 'HEAD', 'OPTIONS'])
          await service.testClient.send({ method, path: `/c/${linkCode(url)}` });

      assert.equal((await open(url)).http, 200);
    });

    test('used, expired and unknown links get the same answer, on the page and when they are opened', async () => {
      const { owner, device } = await fixture();
      await using _device = device;
      const [used, expired] = [await link(owner, device.id), await link(owner, device.id)];
      await open(used);
      service.advance(300);
      const unknown = `/c/${randomKey()}`;

      const answers = await Promise.all([used, expired, unknown].map((url) => open(url)));
      const pages = await Promise.all(
        [used, expired, unknown].map((url) => service.testClient.send({ path: `/c/${linkCode(url)}` })),
      );

      assert.deepEqual(
        answers.map(readRefusal),
        [used, expired, unknown].map(() => [404, 'used']),
      );
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
      assert.equal(new Set(pages.map(({ http, text }) => `${http} ${text}`)).size, 1);
    });

    test('permissions that were taken away after the link was made are not in the session, or there is none', async () => {
      const { account, owner, device } = await fixture();
      await using _device = device;
      const person = await account.member();
      const on = { type: 'agent', agentId: device.id } as const;
      await account.grant(person, { ...on, permissions: ['agent_connect'] });
      const { roleId } = await account.grant(person, { ...on, permissions: ['agent_control', 'agent_chat'] });
      const urls = [
        await link(person, device.id),
        await link(person, device.id),
        await link(person, device.id),
      ];

      const all = await openSessionLink(service, urls[0]!);
      await owner.call('team/role/edit', { id: roleId, permission: ['agent_chat'] });
      const less = await openSessionLink(service, urls[1]!);
      await owner.call('team/role/remove', { id: roleId });
      await must(service.server.store, 'access/remove', {
        accountId: account.id,
        by: owner.id,
        holder: { email: person.email },
        roleId: (await owner.call('team/member/access/list', { email: person.email })).body['data'].roles[0]
          .id,
        agentId: device.id,
      });
      const none = await open(urls[2]!);

      assert.deepEqual(all.permissions, ['agent_connect', 'agent_control', 'agent_chat']);
      assert.deepEqual(less.permissions, ['agent_connect', 'agent_chat']);
      assert.deepEqual(readRefusal(none), [403, 'forbidden']);
      assert.deepEqual(readRefusal(await open(urls[2]!)), [404, 'used']);
      const { outcome, email } = await lastLine(owner, 'session/open');
      assert.deepEqual([outcome, email], ['forbidden', person.email]);
    });

    test('a device that is blocked or refuses is reported as such; the link is used up and no connection counted', async () => {
      const { account, owner, device } = await fixture();
      await using _device = device;
      const [toUnwilling, toBlocked] = [await link(owner, device.id), await link(owner, device.id)];
      const answers: [number, string][] = [];

      device.refuses = 'Somebody is working here.';
      const unwilling = await open(toUnwilling);
      answers.push(readRefusal(unwilling));
      await must(service.server.store, 'plan/set', { accountId: account.id, plan: { computers: 0 } });
      answers.push(readRefusal(await open(toBlocked)));
      await must(service.server.store, 'plan/set', { accountId: account.id, plan: { computers: null } });
      answers.push(readRefusal(await open(toUnwilling)));
      answers.push(readRefusal(await open(toBlocked)));

      assert.deepEqual(answers, [
        [409, 'refused'],
        [403, 'disabled'],
        [404, 'used'],
        [404, 'used'],
      ]);
      assert.match(unwilling.text, /Somebody is working here/);
      const { sessions } = (await owner.call('agents/info', { agent_id: device.id })).body['data'];
      assert.deepEqual(sessions, { total: 0 });
      assert.deepEqual((await owner.call('history/list')).body['data'], []);
    });

    test('the link to a device that is offline is not used up, and opens one session when the device is back', async () => {
      const { owner, device } = await fixture();
      await using _device = device;
      const url = await link(owner, device.id);
      const { store } = service.server;
      await must(store, 'presence/release', { node: 'all' });

      const away = [readRefusal(await open(url)), readRefusal(await open(url))];
      const { sessions } = (await owner.call('agents/info', { agent_id: device.id })).body['data'];
      const leaseUntil = store.now() + 30;
      await must(store, 'presence/renew', { node: 'test', agents: [{ id: device.id }], leaseUntil });
      const back = await Promise.all([open(url), open(url), open(url)]);

      assert.deepEqual(away, [
        [409, 'offline'],
        [409, 'offline'],
      ]);
      assert.deepEqual(sessions, { total: 0 });
      assert.deepEqual(back.map(({ http }) => http).toSorted(), [200, 404, 404]);
    });

    test('the link to a device that stays away is used up after some attempts', async () => {
      const { owner, device } = await fixture();
      await using _device = device;
      const url = await link(owner, device.id);
      await must(service.server.store, 'presence/release', { node: 'all' });

      const codes: unknown[] = [];
      for (let attempt = 1; attempt <= 12; attempt++) codes.push(readRefusal(await open(url))[1]);

      assert.deepEqual(codes, [...Array<string>(11).fill('offline'), 'used']);
    });

    test('only a page of this server may ask, in JSON, and a malformed request uses nothing up', async () => {
      const { owner, device } = await fixture();
      await using _device = device;
      const url = await link(owner, device.id);
      const origin = new URL(service.server.config.publicUrl);
      const code = linkCode(url);
      const others = [
        'https://evil.example',
        'null',
        `https://sub.${origin.host}`,
        `http://${origin.host}`,
        `https://${origin.hostname}:1`,
        `https://${origin.hostname.toUpperCase()}:${origin.port}`,
        `https://${origin.hostname}.:${origin.port}`,
        `https://user@${origin.host}`,
        `${origin.origin}/`,
        '',
      ];

      for (const Origin of others)
        assert.deepEqual(readRefusal(await open(url, { Origin })), [400, 'invalid'], Origin);
      const bare = await service.testClient.send({
        method: 'POST',
        path: '/session/open',
        body: JSON.stringify({ code, key: randomKey() }),
      });
      assert.deepEqual(readRefusal(bare), [400, 'invalid']);
      for (const body of [{ code }, { code, key: 'x' }, { code: 7, key: randomKey() }, []])
        assert.deepEqual(readRefusal(await postToSession(service, 'open', body)), [400, 'invalid']);

      assert.equal((await open(url)).http, 200);
    });

    test('the person at the device is asked if the group says so, except for members who need not ask', async () => {
      const { account, owner, device } = await fixture();
      await using _device = device;
      const groupId = await account.group();
      await owner.call('groups/agent/insert', { id: groupId, agent_id: device.id });
      const [asking, spared] = await Promise.all([
        account.member([{ type: 'agent', agentId: device.id, permissions: ['agent_connect'] }]),
        account.member([{ type: 'group', groupId, permissions: ['agent_connect', 'agent_no_confirm'] }]),
      ]);
      const confirmOf = async (person: TestPerson): Promise<boolean> => {
        await openSessionLink(service, await link(person, device.id));
        return device.grants.at(-1)!.confirm;
      };

      assert.deepEqual([await confirmOf(asking), await confirmOf(spared)], [false, false]);
      await owner.call('groups/settings/update', { id: groupId, confirm: 'ask' });

      assert.deepEqual(
        [await confirmOf(asking), await confirmOf(spared), await confirmOf(owner)],
        [true, false, false],
      );
      assert.deepEqual((await owner.call('groups/settings', { id: groupId })).body['data'], {
        confirm: 'ask',
        onetime_url: 'inherit',
      });
    });

    test('the password of a device and its one-time link lead to a fresh link, without an account', async () => {
      const { owner, device } = await fixture();
      await using _device = device;
      const url = `visit-${device.id}-${kind}`;
      const permanent_url = { enable: true, url, password };
      const { body } = await owner.call('agents/update', { id: device.id, permanent_url });
      const onetime = new URL(body['data'].onetime_url).pathname;
      const post = (path: string, form = '') => service.testClient.send({ method: 'POST', path, body: form });

      const byPassword = await post(`/p/${url}`, `password=${encodeURIComponent(password)}`);
      const wrong = await post(`/p/${url}`, 'password=wrong');
      const [once, twice] = [await post(onetime), await post(onetime)];

      assert.deepEqual([byPassword.http, once.http, wrong.http, twice.http], [303, 303, 403, 404]);
      for (const answer of [byPassword, once]) {
        const opened = await openSessionLink(service, String(answer.headers['location']));
        assert.equal(opened.permissions.length, 11);
      }
      assert.deepEqual(
        device.grants.map(({ operator }) => operator.name),
        ['Somebody with the password of the device', `${owner.email}, by a one-time link`],
      );
      assert.deepEqual((await lastLine(owner, 'session/open')).input, {
        door: 'onetime',
        agent_id: device.id,
      });
    });

    test('a link that was made with the password stops working when the permanent link is closed', async () => {
      const { owner, device } = await fixture();
      await using _device = device;
      const url = `closed-${device.id}-${kind}`;
      await owner.call('agents/update', { id: device.id, permanent_url: { enable: true, url, password } });
      const answer = await service.testClient.send({
        method: 'POST',
        path: `/p/${url}`,
        body: `password=${encodeURIComponent(password)}`,
      });

      await owner.call('agents/update', { id: device.id, permanent_url: { enable: false } });

      assert.deepEqual(readRefusal(await open(String(answer.headers['location']))), [403, 'forbidden']);
    });

    test('codes, secrets and keys of sessions are in no log line', async () => {
      const { owner, device } = await fixture();
      await using _device = device;
      const url = await link(owner, device.id);
      await service.testClient.send({ path: `/c/${linkCode(url)}` });
      const opened = await openSessionLink(service, url);

      const log = service.logged.join('');
      for (const secret of [linkCode(url), opened.secret, opened.ticket, opened.pair])
        assert.equal(log.includes(secret), false);
    });
  });

test('anyone who tries one wrong code after the other is slowed down, and others are not', async () => {
  await using service = await startService({ env: { DRAWBRIDGE_TRUSTED_PROXIES: '127.0.0.1' } });
  const from = (address: string) =>
    postToSession(
      service,
      'open',
      { code: randomKey(), key: randomKey() },
      {
        'X-Forwarded-For': address,
        'X-Forwarded-Proto': 'https',
      },
    );
  const codes: number[] = [];
  for (let count = 0; count < 25; count++) codes.push((await from(`2001:db8::${count + 1}`)).http);

  assert.deepEqual([codes[0], codes.at(-1)], [404, 429]);
  assert.equal((await from('192.0.2.2')).http, 404);
});
