/**
 * Sessions on two servers with one PostgreSQL and one NATS: operator, device and client at different ones.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { OpenReply } from '@drawbridge/contract/session/open';
import { newKey } from '@drawbridge/server/compose/create-account';
import { random } from '@drawbridge/server/edges/random';
import { openStore } from '@drawbridge/server/store/engine/open';
import type { TestPerson } from '../kit/server/account.ts';
import { createPersonAt } from '../kit/server/person-at.ts';
import { waitUntilOnline, createEnrolToken } from '../kit/server/enrolment.ts';
import { openPanelClient } from '../kit/server/panel.ts';
import { createProvider } from '../provisioning/scim-provider.ts';
import { openTestClient } from '../kit/server/test-client.ts';
import { skipWithout } from '../kit/requirements.ts';
import {
  postToSession,
  joinLobby,
  openSessionLink,
  randomKey,
  startFakeDevice,
  joinRelay,
} from '../kit/session/session-ends.ts';
import type { Nats } from '../kit/server/nats.ts';
import { startServerProcess, type ServerProcess } from '../kit/process.ts';
import { largePng } from '../kit/display/large-png.ts';
import { eventually } from '../kit/eventually.ts';
import { startTwoServers, type TwoServers } from '../kit/server/two-servers.ts';
import { startStopwatch } from '../kit/stopwatch.ts';
import { startForgingProvider } from '../kit/sso/forging-provider.ts';
import { waitingSession } from '../conformance/waiting-session.ts';
import { oktaActive } from '../provisioning/okta-requests.ts';

const skip = skipWithout('PostgreSQL') || skipWithout('nats-server');

describe('sessions on two servers', { skip }, () => {
  let two: TwoServers;
  let nats: Nats;
  let one: ServerProcess;
  let other: ServerProcess;
  /** The same owner at both servers. */
  let here: TestPerson;
  let there: TestPerson;
  before(async () => {
    two = await startTwoServers({ DRAWBRIDGE_SSO_LOOPBACK: 'true' });
    ({ nats, one, other, here, there } = two);
  });
  after(() => two[Symbol.asyncDispose]());

  /** One of the two, as a service for tests. */
  const at = ({ url }: ServerProcess) => {
    const server = {
      config: { listen: { port: Number(new URL(url).port) }, publicUrl: url },
      certificate: { certFile: `${two.folder}/tls/cert.pem` },
    } as never;
    return { server, testClient: openTestClient(server) };
  };
  /** Resolves when this is what the server logged last about the bus. */
  const heard = (server: ServerProcess, line: string): Promise<unknown> =>
    eventually(
      () => /.*(the bus is (?:up|down))/s.exec(server.output())?.[1],
      (last) => last === line,
    );
  const device = async () => {
    const made = await startFakeDevice(one.url, await createEnrolToken(here));
    await waitUntilOnline(there, made.id);
    return made;
  };
  const linkTo = async (person: TestPerson, agent_id: number): Promise<string> =>
    (await person.call('agents/connect', { agent_id })).body['data'].url;

  test('a link made at one server is opened at the other, once, and the device at the one connects to the relay of the other', async () => {
    await using desk = await device();
    const url = await linkTo(here, desk.id);

    const opened = await openSessionLink(at(other), url);
    await using operator = joinRelay(opened);
    await operator.paired;

    assert.equal(new URL(opened.relay).port, new URL(other.url).port);
    await assert.rejects(openSessionLink(at(one), url), /"used"/);
    const listed = await eventually(
      async () => (await here.call('sessions/list')).body['data'],
      (data) => data.length === 1,
    );
    assert.equal(listed[0].id, opened.session);
  });

  test('a session at one server is ended through the other, and by changes made there', async () => {
    for (const end of ['sessions/close', 'agents/logout'] as const) {
      await using desk = await device();
      const opened = await openSessionLink(at(other), await linkTo(here, desk.id));
      await using operator = joinRelay(opened);
      await operator.paired;
      await eventually(
        async () => (await here.call('sessions/list', { agent_id: desk.id })).body['data'].length as number,
        (count) => count === 1,
      );
      using started = startStopwatch();

      await here.call(end, { id: end === 'agents/logout' ? desk.id : opened.session });
      await operator.closed;

      assert.ok(started.ms() <= 5_000);
    }
  });

  /** A technician at both servers, who may chat on the device. */
  async function technician(agent_id: number) {
    const email = `tech-${agent_id}@example.com`;
    const create = async (permission: string[]): Promise<number> =>
      (await here.call('team/role/create', { name: `role ${agent_id}`, type: 'agent', permission })).body[
        'id'
      ];
    const role_id = await create(['agent_connect', 'agent_control']);
    await here.call('team/member/invite', { email });
    await here.call('team/member/access/add', { email, role_id: await create(['agent_chat']), agent_id });
    const store = await openStore({ url: two.env['DRAWBRIDGE_DATABASE'], folder: two.folder });
    const { data } = (await here.call('team/member/list', { search: email })).body;
    const { accountId } = (await store.members.everywhere(email))[0]!;
    const { apiKey, key } = newKey(random, 'test');
    await store.change('keys/create', { accountId, memberId: data[0].id, key });
    await store.close();
    const [atOne, atOther] = [one, other].map(({ url }) => createPersonAt(url, apiKey, two.folder));
    return { role_id, email, apiKey, atOne: atOne!, atOther: atOther! };
  }

  test('a session that waits for a second person at one server is listed at the other, until it is over', async () => {
    await using desk = await startFakeDevice(one.url, await createEnrolToken(here), 8);
    await waitUntilOnline(there, desk.id);
    desk.answers = { session: { approval: true }, approvals: { waiting: [waitingSession] } };
    const { atOther } = await technician(desk.id);
    const waiting = async (person: TestPerson) =>
      (await person.call('agents/approval/list')).body['data'].map(
        (row: { agent_id: number }) => row.agent_id,
      );
    const opened = await openSessionLink(at(one), await linkTo(here, desk.id));
    const operator = joinRelay(opened);
    await operator.paired;

    await eventually(
      () => waiting(atOther),
      (ids) => ids.length > 0,
    );
    assert.deepEqual([await waiting(atOther), await waiting(there)], [[desk.id], []]);
    await operator[Symbol.asyncDispose]();
    await eventually(
      () => waiting(atOther),
      (ids) => ids.length === 0,
    );
  });

  test('access that was approved at one server ends at all, with its session, and gives nothing after its end, at a third server neither', async () => {
    await using third = await startServerProcess(two.env);
    using _ = { [Symbol.dispose]: () => rmSync(third.folder, { recursive: true, force: true }) };
    await using desk = await device();
    const agent_id = desk.id;
    const { role_id, email, apiKey, atOne, atOther } = await technician(agent_id);
    const atThird = createPersonAt(third.url, apiKey, two.folder);
    const refused = async (person: TestPerson) =>
      (await person.call('agents/connect', { agent_id })).body.error?.code;
    assert.deepEqual([await refused(atOne), await refused(atOther)], ['forbidden', 'forbidden']);
    const wanted = { role_id, agent_id, reason: 'Ticket 12', minutes: 1 };
    const { id } = (await atOne.call('team/access/request/create', wanted)).body;
    assert.equal((await atOne.call('team/access/request/approve', { id })).http, 403);
    assert.equal((await there.call('team/access/request/approve', { id })).http, 200);
    assert.equal(
      (await here.call('team/access/request/approve', { id })).body.error?.code,
      'already_decided',
    );
    // The approved minute is too long for a test: a grant of a few seconds takes its place.
    const until = Math.floor(Date.now() / 1_000) + 6;
    await here.call('team/member/access/add', { email, role_id, agent_id, until });
    const opened = await openSessionLink(at(other), await linkTo(atOne, agent_id));
    assert.equal(desk.grants.at(-1)!.reason, 'Ticket 12');
    await using operator = joinRelay(opened);
    await operator.paired;
    const unused = await linkTo(atOther, agent_id);
    await here.call('team/access/request/cancel', { id });
    assert.equal(await refused(atThird), undefined);

    await operator.closed;

    assert.ok(Date.now() / 1_000 >= until);
    assert.ok(Date.now() / 1_000 <= until + 5);
    for (const person of [atOne, atOther, atThird]) assert.equal(await refused(person), 'forbidden');
    await assert.rejects(openSessionLink(at(third), unused), /"forbidden"/);
  });

  test('a person whom an identity provider disables at one server is out of panel and connection at the other, and returns', async () => {
    await using desk = await device();
    const email = 'ann@two.example';
    const { body: invited } = await here.call('team/member/invite', { email });
    const { body: role } = await here.call('team/role/create', {
      name: 'View',
      description: '',
      type: 'agent',
      permission: ['agent_connect'],
    });
    await here.call('team/member/access/add', { email, role_id: role['id'], agent_id: desk.id });
    const panel = openPanelClient(at(other));
    await panel.ask('sign-in/link', { token: String(invited['url']).split('/').at(-1)! });
    const connect = () => panel.v1('agents/connect', { agent_id: desk.id });
    const opened = await openSessionLink(at(other), (await connect()).body['data'].url);
    await using operator = joinRelay(opened);
    await operator.paired;
    const provider = await createProvider(at(one).testClient, here);
    using started = startStopwatch();

    const off = await provider.send('PATCH', `/Users/${invited['id']}`, oktaActive(false));
    const refused = await connect();
    await operator.closed;
    const ms = started.ms();
    const on = await provider.send('PATCH', `/Users/${invited['id']}`, oktaActive(true));
    const { body: roles } = await there.call('team/member/access/list', { email });

    assert.deepEqual([off.body.active, on.body.active], [false, true]);
    assert.notEqual(refused.http, 200);
    assert.ok(ms <= 5_000, `${ms} ms`);
    assert.equal(roles['data'].roles.length, 1);
  });

  test('a sign-in that its provider ends at one server is over in panel and connection at the other', async () => {
    await using desk = await device();
    await using provider = await startForgingProvider();
    const { body: created } = await here.call('team/provider/create', {
      name: 'Company',
      issuer: provider.issuer,
      ca_cert: provider.ca,
      client_id: 'two',
      client_secret: 'secret',
      create_people: true,
    });
    const { data } = (await here.call('team/provider/list')).body;
    const name = data.find(({ id }: { id: number }) => id === created['id']).sign_in_name as string;
    const [email, sid] = ['ben@two.example', 'the sign-in'];
    provider.claims = { sub: 'ben', email, sid };
    const panel = openPanelClient(at(other));
    const { url } = (await panel.ask('sign-in/sso/begin', { name })).body;
    await panel.ask('sign-in/sso', { ...provider.answer(url as string) });
    const { role_id } = await technician(desk.id);
    await here.call('team/member/access/add', { email, role_id, agent_id: desk.id });
    const connect = () => panel.v1('agents/connect', { agent_id: desk.id });
    const opened = await openSessionLink(at(other), (await connect()).body['data'].url);
    await using operator = joinRelay(opened);
    await operator.paired;
    using started = startStopwatch();

    const { http } = await at(one).testClient.send({
      method: 'POST',
      path: `/panel/sso/${name}/logout`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `logout_token=${provider.token(provider.logoutClaims('two', { sid }))}`,
    });
    const refused = await connect();
    await operator.closed;

    assert.ok(started.ms() <= 5_000, `${started.ms()} ms`);
    assert.deepEqual([http, refused.http], [200, 403]);
  });

  test('without NATS a session at one server is still ended through the other', async () => {
    await using desk = await device();
    const opened = await openSessionLink(at(other), await linkTo(here, desk.id));
    await using operator = joinRelay(opened);
    await operator.paired;
    await nats.stop();
    using started = startStopwatch();

    await here.call('agents/logout', { id: desk.id });
    await operator.closed;

    assert.ok(started.ms() <= 15_000);
    await nats.start();
  });

  test('a link is not used up when the server of its device cannot be reached', async () => {
    await using desk = await device();
    const url = await linkTo(here, desk.id);
    await nats.stop();
    await heard(other, 'the bus is down');
    const refused = await openSessionLink(at(other), url).then(String, String);
    await nats.start();
    for (const server of [one, other]) await heard(server, 'the bus is up');
    const opened = await openSessionLink(at(other), url);
    await using operator = joinRelay(opened);
    await operator.paired;

    assert.match(refused, /does not respond/);
    await assert.rejects(openSessionLink(at(one), url), /"used"/);
  });

  test('a session that was cut at one server resumes at the other', async () => {
    await using desk = await device();
    const opened = await eventually(
      async () => openSessionLink(at(one), await linkTo(here, desk.id)).catch(() => undefined),
      (made) => made !== undefined,
    );
    await using operator = joinRelay(opened!);
    await operator.paired;

    const answer = await eventually(
      () =>
        postToSession(at(other), 'resume', {
          session: opened!.session,
          secret: opened!.secret,
          key: randomKey(),
        }),
      ({ http }) => http === 200,
    );
    const again = JSON.parse(answer.text) as OpenReply;
    await using back = joinRelay(again);
    await Promise.all([back.paired, operator.closed]);

    assert.equal(again.session, opened!.session);
    const listed = (await here.call('sessions/list', { agent_id: desk.id })).body['data'];
    assert.equal(listed.length, 1);
  });

  /** Runs the work while neither server reaches NATS. */
  async function withoutNats<Result>(work: () => Promise<Result>): Promise<Result> {
    await nats.stop();
    for (const server of [one, other]) await heard(server, 'the bus is down');
    const result = await work();
    await nats.start();
    for (const server of [one, other]) await heard(server, 'the bus is up');
    return result;
  }

  for (const [leaves, how] of [
    [true, 'its old connection ends'],
    [false, 'its old connection is closed'],
  ] as const)
    test(`a session that was resumed at the other server while NATS was away goes on there when ${how}`, async () => {
      await using desk = await startFakeDevice(other.url, await createEnrolToken(there), 8);
      await waitUntilOnline(here, desk.id);
      desk.answers = { session: { approval: true }, approvals: { waiting: [waitingSession] } };
      const { atOther } = await technician(desk.id);
      const waiting = async (): Promise<number> =>
        (await atOther.call('agents/approval/list')).body['data'].length;
      const opened = await openSessionLink(at(one), await linkTo(here, desk.id));
      await using operator = joinRelay(opened);
      await operator.paired;
      const request = { session: opened.session, secret: opened.secret, key: randomKey() };

      await using back = await withoutNats(async () => {
        const { text } = await postToSession(at(other), 'resume', request);
        const peer = joinRelay(JSON.parse(text) as OpenReply);
        await peer.paired;
        operator.socket.send(Buffer.from([0x05, 1, 2, 3]));
        if (leaves) operator.socket.close();
        return peer;
      });
      const { reason } = await operator.closed;
      await eventually(
        async () => (await here.call('history/list')).body['data'] as { id: number; bytes: number }[],
        (rows) => rows.find(({ id }) => id === opened.session)?.bytes === 4,
      );

      assert.equal(reason, leaves ? '' : 'The session continues on another connection.');
      assert.equal(await waiting(), 1);
      assert.equal(back.socket.readyState, back.socket.OPEN);
    });

  test('a client at one server and operators at the other are connected, in either order', async () => {
    for (const operatorFirst of [true, false]) {
      const { id, invite_code } = (await here.call('support/create')).body['data'];
      const open = async () =>
        openSessionLink(
          at(other),
          (await there.call('support/connect', { connection_id: id })).body['data'].url,
        );
      const early = operatorFirst ? await open() : undefined;
      const waiting = early && joinRelay(early);

      await using client = await joinLobby(one.url, invite_code);
      await client.waitFor('welcome');
      const operator = waiting ?? joinRelay(await open());
      await using peer = joinRelay(await client.waitFor('session'));
      await Promise.all([operator.paired, peer.paired]);
      assert.equal((await here.call('support/info', { connection_id: id })).body['data'].status, 2);
      const picture = largePng(32, 20).toString('base64');
      client.send({ kind: 'preview', type: 'image/png', picture });
      const { client_preview_url } = (await there.call('support/info', { connection_id: id })).body['data'];
      await eventually(
        () => at(other).testClient.send({ path: new URL(client_preview_url).pathname }),
        ({ bytes }) => bytes.toString('base64') === picture,
      );

      await there.call('support/close', { connection_id: id });
      await Promise.all([operator.closed, peer.closed, client.closed]);
    }
  });

  test('a client who changes to the other server is at one of them only', async () => {
    const { invite_code } = (await here.call('support/create')).body['data'];
    await using first = await joinLobby(one.url, invite_code);
    await first.waitFor('welcome');

    await using second = await joinLobby(other.url, invite_code, { key: first.key });
    await second.waitFor('welcome');

    assert.deepEqual(await first.closed, { code: 4_001, reason: 'replaced' });
  });

  test('a client who changed to the other server while NATS was away is at that one only', async () => {
    const { invite_code } = (await here.call('support/create')).body['data'];
    await using first = await joinLobby(one.url, invite_code);
    await first.waitFor('welcome');

    await using second = await withoutNats(async () => {
      const client = await joinLobby(other.url, invite_code, { key: first.key });
      await client.waitFor('welcome');
      return client;
    });

    assert.deepEqual(await first.closed, { code: 4_001, reason: 'replaced' });
    assert.equal(second.socket.readyState, second.socket.OPEN);
  });
});
