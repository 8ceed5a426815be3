/** A relay on a real port with a fake clock, the server that signs tickets, and sides that connect. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Side } from '@drawbridge/contract/session/frame-kinds';
import { relayPath, relayProtocol } from '@drawbridge/contract/session/open';
import {
  encodeBody,
  signedBytes,
  withSignature,
  type Purpose,
  type Ticket,
} from '@drawbridge/contract/session/signed';
import type { RelayNodes } from '@drawbridge/relay/forwarder';
import type { RelayLimits } from '@drawbridge/relay/limits';
import type { PairingReport } from '@drawbridge/relay/pairing';
import { createRelay, type Relay } from '@drawbridge/relay/relay';
import { WebSocket, type ClientOptions } from 'ws';
import { eventually } from '../../kit/eventually.ts';

export const pageOrigin = 'https://help.example.com';

export interface TicketSigner {
  publicKey: string;
  sign(body: string, purpose?: Purpose): string;
}

export function createTicketSigner(): TicketSigner {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKey.export({ format: 'jwk' }).x!,
    sign: (body, purpose = 'ticket') =>
      withSignature(body, sign(null, signedBytes(purpose, body), privateKey)),
  };
}

export const newPair = (): string => randomBytes(16).toString('base64url');

/** A socket with every message it received. */
export interface TestPeer {
  socket: WebSocket;
  texts: string[];
  frames: Buffer[];
  closed: Promise<{ code: number; reason: string }>;
  send(...bytes: number[]): void;
  paired(): Promise<void>;
  /** Resolves once this many frames were received. */
  got(count: number): Promise<Buffer[]>;
}

export interface RelayFixture extends AsyncDisposable {
  relay: Relay;
  port: number;
  ended: PairingReport[];
  paired: string[];
  signer: TicketSigner;
  /** Advances both clocks. */
  advance(seconds: number): void;
  /** Sets the wall clock forward or back. */
  setWall(seconds: number): void;
  ticket(some: Partial<Ticket>): string;
  /** Rejects with the HTTP status code if the relay does not open a socket. */
  dial(options?: ClientOptions, protocols?: readonly string[]): Promise<TestPeer>;
  /** Connects and presents a ticket. */
  come(some: Partial<Ticket>, protocols?: readonly string[]): Promise<TestPeer>;
  /** Both sides of a new session that has started. */
  meet(permissions?: string[], pair?: string): Promise<Record<Side, TestPeer> & { pair: string }>;
}

export const startedAt = 1_800_000_000;
/** A socket that should be closed and is not fails its test with a message, instead of hanging. */
const closeTimeoutMs = 120_000;

export async function startRelay(
  limits: Partial<RelayLimits> = {},
  nodes?: RelayNodes,
): Promise<RelayFixture> {
  const signer = createTicketSigner();
  const [ended, paired]: [PairingReport[], string[]] = [[], []];
  const time = { wall: startedAt, clock: 0 };
  const relay = createRelay({
    serverKeys: [createTicketSigner().publicKey, signer.publicKey],
    origins: [pageOrigin],
    now: () => time.wall,
    clock: () => time.clock,
    limits: { checkEveryMs: 5, ...limits },
    nodes,
    onPaired: (pair) => paired.push(pair),
    onEnd: (end) => ended.push(end),
  });
  const server = await listen(relay);
  const { port } = server.address() as AddressInfo;
  const peers: TestPeer[] = [];
  return {
    relay,
    port,
    ended,
    paired,
    signer,
    ...clientsOf({ port, peers, ticket: (some) => signTicket(signer, { exp: time.wall + 60, ...some }) }),
    advance(seconds) {
      time.wall += seconds;
      time.clock += seconds * 1_000;
    },
    setWall: (seconds) => void (time.wall += seconds),
    async [Symbol.asyncDispose]() {
      for (const { socket } of peers) socket.terminate();
      await relay.closeAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listen(relay: Relay): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1');
  server.on('upgrade', (request, socket, head) => {
    const from = request.socket.remoteAddress!;
    if (!relay.upgrade(request, socket, head, { narrow: from, wide: from })) socket.destroy();
  });
  await once(server, 'listening');
  return server;
}

const signTicket = (signer: RelayFixture['signer'], some: Partial<Ticket> & Pick<Ticket, 'exp'>): string =>
  signer.sign(encodeBody('ticket', { v: 1, pair: newPair(), side: 'operator', permissions: [], ...some }));

interface ClientDeps extends Pick<RelayFixture, 'port' | 'ticket'> {
  /** Receives each peer, so that it can be closed. */
  peers: TestPeer[];
}

function clientsOf({
  port,
  peers,
  ticket,
}: ClientDeps): Pick<RelayFixture, 'ticket' | 'dial' | 'come' | 'meet'> {
  const dial: RelayFixture['dial'] = async (options, protocols) => {
    const peer = createTestPeer(port, options, protocols);
    peers.push(peer);
    await once(peer.socket, 'open');
    return peer;
  };
  const come: RelayFixture['come'] = async (some, protocols) => {
    const peer = await dial({}, protocols);
    peer.socket.send(ticket(some));
    return peer;
  };
  return {
    ticket,
    dial,
    come,
    async meet(permissions = [], pair = newPair()) {
      const operator = await come({ pair, side: 'operator', permissions });
      const device = await come({ pair, side: 'device', permissions });
      await Promise.all([operator.paired(), device.paired()]);
      return { pair, operator, device };
    },
  };
}

/** Over TLS if the options say whom to trust. */
export function createTestPeer(
  port: number,
  options: ClientOptions = {},
  protocols: readonly string[] = [relayProtocol],
): TestPeer {
  const scheme = options.rejectUnauthorized === undefined ? 'ws' : 'wss';
  const socket = new WebSocket(`${scheme}://127.0.0.1:${port}${relayPath}`, [...protocols], {
    perMessageDeflate: false,
    ...options,
  });
  const [texts, frames]: [string[], Buffer[]] = [[], []];
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) frames.push(data);
    else texts.push(String(data));
  });
  socket.on('error', () => {});
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) }));
    setTimeout(() => resolve({ code: 0, reason: 'still open' }), closeTimeoutMs).unref();
  });
  return {
    socket,
    texts,
    frames,
    closed,
    send: (...bytes) => socket.send(Buffer.from(bytes)),
    async paired() {
      await eventually(
        () => texts,
        ([first]) => first === 'paired',
      );
    },
    got: (count) =>
      eventually(
        () => frames,
        ({ length }) => length >= count,
      ),
  };
}
