/** Clients of invitations: what the record says at every step, who may join, and who may reconnect. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { createJoinCodeLimiter } from '@drawbridge/server/gateway/lobby/join-code-limiter';
import type { TestPerson } from '../kit/server/account.ts';
import { createPersonAt } from '../kit/server/person-at.ts';
import { databases } from '../kit/server/database.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { linkCode, parseGrant, joinLobby, openSessionLink, joinRelay } from '../kit/session/session-ends.ts';
import { firstApiKey, startServerProcess } from '../kit/process.ts';
import { runSql } from '../kit/server/raw-sql.ts';
import { eventually } from '../kit/eventually.ts';

interface Connection {
  id: number;
  status: number;
  invite_code: string;
  connect_url: string;
  client_os: string;
  client_preview_url: string;
}

const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

for (const { kind, skip } of databases)
  describe(`clients on ${kind}`, { skip }, () => {
    let service: TestService;
    let server: string;
    before(async () => {
      service = await startService({ database: kind });
      server = service.testClient.baseUrl;
    });
    after(() => service[Symbol.asyncDispose]());

    const invite = async (owner: TestPerson): Promise<Connection> =>
      (await owner.call('support/create', { client_name: 'Ann' })).body['data'];
    const info = async (owner: TestPerson, connection_id: number): Promise<Connection> =>
      (await owner.call('support/info', { connection_id })).body['data'];
    const becomes = (owner: TestPerson, id: number, status: number): Promise<Connection> =>
      eventually(
        () => info(owner, id),
        (connection) => connection.status === status,
      );
    const link = async (owner: TestPerson, connection_id: number): Promise<string> =>
      (await owner.call('support/connect', { connection_id })).body['data'].url;
    /** The time from which on the client counts as gone is stored. */
    const letGo = (id: number): Promise<unknown> =>
      eventually(
        () => runSql(service, `select client_until as until from invitation where id = ${id}`),
        ([row]) => Number(row!['until']) === service.server.store.now() + 15,
      );

    test('new, client, both, client, both, closed: the record shows each step', async () => {
      const { owner } = await service.account();
      const { id, invite_code, ...fresh } = await invite(owner);
      assert.deepEqual([fresh.status, fresh.client_os, fresh.client_preview_url], [0, '', '']);

      await using client = await joinLobby(server, invite_code, { os: 'mac' });
      assert.equal((await client.waitFor('welcome')).owner, owner.email);
      const joined = await info(owner, id);
      assert.deepEqual([joined.status, joined.client_os], [1, 'mac']);
      assert.match(joined.client_preview_url, /\/preview\/\d+-[\w-]{43}$/);

      const opened = await openSessionLink(service, await link(owner, id));
      assert.deepEqual([opened.device.key, opened.device.name, opened.device.os], [client.key, 'Ann', 'mac']);
      const operator = joinRelay(opened);
      const dispatched = await client.waitFor('session');
      const grant = parseGrant(dispatched.grant);
      assert.deepEqual([grant.device_key, grant.confirm, grant.session], [client.key, true, opened.session]);
      await using peer = joinRelay(dispatched);
      await Promise.all([operator.paired, peer.paired]);
      assert.equal((await info(owner, id)).status, 2);

      operator.socket.close(1_000);
      const left = await becomes(owner, id, 1);
      assert.deepEqual([left.client_os, left.client_preview_url], ['mac', joined.client_preview_url]);

      const again = await openSessionLink(service, await link(owner, id));
      assert.equal((await info(owner, id)).status, 2);
      const allDispatched = await eventually(
        () => client.received.filter((each) => each.kind === 'session'),
        (all) => all.length === 2,
      );
      await using secondPeer = joinRelay(allDispatched[1]!);
      await using back = joinRelay(again);
      await Promise.all([secondPeer.paired, back.paired]);

      await owner.call('support/close', { connection_id: id });
      const closed = await info(owner, id);
      assert.deepEqual(
        [closed.status, closed.client_os, closed.client_preview_url],
        [3, 'mac', joined.client_preview_url],
      );
      assert.equal((await client.waitFor('ended')).code, 'closed');
      await Promise.all([client.closed, back.closed, secondPeer.closed]);
      const { total, data } = (await owner.call('history/list', { support_id: id })).body;
      assert.deepEqual([total, data[0].support_id, 'agent' in data[0]], [2, id, false]);
    });

    test('an operator who joins first waits, and is connected with the client who joins', async () => {
      const { owner } = await service.account();
      const { id, invite_code } = await invite(owner);
      const opened = await openSessionLink(service, await link(owner, id));
      await using operator = joinRelay(opened);
      assert.deepEqual([opened.device.key, (await info(owner, id)).status], [undefined, 0]);

      await using client = await joinLobby(server, invite_code);
      await using peer = joinRelay(await client.waitFor('session'));
      await Promise.all([operator.paired, peer.paired]);

      assert.equal((await info(owner, id)).status, 2);
    });

    test('a client who drops and reconnects within fifteen seconds keeps the session, and meets the operator again', async () => {
      const { owner } = await service.account();
      const { id, invite_code } = await invite(owner);
      const client = await joinLobby(server, invite_code);
      await client.waitFor('welcome');
      await using operator = joinRelay(await openSessionLink(service, await link(owner, id)));
      await client.waitFor('session');
      const earlier = await info(owner, id);

      await client[Symbol.asyncDispose]();
      await letGo(id);
      service.advance(14);
      await using back = await joinLobby(server, invite_code, { key: client.key, os: 'linux' });
      await back.waitFor('welcome');
      await using peer = joinRelay(await back.waitFor('session'));
      await Promise.all([operator.paired, peer.paired]);

      assert.deepEqual(await info(owner, id), earlier);
    });

    test('a client who stays away longer is gone, with everything that was known of it', async () => {
      const { owner } = await service.account();
      const { id, invite_code } = await invite(owner);
      const client = await joinLobby(server, invite_code);
      await client.waitFor('welcome');

      await client[Symbol.asyncDispose]();
      await letGo(id);
      service.advance(15);
      const gone = await becomes(owner, id, 0);

      assert.deepEqual([gone.client_os, gone.client_preview_url], ['', '']);
      await using other = await joinLobby(server, invite_code, { os: 'android' });
      await other.waitFor('welcome');
      assert.deepEqual([(await info(owner, id)).status, (await info(owner, id)).client_os], [1, 'android']);
    });

    test('a client who says goodbye is gone at once', async () => {
      const { owner } = await service.account();
      const { id, invite_code } = await invite(owner);
      await using client = await joinLobby(server, invite_code);
      await client.waitFor('welcome');

      client.send({ kind: 'leave' });
      await client.closed;

      assert.equal((await info(owner, id)).status, 0);
    });

    test('while a client is connected or may still reconnect, another client is refused', async () => {
      const { owner } = await service.account();
      const { id, invite_code } = await invite(owner);
      const client = await joinLobby(server, invite_code);
      await client.waitFor('welcome');

      await using other = await joinLobby(server, invite_code);
      assert.equal((await other.waitFor('ended')).code, 'taken');
      await client[Symbol.asyncDispose]();
      await letGo(id);
      await using another = await joinLobby(server, invite_code);

      assert.equal((await another.waitFor('ended')).code, 'taken');
      assert.equal((await info(owner, id)).status, 1);
    });

    test('a second socket of the same client replaces the first', async () => {
      const { owner } = await service.account();
      const { id, invite_code } = await invite(owner);
      await using first = await joinLobby(server, invite_code);
      await first.waitFor('welcome');

      await using second = await joinLobby(server, invite_code, { key: first.key });
      await second.waitFor('welcome');

      assert.deepEqual(await first.closed, { code: 4_001, reason: 'replaced' });
      assert.equal((await info(owner, id)).status, 1);
    });

    test('codes of closed invitations and made-up codes get the same answer', async () => {
      const { owner } = await service.account();
      const { id, invite_code } = await invite(owner);
      await owner.call('support/close', { connection_id: id });

      await using closed = await joinLobby(server, invite_code);
      await using unknown = await joinLobby(server, '100000000');

      assert.deepEqual(await closed.waitFor('ended'), await unknown.waitFor('ended'));
      assert.equal((await closed.waitFor('ended')).code, 'unknown');
    });

    test('the address in the record serves the picture that a client sends until the client has left', async () => {
      const { owner } = await service.account();
      const { id, invite_code } = await invite(owner);
      await using client = await joinLobby(server, invite_code);
      await client.waitFor('welcome');
      const path = new URL((await info(owner, id)).client_preview_url).pathname;
      const neutral = await service.testClient.send({ path });

      client.send({ kind: 'preview', type: 'image/png', picture: dot });
      const shown = await eventually(
        () => service.testClient.send({ path }),
        ({ bytes }) => bytes.toString('base64') === dot,
      );
      client.send({ kind: 'leave' });
      await client.closed;
      const after_ = await service.testClient.send({ path });

      assert.deepEqual([neutral.http, shown.http, after_.http], [200, 200, 404]);
      assert.equal(shown.headers['content-type'], 'image/png');
    });

    test('only pages of this server and programs may open a socket', async () => {
      const { owner } = await service.account();
      const { invite_code } = await invite(owner);
      const own = service.server.config.publicUrl;
      const { host } = new URL(own);

      for (const Origin of [
        'https://evil.example',
        'null',
        `https://sub.${host}`,
        `http://${host}`,
        `${own}/`,
      ])
        await assert.rejects(
          joinLobby(server, invite_code, { headers: { Origin } }),
          /response: 403/,
          Origin,
        );

      await using page = await joinLobby(server, invite_code, { headers: { Origin: own } });
      await page.waitFor('welcome');
    });

    test('the operator’s URL of the record works once for someone without an account, with the permissions of the member who was shown it', async () => {
      const { owner } = await service.account();
      const { id, connect_url } = await invite(owner);
      const path = new URL(connect_url).pathname;
      for (let count = 0; count < 3; count++)
        assert.equal((await service.testClient.send({ path })).http, 200);

      const [first, second] = [
        await service.testClient.send({ method: 'POST', path }),
        await service.testClient.send({ method: 'POST', path }),
      ];
      const opened = await openSessionLink(service, String(first.headers['location']));

      assert.deepEqual(
        [first.http, second.http, (await service.testClient.send({ path })).http],
        [303, 404, 404],
      );
      assert.equal(linkCode(String(first.headers['location'])).length, 43);
      assert.equal(opened.permissions.length, 9);
      assert.deepEqual(
        [opened.device.name, opened.name],
        ['Quick support', `${owner.email}, by the operator’s link`],
      );
      await owner.call('support/close', { connection_id: id });
    });

    test('a malformed message closes its socket, and nobody else notices', async () => {
      const { owner } = await service.account();
      const { invite_code } = await invite(owner);
      await using client = await joinLobby(server, invite_code);
      await client.waitFor('welcome');
      const words: (string | Buffer)[] = [
        '{',
        '{"kind":"join"}',
        '[]',
        Buffer.from([1]),
        '{"kind":"preview"}',
      ];

      for (const word of words) {
        await using other = await joinLobby(server, invite_code, { key: client.key });
        await other.waitFor('welcome');
        other.socket.send(word);
        assert.equal((await other.closed).code, 4_000);
      }
    });
  });

