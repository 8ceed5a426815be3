/**
 * Resuming a session that was cut: with its secret, in time, with no more permissions than before, also after
 * a restart.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { leaveCodes } from '@drawbridge/contract/close-codes';
import type { OpenReply } from '@drawbridge/contract/session/open';
import { runHousekeeping } from '@drawbridge/server/jobs/housekeeping';
import { createLog } from '@drawbridge/server/edges/log';
import { startServer } from '@drawbridge/server/compose/server';
import { must, type TestPerson } from '../kit/server/account.ts';
import { databases } from '../kit/server/database.ts';
import { openTestClient } from '../kit/server/test-client.ts';
import { createEnrolToken } from '../kit/server/enrolment.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import {
  postToSession,
  attendedDevice,
  openSessionLink,
  readRefusal,
  randomKey,
  startFakeDevice,
  joinRelay,
} from '../kit/session/session-ends.ts';
import { runSql } from '../kit/server/raw-sql.ts';
import { openRogueDevice } from '../kit/hostile/rogue-device.ts';
import { eventually } from '../kit/eventually.ts';

for (const { kind, skip } of databases)
  describe(`resuming sessions on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    const present = async (id: number) => {
      const [standing] = await service.server.store.sessions.validity([id]);
      return standing?.stop;
    };

    /** A session of a technician that has begun. */
    async function running() {
      const attended = await attendedDevice(service);
      const { owner, person, device } = attended;
      const { url } = (await person.call('agents/connect', { agent_id: device.id })).body['data'];
      const opened = await openSessionLink(service, url);
      const operator = joinRelay(opened);
      await operator.paired;
      await eventually(
        () => listed(owner),
        (data) => data.length === 1,
      );
      return { ...attended, opened, operator };
    }
    const listed = async (owner: TestPerson): Promise<{ id: number }[]> =>
      (await owner.call('sessions/list')).body['data'];
    const resume = ({ session, secret }: OpenReply, key = randomKey()) =>
      postToSession(service, 'resume', { session, secret, key });

    test('a device’s new key is in the audit log, reported only by the holder of the session', async () => {
      const { owner, device, opened, operator } = await running();
      await using _device = device;
      await using _operator = operator;
      const [known, shown] = [randomKey(), randomKey()];
      const { session, secret } = opened;

      const received = await postToSession(service, 'alarm', { session, secret, known, shown });
      const guessed = await postToSession(service, 'alarm', { session, secret: randomKey(), known, shown });

      const { body } = await owner.call('audit/list', {});
      const lines = (body['data'] as { operation: string; outcome: string; input: object }[]).filter(
        ({ operation }) => operation === 'session/changed-key',
      );
      assert.equal(received.http, 200);
      assert.deepEqual(readRefusal(guessed), [404, 'ended']);
      assert.equal(lines.length, 1);
      assert.equal(lines[0]!.outcome, 'blocked');
      assert.deepEqual(lines[0]!.input, { session, agent_id: device.id, known, shown });
    });

    test('an operator who was cut off resumes the same session with a new pairing', async () => {
      const { owner, device, opened, operator } = await running();
      await using _device = device;
      operator.socket.terminate();
      await operator.closed;
      const key = randomKey();

      const answer = await resume(opened, key);
      const again = JSON.parse(answer.text) as OpenReply;
      await using back = joinRelay(again);
      await back.paired;

      assert.deepEqual([answer.http, again.session, again.secret], [200, opened.session, opened.secret]);
      assert.notEqual(again.pair, opened.pair);
      assert.deepEqual([device.grants[1]!.operator_key, device.grants[1]!.pair], [key, again.pair]);
      assert.deepEqual(
        (await listed(owner)).map(({ id }) => id),
        [opened.session],
      );
      const { sessions } = (await owner.call('agents/info', { agent_id: device.id })).body['data'];
      assert.equal(sessions.total, 1);
    });

    for (const [name, code] of [
      ['reloads the page', 1_001],
      ['connects again after a timeout of their own', leaveCodes.page_returning],
    ] as const)
      test(`an operator who ${name} resumes the session`, async () => {
        const { device, opened, operator } = await running();
        await using _device = device;
        operator.socket.close(code);
        await operator.closed;

        const again = JSON.parse((await resume(opened)).text) as OpenReply;
        await using back = joinRelay(again);
        await back.paired;

        assert.equal(again.session, opened.session);
        assert.equal(await present(opened.session), null);
      });

    test('an operator who resumes while the old pairing still exists replaces it', async () => {
      const { device, opened, operator } = await running();
      await using _device = device;

      const again = JSON.parse((await resume(opened)).text) as OpenReply;
      await using back = joinRelay(again);
      await back.paired;

      await operator.closed;
      assert.equal(await present(opened.session), null);
    });

    test('nobody resumes without the secret, or after a goodbye', async () => {
      const { device, opened, operator, owner } = await running();
      await using _device = device;

      const wrong = await postToSession(service, 'resume', {
        session: opened.session,
        secret: randomKey(),
        key: randomKey(),
      });
      operator.socket.close(1_000);
      await eventually(
        () => listed(owner),
        (data) => data.length === 0,
      );

      assert.deepEqual(readRefusal(wrong), [404, 'ended']);
      assert.deepEqual(readRefusal(await resume(opened)), [404, 'ended']);
    });

    test('permissions that were taken away meanwhile are not in the session any more, or it cannot be resumed', async () => {
      const { owner, device, opened, operator, roleId } = await running();
      await using _device = device;
      operator.socket.terminate();
      await operator.closed;

      await owner.call('team/role/edit', { id: roleId, permission: ['agent_connect', 'agent_chat'] });
      const less = JSON.parse((await resume(opened)).text) as OpenReply;
      await owner.call('team/role/remove', { id: roleId });

      assert.deepEqual(less.permissions, ['agent_connect']);
      assert.deepEqual(readRefusal(await resume(opened)), [403, 'forbidden']);
    });

    test('a session that was cut ends after a minute, dated to the last moment it was known alive', async () => {
      const { owner, device, opened, operator } = await running();
      await using _device = device;
      const cutAt = service.server.store.now();
      operator.socket.terminate();
      await operator.closed;
      // Time may pass only after it is stored.
      await eventually(
        () => runSql(service, `select present from session where id = ${opened.session}`),
        ([row]) => row!['present'] === 0,
      );

      service.advance(59);
      await runHousekeeping(service.server.store, 7 * 86_400);
      const early = await present(opened.session);
      service.advance(62);
      await runHousekeeping(service.server.store, 7 * 86_400);

      const [past] = (await owner.call('history/list', { agent_id: device.id })).body['data'];
      assert.deepEqual([early, past.stop], [null, cutAt]);
      service.advance(600);
      assert.deepEqual(readRefusal(await resume(opened)), [404, 'ended']);
    });

    test('a device that is away for a moment is reported offline, and the session can still be resumed', async () => {
      const { device, opened, operator } = await running();
      await using _device = device;
      operator.socket.terminate();
      await operator.closed;
      await must(service.server.store, 'presence/release', { node: kind === 'sqlite' ? 'this' : 'all' });

      assert.deepEqual(readRefusal(await resume(opened)), [409, 'offline']);

      assert.equal(await present(opened.session), null);
    });
  });

