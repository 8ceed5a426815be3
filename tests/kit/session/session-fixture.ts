/**
 * A device with its sessions, a relay and the keys of a server: everything operators need to connect to it,
 * without the server.
 */
import { createHash, createPrivateKey, randomBytes, sign, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createPlain, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { defaultPolicy, type Policy } from '@drawbridge/contract/policy';
import { relayPath } from '@drawbridge/contract/session/open';
import {
  encodeBody,
  signedBytes,
  withSignature,
  type Grant,
  type Purpose,
  type Statement,
} from '@drawbridge/contract/session/signed';
import { sessionPermissions } from '@drawbridge/contract/session/frame-kinds';
import { createDeviceKey, type DeviceKey } from '@drawbridge/agent/uplink/keys';
import type { Platform } from '@drawbridge/agent/platform/platform';
import { createKeyPair } from '@drawbridge/session/node/crypto';
import type { Clock } from '@drawbridge/session/ports';
import type { FeatureFactory } from '@drawbridge/agent/session/feature';
import { features as allParts } from '@drawbridge/agent/session/features/index';
import { createAgentSessions, type AgentSessions } from '@drawbridge/agent/session/agent-sessions';
import { createRelay } from '@drawbridge/relay/relay';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { createEvilRelay, type Tamper } from '../hostile/evil-relay.ts';
import { connectOperator, type TestOperatorOptions, type Operator } from './operator.ts';

interface SessionOptions {
  permissions?: readonly string[];
  /** What the relay forwards; everything if absent. */
  ticketed?: readonly string[];
  confirm?: boolean;
  name?: string;
  session?: number;
  /** Changes the grant before it is signed. */
  grant?: Partial<Grant>;
}

interface PreparedSession {
  input: { grant: string; ticket: string; relay: string };
  operatorOptions: TestOperatorOptions;
}

export interface SessionFixture extends AsyncDisposable {
  sessions: AgentSessions;
  lines: string[];
  serverKey: DeviceKey;
  deviceKey: DeviceKey;
  /** Creates the keys, the grant and the tickets, and sends them to nobody. */
  invite(options?: SessionOptions): PreparedSession;
  /** The same relay without TLS, for page code that runs in this process. */
  plainRelay: string;
  /** Invites an operator, commands the device, and connects both. */
  meet(options?: SessionOptions): Operator;
  /** Cuts every connection to the relay, as a network failure does. */
  cut(): void;
  /** Where a grant can let the device upload a recording, and the paths of the chunks that arrived. */
  recordings: { url: string; uploads: string[] };
}

const unixtime = (): number => Math.floor(Date.now() / 1_000);
const signedBy = <Name extends Purpose>(
  key: DeviceKey,
  purpose: Name,
  statement: Statement<Name>,
): string => {
  const body = encodeBody(purpose, statement);
  return withSignature(body, sign(null, signedBytes(purpose, body), createPrivateKey(key.privateKey)));
};

type FixtureRelay = Pick<ReturnType<typeof createRelay>, 'upgrade' | 'closeAll'>;

const addressOf = (server: Server): string =>
  `localhost:${(server.address() as AddressInfo).port}${relayPath}`;

/** The result cuts the connections that are open. */
async function listenFor(relay: FixtureRelay, servers: readonly Server[]): Promise<() => void> {
  const sockets = new Set<Socket>();
  for (const server of servers) {
    server.on('upgrade', (request, socket: Socket, head) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      relay.upgrade(request, socket, head, { narrow: '127.0.0.1', wide: '127.0.0.1' });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  return () => sockets.forEach((socket) => socket.destroy());
}

/** Accepts everything that is uploaded to the server. */
function acceptUploads(server: Server): SessionFixture['recordings'] {
  const uploads: string[] = [];
  server.on('request', (request, response) => {
    uploads.push(request.url ?? '');
    request.resume().once('end', () => response.end());
  });
  return { url: `https://${addressOf(server).replace(relayPath, '/recordings')}`, uploads };
}

async function closeServers(servers: readonly Server[]): Promise<void> {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }
}

interface InvitationKeys {
  relay: string;
  serverKey: DeviceKey;
  deviceKey: DeviceKey;
}

/** Creates the keys, the grant and the tickets of one session. */
function prepareSession(
  { relay, serverKey, deviceKey }: InvitationKeys,
  { permissions = sessionPermissions, ticketed = sessionPermissions, ...options }: SessionOptions,
): PreparedSession {
  const sessionKey = createKeyPair();
  const pair = randomBytes(16).toString('base64url');
  const grant: Grant = {
    v: 1,
    session: options.session ?? 1,
    pair,
    device_key: deviceKey.publicKey,
    operator_key: sessionKey.publicKey,
    operator: { name: options.name ?? 'ann@example.com', address: '192.0.2.1' },
    permissions: [...permissions],
    confirm: options.confirm ?? false,
    nbf: unixtime(),
    exp: unixtime() + 60,
    nonce: randomBytes(16).toString('base64url'),
    ...options.grant,
  };
  const ticketOf = (side: 'operator' | 'device'): string =>
    signedBy(serverKey, 'ticket', { v: 1, pair, side, permissions: [...ticketed], exp: unixtime() + 60 });
  const keys = { sessionKey, serverKey: serverKey.publicKey, deviceKey: deviceKey.publicKey };
  return {
    input: { grant: signedBy(serverKey, 'grant', grant), ticket: ticketOf('device'), relay },
    operatorOptions: { relay, ticket: ticketOf('operator'), pair, ...keys },
  };
}

/** Sessions without a number of their own are numbered from 1. */
function createInviter(keys: InvitationKeys): SessionFixture['invite'] {
  let number = 0;
  return (options = {}) => prepareSession(keys, { ...options, session: options.session ?? (number += 1) });
}

interface SessionFixtureOptions {
  platform: Platform;
  parts?: readonly FeatureFactory[];
  clock?: Clock;
  /** The policy of the device. */
  policy?: () => Policy;
  /** Another implementation of the agent's sessions. */
  openSessions?: typeof createAgentSessions;
  /** What a hostile relay does with frames; without it the relay is the real one. */
  tamper?: Tamper;
}

export async function openSessionFixture(given: SessionFixtureOptions): Promise<SessionFixture> {
  const [serverKey, deviceKey] = [createDeviceKey(), createDeviceKey()];
  const { cert, key } = await createSelfSigned(['localhost'], new Date());
  const relay: FixtureRelay = given.tamper
    ? createEvilRelay(given.tamper)
    : createRelay({ serverKeys: [serverKey.publicKey], origins: [], now: unixtime });
  const [secure, plain] = [createServer({ cert, key }), createPlain()];
  const cut = await listenFor(relay, [secure, plain]);
  const recordings = acceptUploads(secure);
  const certificate = createHash('sha256').update(new X509Certificate(cert).raw).digest('base64url');
  const lines: string[] = [];
  const sessions = (given.openSessions ?? createAgentSessions)({
    identity: () => ({ ...deviceKey, serverKey: serverKey.publicKey }),
    certificates: () => [certificate],
    platform: given.platform,
    policy: given.policy ?? (() => defaultPolicy),
    features: given.parts ?? allParts,
    now: unixtime,
    clock: given.clock,
    log: (line) => void lines.push(line),
  });
  const invite = createInviter({ relay: `wss://${addressOf(secure)}`, serverKey, deviceKey });
  const plainRelay = `ws://${addressOf(plain)}`;
  const fixture = { sessions, lines, serverKey, deviceKey, invite, plainRelay, cut, recordings };
  return {
    ...fixture,
    meet(options) {
      const { input, operatorOptions } = invite(options);
      void sessions.open(input);
      return connectOperator(operatorOptions);
    },
    async [Symbol.asyncDispose]() {
      await sessions.stop('The test is over.');
      await relay.closeAll();
      await closeServers([secure, plain]);
    },
  };
}