test('three hundred sockets with malformed messages do not keep a client of their network from reconnecting', async () => {
  await using service = await startService();
  const { owner } = await service.account();
  const { invite_code } = (await owner.call('support/create')).body['data'];
  const { baseUrl } = service.testClient;
  await using client = await joinLobby(baseUrl, invite_code);
  await client.waitFor('welcome');

  for (let count = 0; count < 300; count += 1) {
    const outsider = await joinLobby(baseUrl, invite_code, { os: 'x'.repeat(5_000) }).catch(() => undefined);
    await outsider?.closed;
  }
  await using back = await joinLobby(baseUrl, invite_code, { key: client.key });

  assert.equal((await back.waitFor('welcome')).kind, 'welcome');
});

test('wrong codes are rate-limited per network and in total, right ones are not', async () => {
  const clock = { ms: 0 };
  const tries = createJoinCodeLimiter(undefined, () => clock.ms);
  let codes = 100_000_000;
  const begin = (address: string) => tries.begin({ code: String(codes++), key: 'key' }, address);
  const wrong = async (count: number, address: (at: number) => string): Promise<number> =>
    (await Promise.all(Array.from({ length: count }, (_, at) => begin(address(at))))).filter(Boolean).length;

  for (let count = 0; count < 1_000; count++) (await begin('192.0.2.1'))!.right();
  assert.equal(await wrong(100, (at) => `2001:db8::${at.toString(16)}`), 10);
  assert.ok(await begin('192.0.2.1'));
  await wrong(1_000, (at) => `198.51.100.${at % 250}`);
  // A whole day: about one wrong code per second.
  let guessed = 0;
  for (let seconds = 0; seconds < 86_400; seconds += 10) {
    clock.ms += 10_000;
    guessed += await wrong(20, (at) => `2001:db8:${at.toString(16)}::1`);
  }
  assert.ok(guessed > 80_000 && guessed < 90_000, String(guessed));
});