test('a session survives a restart of the server: its operator resumes within the minute', async () => {
  const first = await startService({ realTime: true });
  const account = await first.account();
  const device = await startFakeDevice(first.testClient.baseUrl, await createEnrolToken(account.owner));
  await eventually(
    async () => (await account.owner.call('agents/info', { agent_id: device.id })).body['data'].online,
    (online) => online === true,
  );
  const { url } = (await account.owner.call('agents/connect', { agent_id: device.id })).body['data'];
  const opened = await openSessionLink(first, url);
  const operator = joinRelay(opened);
  await operator.paired;

  const { config } = first.server;
  await first.server.close(0);
  assert.equal((await operator.closed).code, 1_012);
  const log = createLog({ level: 'error', stream: { write: () => {} } });
  const server = await startServer(config, log);
  const testClient = openTestClient(server);
  const rogue = await openRogueDevice(testClient.baseUrl, { key: device.rogue.key });
  await rogue.enter();
  rogue.socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as { kind: string; number: number };
    if (message.kind === 'command') rogue.send({ kind: 'answer', number: message.number, done: {} });
  });
  const back = await eventually(
    () =>
      postToSession({ testClient, server }, 'resume', {
        session: opened.session,
        secret: opened.secret,
        key: randomKey(),
      }),
    ({ http }) => http !== 409,
  );
  const history = await server.store.history.list(account.id, {
    agents: 'all',
    invitations: 'all',
    memberId: account.owner.id,
    offset: 0,
    limit: 10,
  });

  assert.equal(back.http, 200);
  assert.deepEqual(
    history.sessions.map(({ id, stop }) => [id, stop]),
    [[opened.session, null]],
  );
  await rogue[Symbol.asyncDispose]();
  await device[Symbol.asyncDispose]();
  testClient.close();
  await server.close(0);
  await first[Symbol.asyncDispose]();
});
