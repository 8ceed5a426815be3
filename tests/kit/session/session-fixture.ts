/** A device with its sessions, a relay and the keys of a server: all that operators need to meet it, without the server. */
import { createHash, createPrivateKey, randomBytes, sign, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createPlain, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
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
  /** What the relay lets through; all where it is not given. */
  ticketed?: readonly string[];
  confirm?: boolean;
  name?: string;
  session?: number;
  /** Changes of the grant before it is signed. */
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
  /** Makes the keys, the grant and the tickets, and tells nobody. */
  invite(options?: SessionOptions): PreparedSession;
  /** The same relay without TLS, for a page's code that runs here. */
  plainRelay: string;
  /** Invites an operator, tells the device, and lets them meet. */
  meet(options?: SessionOptions): Operator;
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

export async function openSessionFixture(given: {
  platform: Platform;
  parts?: readonly FeatureFactory[];
  clock?: Clock;
  /** Another implementation of the agent's sessions. */
  openSessions?: typeof createAgentSessions;
  /** What a relay of bad intent does with frames; without it the relay is the real one. */
  tamper?: Tamper;
}): Promise<SessionFixture> {
  const [serverKey, deviceKey] = [createDeviceKey(), createDeviceKey()];
  const pair = await createSelfSigned(['localhost'], new Date());
  const wire = createServer({ cert: pair.cert, key: pair.key });
  const relay = given.tamper
    ? createEvilRelay(given.tamper)
    : createRelay({ serverKeys: [serverKey.publicKey], origins: [], now: unixtime });
  const plain = createPlain();
  for (const each of [wire, plain]) {
    each.on('upgrade', (request, socket: Socket, head) =>
      relay.upgrade(request, socket, head, { narrow: '127.0.0.1', wide: '127.0.0.1' }),
    );
    each.listen(0, '127.0.0.1');
    await once(each, 'listening');
  }
  const placeOf = (server: Server): string =>
    `localhost:${(server.address() as AddressInfo).port}${relayPath}`;
  const url = `wss://${placeOf(wire)}`;
  const certificate = createHash('sha256').update(new X509Certificate(pair.cert).raw).digest('base64url');
  const lines: string[] = [];
  const sessions = (given.openSessions ?? createAgentSessions)({
    identity: () => ({ ...deviceKey, serverKey: serverKey.publicKey }),
    certificates: () => [certificate],
    platform: given.platform,
    features: given.parts ?? allParts,
    now: unixtime,
    clock: given.clock,
    log: (line) => void lines.push(line),
  });
  let number = 0;
  const invite = (options: SessionOptions = {}): PreparedSession => {
    const sessionKey = createKeyPair();
    const pairName = randomBytes(16).toString('base64url');
    const { permissions = sessionPermissions, ticketed = sessionPermissions } = options;
    const grant: Grant = {
      v: 1,
      session: options.session ?? (number += 1),
      pair: pairName,
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
      signedBy(serverKey, 'ticket', {
        v: 1,
        pair: pairName,
        side,
        permissions: [...ticketed],
        exp: unixtime() + 60,
      });
    return {
      input: { grant: signedBy(serverKey, 'grant', grant), ticket: ticketOf('device'), relay: url },
      operatorOptions: {
        relay: url,
        ticket: ticketOf('operator'),
        pair: pairName,
        sessionKey,
        serverKey: serverKey.publicKey,
        deviceKey: deviceKey.publicKey,
      },
    };
  };

  return {
    sessions,
    lines,
    serverKey,
    deviceKey,
    invite,
    plainRelay: `ws://${placeOf(plain)}`,
    meet(options) {
      const { input, operatorOptions } = invite(options);
      void sessions.open(input);
      return connectOperator(operatorOptions);
    },
    async [Symbol.asyncDispose]() {
      await sessions.stop('The test is over.');
      await relay.closeAll();
      for (const each of [wire, plain]) {
        each.close();
        each.closeAllConnections();
        await once(each, 'close');
      }
    },
  };
}