test('while someone guesses, a right code from elsewhere works, and a client who has joined may reconnect at any time', async () => {
  const tries = createJoinCodeLimiter(undefined, () => 0);
  const join = (code: string, address: string, key = 'key') => tries.begin({ code, key }, address);
  const attack = async (): Promise<void> => {
    for (let at = 0; at < 5_000; at++)
      await join(String(100_000_000 + at), `198.51.${at % 20}.${at % 250}`, 'evil');
  };
  (await join('123456789', '192.0.2.1'))!.joined();
  await attack();

  assert.equal(await join('999999999', '198.51.1.1', 'evil'), undefined);
  for (let count = 0; count < 100; count++) (await join('111111111', '192.0.2.7'))!.right();
  for (let count = 0; count < 20; count++) await join('222222222', '192.0.2.1', 'evil');
  for (let count = 0; count < 100; count++) assert.ok(await join('123456789', '192.0.2.1'));
  assert.deepEqual(
    [await join('123456789', '192.0.2.1', 'evil'), await join('123456780', '192.0.2.1')],
    [undefined, undefined],
  );
});

test('a client of a server that died is gone fifteen seconds later, and one who reconnects before is not', async () => {
  const first = await startServerProcess();
  const owner = createPersonAt(first.url, firstApiKey(first), first.folder);
  const invite = async (): Promise<Connection> => (await owner.call('support/create')).body['data'];
  const [away, back] = [await invite(), await invite()];
  const [one, two] = [
    await joinLobby(first.url, away.invite_code),
    await joinLobby(first.url, back.invite_code),
  ];
  await Promise.all([one.waitFor('welcome'), two.waitFor('welcome')]);

  await first.end('SIGKILL');
  const port = Number(new URL(first.url).port);
  const second = await startServerProcess({}, { folder: first.folder, port });
  await using again = await joinLobby(second.url, back.invite_code, { key: two.key });
  await again.waitFor('welcome');
  const status = async (id: number): Promise<number> =>
    (await owner.call('support/info', { connection_id: id })).body['data'].status;
  assert.equal(await status(back.id), 1);

  await eventually(
    () => status(away.id),
    (now) => now === 0,
  );
  assert.equal(await status(back.id), 1);
  await second.end('SIGKILL');
  rmSync(first.folder, { recursive: true, force: true });
});
