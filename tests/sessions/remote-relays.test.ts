/** Sessions over relays in other regions: real processes without a database, chosen by the round trips of both sides. */
import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { relayCloseCodes } from '@drawbridge/contract/close-codes';
import type { OpenReply } from '@drawbridge/contract/session/open';
import type { RoundTrip } from '@drawbridge/contract/session/round-trips';
import {
  decodeBody,
  encodeBody,
  signedBytes,
  splitSigned,
  withSignature,
} from '@drawbridge/contract/session/signed';
import { eventually } from '../kit/eventually.ts';
import { firstApiKey, startAgentProcess, startProgram, type Program } from '../kit/process.ts';
import { startRegionalServer, type RegionalServer } from '../kit/nodes/relay-process.ts';
import { createEnrolToken, waitUntilOnline } from '../kit/server/enrolment.ts';
import { createPersonAt } from '../kit/server/person-at.ts';
import { openTestClient } from '../kit/server/test-client.ts';
import {
  joinLobby,
  joinRelay,
  openSessionLink,
  postToSession,
  randomKey,
  startFakeDevice,
  type FakeDevice,
} from '../kit/session/session-ends.ts';

/** A frame that relays pass on without understanding it. */
const frame = Buffer.from([0x05, 1, 2, 3]);
/** How soon a session ends whose right was taken away. */
const revokedWithinMs = 5_000;

const trips = (given: Record<string, number>): RoundTrip[] =>
  Object.entries(given).map(([name, ms]) => ({ name, ms }));

interface PastSession {
  id: number;
  bytes: number;
  ended_by?: string;
}

