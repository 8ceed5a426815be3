/**
 * The two ends of a session as the server sees them: the operator who opens a link, sockets at the relay, and
 * a device that follows commands.
 */
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { countingProtocol } from '@drawbridge/contract/session/direct-count';
import { lobbyPath, lobbyProtocol, type LobbyDown } from '@drawbridge/contract/session/lobby';
import { relayProtocol, type OpenReply } from '@drawbridge/contract/session/open';
import type { RoundTrip } from '@drawbridge/contract/session/round-trips';
import { decodeBody, splitSigned, type Grant } from '@drawbridge/contract/session/signed';
import { WebSocket } from 'ws';
import type { TestPerson, TestAccount } from '../server/account.ts';
import type { PlainResponse } from '../server/test-client.ts';
import { waitUntilOnline, createEnrolToken } from '../server/enrolment.ts';
import type { TestService } from '../server/service.ts';
import { openRogueDevice, type RogueDevice } from '../hostile/rogue-device.ts';
import { eventually } from '../eventually.ts';

/** 32 bytes that stand for a key. */
export const randomKey = (): string => randomBytes(32).toString('base64url');

/** Headers of a request from the server's own page. */
export const postToSession = (
  { testClient, server }: Pick<TestService, 'testClient' | 'server'>,
  path: 'relays' | 'show' | 'inviter' | 'open' | 'resume' | 'note' | 'again' | 'record' | 'alarm',
  body: object,
  headers: Record<string, string> = {},
): Promise<PlainResponse> =>
  testClient.send({
    method: 'POST',
    path: `/session/${path}`,
    headers: {
      Origin: server.config.publicUrl,
      'Content-Type': 'application/json',
      'User-Agent': 'browser/1.0',
      ...headers,
    },
    body: JSON.stringify(body),
  });

export const linkCode = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

export async function openSessionLink(
  service: Pick<TestService, 'testClient' | 'server'>,
  url: string,
  /** What the page has measured. */
  roundTrips?: readonly RoundTrip[],
): Promise<OpenReply> {
  const answer = await postToSession(service, 'open', {
    code: linkCode(url),
    key: randomKey(),
    round_trips: roundTrips,
  });
  if (answer.http !== 200) throw new Error(`the link did not open: ${answer.text}`);
  return JSON.parse(answer.text) as OpenReply;
}

/** The code of a refusal, with its HTTP status code. */
export const readRefusal = ({ http, text }: PlainResponse): [number, string] => [
  http,
  (JSON.parse(text) as { error: { code: string } }).error.code,
];

/** One side at the relay. */
export interface RelayPeer extends AsyncDisposable {
  socket: WebSocket;
  paired: Promise<void>;
  closed: Promise<{ code: number; reason: string }>;
}

export function joinRelay(
  { relay, ticket }: { relay: string; ticket: string },
  protocols: readonly string[] = [relayProtocol],
): RelayPeer {
  const socket = new WebSocket(relay, [...protocols], {
    rejectUnauthorized: false,
    perMessageDeflate: false,
  });
  socket.on('error', () => {});
  socket.once('open', () => socket.send(ticket));
  const closed = new Promise<{ code: number; reason: string }>(
    (resolve) => void socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
  );
  const paired = new Promise<void>((resolve, reject) => {
    socket.once('message', (data) =>
      String(data) === 'paired' ? resolve() : reject(new Error(String(data))),
    );
    void closed.then(({ reason }) => reject(new Error(`not paired: ${reason}`)));
  });
  paired.catch(() => {});
  return {
    socket,
    paired,
    closed,
    async [Symbol.asyncDispose]() {
      socket.terminate();
      await closed;
    },
  };
}

export const parseGrant = (text: string): Grant => decodeBody('grant', splitSigned(text)!.body)!;

/** A device that connects to the relay whenever it is commanded to, and records its commands. */
export interface FakeDevice extends AsyncDisposable {
  id: number;
  rogue: RogueDevice;
  grants: Grant[];
  peers: RelayPeer[];
  commands: { name: string; input: Record<string, unknown> }[];
  /** What it answers instead of connecting. */
  refuses?: string;
  /** What it answers when it is asked to measure relays. */
  roundTrips?: readonly RoundTrip[];
  /** What it answers to other commands, by their names. */
  answers?: Readonly<Record<string, object>>;
}

