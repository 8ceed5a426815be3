/** A relay on a real port with a clock that stands still, the server that signs tickets, and sides that dial. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
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
import type { RelayLimits } from '@drawbridge/relay/limits';
import type { PairingReport } from '@drawbridge/relay/pairing';
import { createRelay, type Relay } from '@drawbridge/relay/relay';
import { WebSocket, type ClientOptions } from 'ws';
import { eventually } from '../kit/eventually.ts';

export const page = 'https://help.example.com';

export interface Signer {
  publicKey: string;
  sign(body: string, purpose?: Purpose): string;
}

export function createSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKey.export({ format: 'jwk' }).x!,
    sign: (body, purpose = 'ticket') =>
      withSignature(body, sign(null, signedBytes(purpose, body), privateKey)),
  };
}

export const newPair = (): string => randomBytes(16).toString('base64url');

/** A socket with everything that came out of it. */
export interface Caller {
  socket: WebSocket;
  texts: string[];
  frames: Buffer[];
  closed: Promise<{ code: number; reason: string }>;
  send(...bytes: number[]): void;
  paired(): Promise<void>;
  /** Resolves once so many frames came. */
  got(count: number): Promise<Buffer[]>;
}

export interface Scene extends AsyncDisposable {
  relay: Relay;
  port: number;
  ended: PairingReport[];
  paired: string[];
  signer: Signer;
  /** Lets time pass on both clocks. */
  advance(seconds: number): void;
  /** Puts the clock on the wall forward or back. */
  setWall(seconds: number): void;
  ticket(some: Partial<Ticket>): string;
  /** Rejects with the HTTP code where the relay does not open a socket. */
  dial(options?: ClientOptions, protocols?: readonly string[]): Promise<Caller>;
  /** Dials and shows a ticket. */
  come(some: Partial<Ticket>, protocols?: readonly string[]): Promise<Caller>;
  /** Both sides of a new session, which is on. */
  meet(permissions?: string[], pair?: string): Promise<Record<Side, Caller> & { pair: string }>;
}

const startedAt = 1_800_000_000;
/** A socket that is to be closed and is not fails its test by saying so, instead of never. */
const closeTimeoutMs = 120_000;

export async function startRelay(limits: Partial<RelayLimits> = {}): Promise<Scene> {
  const signer = createSigner();
  const [ended, paired]: [PairingReport[], string[]] = [[], []];
  const time = { wall: startedAt, clock: 0 };
  const relay = createRelay({
    serverKeys: [createSigner().publicKey, signer.publicKey],
    origins: [page],
    now: () => time.wall,
    clock: () => time.clock,
    limits: { checkEveryMs: 5, ...limits },
    onPaired: (pair) => paired.push(pair),
    onEnd: (end) => ended.push(end),
  });
  const server = createServer().listen(0, '127.0.0.1');
  server.on('upgrade', (request, socket, head) => {
    const from = request.socket.remoteAddress!;
    if (!relay.upgrade(request, socket, head, { narrow: from, wide: from })) socket.destroy();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const callers: Caller[] = [];

  const ticket: Scene['ticket'] = (some) =>
    signer.sign(
      encodeBody('ticket', {
        v: 1,
        pair: newPair(),
        side: 'operator',
        permissions: [],
        exp: time.wall + 60,
        ...some,
      }),
    );
  const dial: Scene['dial'] = async (options, protocols) => {
    const caller = createCaller(port, options, protocols);
    callers.push(caller);
    await once(caller.socket, 'open');
    return caller;
  };
  const come: Scene['come'] = async (some, protocols) => {
    const caller = await dial({}, protocols);
    caller.socket.send(ticket(some));
    return caller;
  };
  return {
    relay,
    port,
    ended,
    paired,
    signer,
    ticket,
    dial,
    come,
    advance(seconds) {
      time.wall += seconds;
      time.clock += seconds * 1_000;
    },
    setWall: (seconds) => void (time.wall += seconds),
    async meet(permissions = [], pair = newPair()) {
      const operator = await come({ pair, side: 'operator', permissions });
      const device = await come({ pair, side: 'device', permissions });
      await Promise.all([operator.paired(), device.paired()]);
      return { pair, operator, device };
    },
    async [Symbol.asyncDispose]() {
      for (const { socket } of callers) socket.terminate();
      await relay.closeAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Over TLS where the options say how far to trust it. */
export function createCaller(
  port: number,
  options: ClientOptions = {},
  protocols: readonly string[] = [relayProtocol],
): Caller {
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