describe('relays in other regions', () => {
  let regional: RegionalServer;
  let service: Parameters<typeof openSessionLink>[0];
  let owner: ReturnType<typeof createPersonAt>;
  const running: Record<string, Program> = {};
  const relayUrl = (name: string): string => regional.regions[name]!.url;

  before(async () => {
    regional = await startRegionalServer(['oslo', 'lima']);
    const { url, folder } = regional.server;
    const server = {
      config: { listen: { port: Number(new URL(url).port) }, publicUrl: url },
      certificate: { certFile: `${folder}/tls/cert.pem` },
    } as never;
    service = { server, testClient: openTestClient(server) };
    owner = createPersonAt(url, firstApiKey(regional.server), folder);
    await Promise.all(['oslo', 'lima'].map((name) => startRelay(name)));
  });
  after(async () => {
    for (const relay of Object.values(running)) await relay[Symbol.asyncDispose]();
    await regional[Symbol.asyncDispose]();
  });

  const offered = async (): Promise<string[]> => {
    const { text } = await postToSession(service, 'relays', {});
    return (JSON.parse(text) as { relays: { name: string }[] }).relays.map(({ name }) => name);
  };
  async function startRelay(name: string): Promise<void> {
    running[name] = await regional.regions[name]!.start();
    await eventually(offered, (names) => names.includes(name));
  }
  async function startDevice(version = 8): Promise<FakeDevice> {
    const device = await startFakeDevice(regional.server.url, await createEnrolToken(owner), version);
    await waitUntilOnline(owner, device.id);
    return device;
  }
  async function open({ id }: { id: number }, measured: Record<string, number>): Promise<OpenReply> {
    const { url } = (await owner.call('agents/connect', { agent_id: id })).body['data'];
    return openSessionLink(service, url, trips(measured));
  }
  const past = async (id: number): Promise<PastSession | undefined> =>
    ((await owner.call('history/list')).body['data'] as PastSession[]).find((row) => row.id === id);
  const ownUrl = (): string => `${regional.server.url.replace(/^https/, 'wss')}/relay`;

  test('a session takes the relay with the shortest way, in both directions, and is in the history like any other', async () => {
    await using device = await startDevice();
    device.roundTrips = trips({ '': 80, oslo: 5, lima: 40 });

    const opened = await open(device, { '': 80, oslo: 200, lima: 40 });
    await using operator = joinRelay(opened);
    await operator.paired;
    const peer = device.peers[0]!;
    const received = [peer, operator].map(
      ({ socket }) =>
        new Promise((resolve) => void socket.on('message', (data, isBinary) => isBinary && resolve(data))),
    );
    operator.socket.send(frame);
    peer.socket.send(frame);

    assert.deepEqual(await Promise.all(received), [frame, frame]);
    assert.equal(opened.relay, relayUrl('lima'));
    await eventually(
      () => past(opened.session),
      (row) => row?.bytes === 2 * frame.length,
    );
    operator.socket.close(1_000);
    const row = await eventually(
      () => past(opened.session),
      (each) => each?.ended_by !== undefined,
    );
    assert.deepEqual([row?.ended_by, row?.bytes], ['operator', 2 * frame.length]);
    const { body } = await owner.call('audit/list', { operation: 'session/close' });
    assert.deepEqual(body['data'][0].input, {
      session: opened.session,
      by: 'operator',
      bytes: 2 * frame.length,
    });
  });

  test('the relay of the server is taken if it is nearer, if a side measured nothing, or if the agent is older', async () => {
    await using device = await startDevice();
    await using older = await startDevice(7);
    device.roundTrips = trips({ '': 5, oslo: 10, lima: 10 });
    older.roundTrips = trips({ '': 50, oslo: 10 });

    assert.equal((await open(device, { '': 5, oslo: 10, lima: 10 })).relay, ownUrl());
    assert.equal((await open(device, {})).relay, ownUrl());
    device.roundTrips = [];
    assert.equal((await open(device, { '': 5, oslo: 1 })).relay, ownUrl());
    assert.equal((await open(older, { '': 50, oslo: 10 })).relay, ownUrl());
    assert.equal(older.commands.filter(({ name }) => name === 'relays').length, 0);
  });

  test('a relay accepts only tickets that its server signed for it, once and in time', async () => {
    await using device = await startDevice();
    device.roundTrips = trips({ oslo: 1 });
    const opened = await open(device, { oslo: 1 });
    const relay = relayUrl('oslo');
    assert.equal(opened.relay, relay);
    const codeOf = async (ticket: string, at = relay): Promise<number> => {
      await using peer = joinRelay({ relay: at, ticket });
      return (await peer.closed).code;
    };
    const { body, signature } = splitSigned(opened.ticket)!;
    const content = decodeBody('remote_ticket', body)!;
    const foreign = createPrivateKey(
      generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }),
    );
    const forge = (some: object, purpose: 'ticket' | 'remote_ticket' = 'remote_ticket'): string => {
      const text = encodeBody('remote_ticket', { ...content, ...some });
      return withSignature(text, sign(null, signedBytes(purpose, text), foreign));
    };
    const refused = relayCloseCodes.refused.code;

    assert.equal(await codeOf(forge({})), refused, 'signed by another server');
    assert.equal(
      await codeOf(withSignature(encodeBody('remote_ticket', { ...content, permissions: [] }), signature)),
      refused,
      'changed',
    );
    assert.equal(await codeOf(opened.ticket, relayUrl('lima')), refused, 'for another relay');
    assert.equal(await codeOf(opened.ticket, ownUrl()), refused, 'at the relay of the server');
    assert.equal(await codeOf((await open(device, {})).ticket), refused, 'for the relay of the server');
    await using operator = joinRelay(opened);
    await operator.paired;
    assert.equal(await codeOf(opened.ticket), refused, 'used before');
  });

  test('a session ends at once when the right is taken away', async () => {
    await using device = await startDevice();
    device.roundTrips = trips({ oslo: 1 });
    const opened = await open(device, { oslo: 1 });
    await using operator = joinRelay(opened);
    await operator.paired;
    assert.equal(opened.relay, relayUrl('oslo'));

    const removedAt = performance.now();
    await owner.call('agents/logout', { id: device.id });
    const { code } = await operator.closed;

    assert.equal(code, relayCloseCodes.ended.code);
    assert.ok(performance.now() - removedAt < revokedWithinMs);
    await eventually(
      () => past(opened.session),
      (row) => row === undefined || row.ended_by === 'server',
    );
  });

  test('a session whose relay is killed continues over that of the server, with the bytes of both', async () => {
    await using device = await startDevice();
    device.roundTrips = trips({ '': 50, lima: 1 });
    const measured = { '': 50, lima: 1 };
    const opened = await open(device, measured);
    await using operator = joinRelay(opened);
    await operator.paired;
    assert.equal(opened.relay, relayUrl('lima'));
    operator.socket.send(frame);
    await eventually(
      () => past(opened.session),
      (row) => row?.bytes === frame.length,
    );

    await running['lima']!.end('SIGKILL');
    await operator.closed;
    const { session, secret } = opened;
    const answer = await postToSession(service, 'resume', {
      session,
      secret,
      key: randomKey(),
      round_trips: trips(measured),
    });
    const resumed = JSON.parse(answer.text) as OpenReply;
    await using again = joinRelay(resumed);
    await again.paired;
    again.socket.send(frame);

    assert.equal(resumed.relay, ownUrl());
    await eventually(
      () => past(session),
      (row) => row?.bytes === 2 * frame.length,
    );
    assert.equal((await past(session))?.ended_by, undefined);
  });

  test('a real agent measures the relays and is sent to the one that it reaches', async () => {
    const token = await createEnrolToken(owner);
    await using agent = startAgentProcess(regional.server.url, token);
    await agent.until(/connected as device/);
    const { id } = await eventually(
      async () =>
        ((await owner.call('agents/list')).body['data'] as { id: number; online: boolean }[]).find(
          ({ online }) => online,
        )!,
      (row) => row !== undefined,
    );

    // A relay that does not answer within a short time, as on a busy machine, is left out of that session.
    const opened = await eventually(
      () => open({ id }, { '': 60_000, oslo: 0 }),
      ({ relay }) => relay === relayUrl('oslo'),
    );
    await using operator = joinRelay(opened);
    await operator.paired;
  });

  const invite = async (): Promise<{ id: number; invite_code: string }> =>
    (await owner.call('support/create', { client_name: 'Ann' })).body['data'];
  async function support(id: number, measured: Record<string, number>): Promise<OpenReply> {
    const { url } = (await owner.call('support/connect', { connection_id: id })).body['data'];
    return openSessionLink(service, url, trips(measured));
  }
  /** Opens sessions until one is at this relay: what the client has measured is on its way to the server. */
  const supportAt = (relay: string, id: number, measured: Record<string, number>): Promise<OpenReply> =>
    eventually(
      () => support(id, measured),
      (opened) => opened.relay === relay,
    );

  test('the client of an invitation measures the relays and is sent to the one near to both', async () => {
    const { id, invite_code: code } = await invite();
    const client = await joinLobby(regional.server.url, code);
    const { relays } = await client.waitFor('welcome');
    assert.deepEqual(
      relays?.map(({ name, url }) => [name, url]),
      [
        ['', ownUrl()],
        ['oslo', relayUrl('oslo')],
        ['lima', relayUrl('lima')],
      ],
    );
    const measured = { '': 50, oslo: 1 };
    assert.equal((await support(id, measured)).relay, ownUrl(), 'a client that has measured nothing');

    client.send({ kind: 'round_trips', round_trips: trips({ '': 50, oslo: 9, lima: 1 }) });
    const opened = await supportAt(relayUrl('oslo'), id, measured);
    await using operator = joinRelay(opened);
    const sent = await eventually(
      () => client.received.findLast((message) => message.kind === 'session'),
      (message) => message?.relay === opened.relay,
    );
    await using _peer = joinRelay(sent!);
    await operator.paired;
    assert.equal((await support(id, { '': 1, oslo: 50 })).relay, ownUrl());
    await client[Symbol.asyncDispose]();
    await using back = await joinLobby(regional.server.url, code, {
      key: client.key,
      roundTrips: trips({ '': 50, oslo: 1 }),
    });
    await back.waitFor('welcome');
    assert.equal((await support(id, measured)).relay, relayUrl('oslo'), 'after it connected again');
  });

  test('the program of an invitation measures the relays that it trusts', async () => {
    const { id, invite_code: code } = await invite();
    const { url, folder } = regional.server;
    const args = ['agent', 'join', code, '--server', url, '--ca', `${folder}/tls/cert.pem`];
    await using program = startProgram('agent/src/main.ts', args, { DRAWBRIDGE_AGENT_HARMLESS: '1' });
    await program.until(/Waiting for an operator/);

    await supportAt(relayUrl('oslo'), id, { '': 60_000, oslo: 0 });
    // It leaves nothing behind.
    await program.end('SIGTERM');
  });
});
