/**
 * Honest clients beside an attack: each repeats its own task, and records how long it took and what failed.
 */
import { createHash } from 'node:crypto';
import { request as requestPlain, type RequestOptions } from 'node:http';
import { Agent, request as requestSecure } from 'node:https';
import type { Side } from '@drawbridge/contract/session/frame-kinds';
import { lobbyPath, lobbyProtocol } from '@drawbridge/contract/session/lobby';
import { relayPath, relayProtocol } from '@drawbridge/contract/session/open';
import { uplinkPath, uplinkProtocol } from '@drawbridge/contract/uplink/messages';
import { frame, upgradeRequest } from './frames.ts';
import { receiveText, makeHello, sendMessage } from './handshakes.ts';
import { openAttackConnection, type AttackConnection } from './attack-connection.ts';
import { pairNamed, relaySigningKey, ticketOf, type AttackSecrets } from './fixture.ts';

export interface ClientTimings {
  /** Milliseconds of each success. */
  took: number[];
  errors: string[];
}

export interface HonestClients {
  stop(): Promise<Record<string, ClientTimings>>;
}

/** An address that no attacker has. */
const honestAddress = '127.0.9.9';
/** One of the trusted proxies, which attackers do not use. */
const honestProxyAddress = '127.0.2.200';
const requestTimeoutMs = 10_000;

export function startHonestClients(secrets: AttackSecrets): HonestClients {
  const seen: Record<string, ClientTimings> = {};
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 1,
    localAddress: honestAddress,
    rejectUnauthorized: false,
  });
  const state = { over: false };
  async function repeat(name: string, everyMs: number, act: () => Promise<unknown>): Promise<void> {
    const mine: ClientTimings = (seen[name] = { took: [], errors: [] });
    while (!state.over) {
      const began = performance.now();
      await withTimeout(act()).then(
        () => mine.took.push(performance.now() - began),
        (error: unknown) => mine.errors.push(String(error)),
      );
      await new Promise((resolve) => void setTimeout(resolve, everyMs));
    }
  }
  const all = Object.entries(createHonestActions(secrets, agent)).map(([name, act]) =>
    repeat(name, name === 'request' ? 20 : 200, act),
  );
  return {
    async stop() {
      state.over = true;
      await Promise.all(all);
      agent.destroy();
      return seen;
    },
  };
}

type HonestActions = Record<string, () => Promise<unknown>>;

export const createHonestActions = (secrets: AttackSecrets, agent: Agent): HonestActions => ({
  ...createRequestActions(secrets, agent),
  ...createSocketActions(secrets),
});

function createRequestActions({ port, metricsPort, apiKey }: AttackSecrets, agent: Agent): HonestActions {
  const host = '127.0.0.1';
  const headers = { 'X-Api-Key': apiKey };
  const forwarded = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '192.0.2.9' };
  /** A connection of its own for each request. */
  const ownConnection = { host, port, path: '/healthz', agent: false, localAddress: honestAddress } as const;
  const proxied = { ...ownConnection, localAddress: honestProxyAddress, headers: forwarded };
  return {
    request: () => get(requestSecure, { host, port, path: '/v1/groups/list', agent, headers }),
    'new connection': () => get(requestSecure, { ...ownConnection, rejectUnauthorized: false }),
    'through a proxy': () => get(requestPlain, proxied),
    metrics: () => get(requestPlain, { ...ownConnection, port: metricsPort, path: '/metrics' }),
  };
}

function createSocketActions(secrets: AttackSecrets): HonestActions {
  const { port, codes } = secrets;
  const asDevice = makeHello(1_000_000);
  const code = codes.at(-1)!;
  // The same every time: a client that returns to an invitation is recognised by it.
  const key = createHash('sha256').update(code).digest('base64url');
  const signingKey = relaySigningKey(secrets);
  const joinRelay = (pair: string, side: Side) =>
    onSocket([relayPath, relayProtocol], port, async (connection) => {
      connection.send(frame('text', ticketOf(signingKey, pair, side)));
      await receiveText(connection, 'paired');
    });
  return {
    uplink: () =>
      onSocket([uplinkPath, uplinkProtocol], port, async (connection) => {
        connection.send(asDevice);
        await receiveText(connection, '{"kind":"challenge"');
      }),
    lobby: () =>
      onSocket([lobbyPath, lobbyProtocol], port, async (connection) => {
        sendMessage(connection, { kind: 'join', code, key, os: 'linux', by: 'program' });
        await receiveText(connection, '{"kind":"welcome"');
      }),
    relay() {
      const pair = pairNamed(0);
      return Promise.all([joinRelay(pair, 'operator'), joinRelay(pair, 'device')]);
    },
  };
}

async function onSocket(
  [path, protocol]: readonly [string, string],
  port: number,
  talk: (connection: AttackConnection) => Promise<void>,
): Promise<void> {
  const connection = await openAttackConnection(0, { port, from: honestAddress, tls: true });
  try {
    connection.send(upgradeRequest(path, protocol));
    const answer = await connection.until((received) => received.includes('\r\n\r\n'));
    if (!answer.toString('latin1').startsWith('HTTP/1.1 101'))
      throw new Error(answer.toString('latin1', 0, 20));
    await talk(connection);
  } finally {
    connection.socket.destroy();
  }
}

function get(
  request: typeof requestPlain,
  options: RequestOptions & { rejectUnauthorized?: boolean },
): Promise<void> {
  return new Promise((resolve, reject) => {
    request(options, (answer) => {
      answer.resume().once('error', reject);
      answer.once('end', () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`it answered ${answer.statusCode}`)),
      );
    })
      .once('error', reject)
      .end();
  });
}

async function withTimeout(act: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${requestTimeoutMs} ms`)), requestTimeoutMs);
  });
  return Promise.race([act, late]).finally(() => clearTimeout(timer));
}

/** The time that this share of them did not exceed. */
export function percentile(took: readonly number[], share: number): number {
  const sorted = took.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}