/** `version`: of the uplink, as the device tells it. */
export async function startFakeDevice(server: string, token: string, version = 1): Promise<FakeDevice> {
  const rogue = await openRogueDevice(server, { version });
  const { id } = await rogue.enter(token);
  const device: FakeDevice = {
    id,
    rogue,
    grants: [],
    peers: [],
    commands: [],
    async [Symbol.asyncDispose]() {
      for (const peer of device.peers) await peer[Symbol.asyncDispose]();
      await rogue[Symbol.asyncDispose]();
    },
  };
  rogue.socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as { kind: string; number: number; name: string; input: never };
    if (message.kind !== 'command') return;
    device.commands.push({ name: message.name, input: message.input });
    const { refuses } = device;
    rogue.send({
      kind: 'answer',
      number: message.number,
      ...(refuses
        ? { refused: refuses }
        : {
            done:
              message.name === 'relays'
                ? { round_trips: device.roundTrips ?? [] }
                : (device.answers?.[message.name] ?? {}),
          }),
    });
    if (message.name !== 'session' || refuses) return;
    const session = message.input as { grant: string; ticket: string; relay: string };
    device.grants.push(parseGrant(session.grant));
    device.peers.push(joinRelay(session, [countingProtocol, relayProtocol]));
  });
  return device;
}

/** A device that is online, and a technician who may see and control it. */
export interface AttendedDevice {
  account: TestAccount;
  owner: TestPerson;
  device: FakeDevice;
  person: TestPerson;
  roleId: number;
}

export async function attendedDevice(service: TestService): Promise<AttendedDevice> {
  const account = await service.account();
  const { owner } = account;
  const device = await startFakeDevice(service.testClient.baseUrl, await createEnrolToken(owner));
  await waitUntilOnline(owner, device.id);
  const person = await account.member();
  const { roleId } = await account.grant(person, {
    type: 'agent',
    agentId: device.id,
    permissions: ['agent_connect', 'agent_control'],
  });
  return { account, owner, device, person, roleId };
}

/** The client of an invitation at the lobby. */
export interface FakeLobbyClient extends AsyncDisposable {
  key: string;
  socket: WebSocket;
  received: LobbyDown[];
  send(message: object): void;
  /** The first message of this kind. */
  waitFor<Kind extends LobbyDown['kind']>(kind: Kind): Promise<Extract<LobbyDown, { kind: Kind }>>;
  closed: Promise<{ code: number; reason: string }>;
}

interface JoinOptions {
  key?: string;
  os?: string;
  headers?: Record<string, string>;
  /** What it measured at an earlier connection. */
  roundTrips?: readonly RoundTrip[];
}

export async function joinLobby(
  server: string,
  code: string,
  { key = randomKey(), os = 'win', headers = {}, roundTrips }: JoinOptions = {},
): Promise<FakeLobbyClient> {
  const socket = new WebSocket(new URL(lobbyPath, server.replace(/^http/, 'ws')), lobbyProtocol, {
    rejectUnauthorized: false,
    perMessageDeflate: false,
    headers,
  });
  const received: LobbyDown[] = [];
  socket.on('message', (data) => received.push(JSON.parse(String(data)) as LobbyDown));
  socket.on('error', () => {});
  const closed = new Promise<{ code: number; reason: string }>(
    (resolve) => void socket.once('close', (why, reason) => resolve({ code: why, reason: String(reason) })),
  );
  await Promise.race([once(socket, 'open'), closed.then(() => Promise.reject(new Error('not let in')))]);
  const send = (message: object): void => socket.send(JSON.stringify(message));
  send({ kind: 'join', code, key, os, by: 'browser', round_trips: roundTrips });
  return {
    key,
    socket,
    received,
    send,
    waitFor: async (kind) =>
      (await eventually(
        () => received.find((each) => each.kind === kind),
        (message) => message !== undefined,
      )) as never,
    closed,
    async [Symbol.asyncDispose]() {
      socket.terminate();
      await closed;
    },
  };
}
