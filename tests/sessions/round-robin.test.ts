/**
 * Sessions on three servers behind a balancer that sends every connection to the next one, without an address of its own
 * for any relay.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { relayCloseCodes } from '@drawbridge/contract/close-codes';
import { countRequest, formatCount } from '@drawbridge/contract/session/direct-count';
import type { OpenReply } from '@drawbridge/contract/session/open';
import { newKey } from '@drawbridge/server/compose/create-account';
import { random } from '@drawbridge/server/edges/random';
import { openStore } from '@drawbridge/server/store/engine/open';
import type { ServerProcess } from '../kit/process.ts';
import { eventually } from '../kit/eventually.ts';
import { skipWithout } from '../kit/requirements.ts';
import type { TestPerson } from '../kit/server/account.ts';
import { createEnrolToken, waitUntilOnline } from '../kit/server/enrolment.ts';
import { createPersonAt } from '../kit/server/person-at.ts';
import { openTestClient } from '../kit/server/test-client.ts';
import { startThreeServers, type ThreeServers } from '../kit/nodes/three-servers.ts';
import {
  joinRelay,
  openSessionLink,
  postToSession,
  randomKey,
  startFakeDevice,
} from '../kit/session/session-ends.ts';
import { startStopwatch } from '../kit/stopwatch.ts';
import { entraActive } from '../provisioning/entra-requests.ts';
import { createProvider } from '../provisioning/scim-provider.ts';

const skip = skipWithout('PostgreSQL') || skipWithout('nats-server');

describe('sessions behind a balancer', { skip }, () => {
  let three: ThreeServers;
  before(async () => {
    three = await startThreeServers();
  });
  after(() => three[Symbol.asyncDispose]());

  /** One server, whose pages have the address of the balancer. */
  const at = ({ url }: ServerProcess) => {
    const server = {
      config: { listen: { port: Number(new URL(url).port) }, publicUrl: three.balancer.url },
      certificate: { certFile: `${three.folder}/tls/cert.pem` },
    } as never;
    return { server, testClient: openTestClient(server) };
  };
  const device = async () => {
    const made = await startFakeDevice(three.balancer.url, await createEnrolToken(three.person));
    await waitUntilOnline(three.person, made.id);
    return made;
  };
  const linkTo = async (agent_id: number): Promise<string> =>
    (await three.person.call('agents/connect', { agent_id })).body['data'].url;

  /** A session at the first server, to which the two others pass the connections of both sides on. */
  const openAtFirst = async (agent: number) => {
    const [holder, ...others] = three.servers;
    three.sendTo(others);
    const opened = await openSessionLink(at(holder!), await linkTo(agent));
    const operator = joinRelay(opened);
    await operator.paired;
    return { holder: holder!, others, opened, operator };
  };

  test('the two sides are paired, whichever servers their connections arrive at', async () => {
    await using desk = await device();
    const openedAt = three.servers.flatMap((server) => [server, server, server, server]);
    for (const server of openedAt) {
      const opened = await openSessionLink(at(server), await linkTo(desk.id));
      await using operator = joinRelay(opened);
      await operator.paired;

      assert.equal(new URL(opened.relay).host, new URL(three.balancer.url).host);
    }
    assert.equal(openedAt.length, 12);
  });

  /** Somebody at each server who may chat on the device, manages people, and asks for the role. */
  async function technician(email: string, agent_id: number) {
    const owner = three.person;
    const create = async (type: string, permission: string): Promise<number> => {
      const role = { name: `${permission} ${email}`, description: '', type, permission: [permission] };
      return (await owner.call('team/role/create', role)).body['id'];
    };
    const role_id = await create('agent', 'agent_connect');
    await owner.call('team/member/invite', { email });
    const give = (grant: object) => owner.call('team/member/access/add', { email, ...grant });
    await give({ role_id: await create('agent', 'agent_chat'), agent_id });
    await give({ role_id: await create('team', 'team_user_admin') });
    const store = await openStore({ url: three.env['DRAWBRIDGE_DATABASE'], folder: three.folder });
    const { accountId } = (await store.members.everywhere(email))[0]!;
    const { id: memberId } = (await store.members.find(accountId, email))!;
    const { apiKey, key } = newKey(random, 'test');
    await store.change('keys/create', { accountId, memberId, key });
    await store.close();
    const people = three.servers.map(({ url }) => createPersonAt(url, apiKey, three.folder));
    return { role_id, memberId, give, people: people as [TestPerson, ...TestPerson[]] };
  }

  test('nobody approves their own request, and what was given ends on all three servers', async () => {
    await using desk = await device();
    const agent_id = desk.id;
    const email = 'tech@three.example';
    const { people, role_id } = await technician(email, agent_id);
    const lines = async (operation: string) =>
      (await three.person.call('audit/list', { operation })).body['data'] as {
        email: string;
        outcome: string;
      }[];
    const connect = async (person: TestPerson) => (await person.call('agents/connect', { agent_id })).http;
    const wanted = { role_id, agent_id, reason: 'Ticket 3', minutes: 5 };
    const { id } = (await people[0].call('team/access/request/create', wanted)).body;

    const own = await Promise.all(people.map((each) => each.call('team/access/request/approve', { id })));
    const until = Math.floor(Date.now() / 1_000) + 8;
    await three.person.call('team/member/access/add', { email, role_id, agent_id, until });
    const during = await Promise.all(people.map(connect));
    const afterwards = await eventually(
      () => Promise.all(people.map(connect)),
      (all) => all.every((http) => http !== 200),
    );
    const late = Date.now() / 1_000 - until;

    assert.deepEqual(
      own.map(({ body }) => body.error?.code),
      Array(3).fill('own_request'),
    );
    assert.deepEqual([during, afterwards], [Array(3).fill(200), Array(3).fill(403)]);
    assert.ok(late <= 5, `${late} s`);
    const approvals = await lines('team/access/request/approve');
    assert.deepEqual(
      approvals.map(({ outcome }) => outcome),
      Array(3).fill('own_request'),
    );
    const refused = (await lines('agents/connect')).filter((line) => line.email === email);
    assert.ok(refused.filter(({ outcome }) => outcome === 'forbidden').length >= 3);
  });

  test('a person whom an identity provider disables is out of connections, keys and links at all three servers within five seconds', async () => {
    await using desk = await device();
    const agent_id = desk.id;
    const { people, role_id, memberId, give } = await technician('leaver@three.example', agent_id);
    await give({ role_id, agent_id });
    const link = async (person: TestPerson): Promise<string> =>
      (await person.call('agents/connect', { agent_id })).body['data'].url;
    const [first] = three.servers as [ServerProcess];
    const opened = [];
    for (const [place, server] of three.servers.entries())
      opened.push(await openSessionLink(at(server), await link(people[place]!)));
    const operators = opened.map((each) => joinRelay(each));
    await Promise.all(operators.map(({ paired }) => paired));
    const unused = await link(people[0]);
    const provider = await createProvider(at(first).testClient, three.person);
    using started = startStopwatch();

    const off = await provider.send('PATCH', `/Users/${memberId}`, entraActive('False'));
    await Promise.all(operators.map(({ closed }) => closed));
    const refused = await eventually(
      () => Promise.all(people.map(async (each) => (await each.call('agents/connect', { agent_id })).http)),
      (all) => all.every((http) => http !== 200),
    );
    const ms = started.ms();

    assert.equal(off.body.active, false);
    assert.ok(ms <= 5_000, `${ms} ms`);
    assert.deepEqual(refused, Array(3).fill(403));
    for (const server of three.servers) await assert.rejects(openSessionLink(at(server), unused));
  });

  test('the last bytes of a direct connection are in the history', async () => {
    await using desk = await device();
    const session = await openAtFirst(desk.id);
    await using operator = session.operator;
    const { socket } = desk.peers[0]!;
    const total = 5_000_000;
    socket.on('message', (data) => void (String(data) === countRequest && socket.send(formatCount(total))));
    socket.send(formatCount(0)); // it has switched to a direct connection
    await operator[Symbol.asyncDispose]();
    three.sendTo(three.servers);

    const [row] = await eventually(
      async () => (await three.person.call('history/list', { agent_id: desk.id })).body['data'],
      ([only]) => only?.bytes >= total,
      30_000,
    );
    assert.ok(row.bytes < total + 1_000, `${row.bytes} bytes`);
  });

  test('both sides are told when the server that holds their session does not respond', async () => {
    await using desk = await device();
    const { holder, ...session } = await openAtFirst(desk.id);
    await using operator = session.operator;
    using started = startStopwatch();
    holder.signal('SIGSTOP');
    const ends = await Promise.all([operator.closed, desk.peers[0]!.closed]);
    const toldAfter = started.ms();
    holder.signal('SIGCONT');
    three.sendTo(three.servers);

    const { code } = relayCloseCodes.unreachable;
    assert.deepEqual(
      ends.map((end) => end.code),
      [code, code],
    );
    assert.ok(toldAfter < 5_000, `they were told after ${toldAfter} ms`);
  });

  test('a session continues after the server that held it was killed', async () => {
    // The device does not connect again, so it is at a server that stays.
    three.sendTo(three.servers.slice(1));
    await using desk = await device();
    const { holder, others, opened, ...session } = await openAtFirst(desk.id);
    await using operator = session.operator;
    using started = startStopwatch();
    await holder.end('SIGKILL');
    await operator.closed;
    const closedAfter = started.ms();

    const answer = await eventually(
      () => postToSession(at(others[0]!), 'resume', { ...pick(opened), key: randomKey() }),
      ({ http }) => http === 200,
    );
    await using back = joinRelay(JSON.parse(answer.text) as OpenReply);
    await back.paired;

    assert.ok(closedAfter < 5_000, `the operator was told after ${closedAfter} ms`);
  });
});

const pick = ({ session, secret }: OpenReply) => ({ session, secret });
