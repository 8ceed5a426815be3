/** Accepts the control connections of servers at a relay that runs alone, and verifies that each holds its key. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { relayCloseCodes } from '@drawbridge/contract/close-codes';
import { createFairSlots, type SlotOwner } from '@drawbridge/contract/fair-slots';
import {
  controlPath,
  controlProtocol,
  controlStatement,
  maxControlBytes,
  parseControl,
  serverMessages,
  type RelayMessage,
  type ServerControlMessage,
} from '@drawbridge/contract/session/relay-control';
import type { WebSocket } from 'ws';
import { closeSocket, createSocketServer, type SocketServer } from '../socket-server.ts';
import { watchControlSocket } from './heartbeat.ts';
import { isControlSignature, type ControlKey } from './signing-key.ts';

/** A server that has proved its key, or one of its nodes. */
export interface ControlPeer {
  serverKey: string;
  node: string;
  origin: string;
  /** The pairings that it still knows. */
  pairs: ReadonlySet<string>;
  socket: WebSocket;
  send(message: RelayMessage): void;
}

export interface ControlEndpointOptions {
  key: ControlKey;
  /** The keys of the servers that may connect, in base64url. */
  serverKeys: readonly string[];
  /** SHA-256 of the certificate that the relay presents, base64url. */
  certificate(): string;
  onConnected(peer: ControlPeer): void;
  onMessage(peer: ControlPeer, message: Extract<ServerControlMessage, { kind: 'close' | 'release' }>): void;
  onDisconnected(peer: ControlPeer): void;
}

/** Who asks, such as its network, and what to call once it has proved its key. */
export type ControlUpgradeFrom = SlotOwner & { settle(): void };

interface ControlEndpoint {
  /** False when the request asks for another path. */
  upgrade(request: IncomingMessage, rawSocket: Duplex, head: Buffer, from: ControlUpgradeFrom): boolean;
  close(): Promise<void>;
}

/** Connections that have not proved a key yet: in total, and from one network, which may be that of several servers. */
const pendingLimits = { all: 256, each: 16 };
const maxConnections = 512;
const proofTimeoutMs = 5_000;
/** The longest message of somebody who has not named a known key. */
const maxHelloBytes = 1_024;

export function createControlEndpoint(options: ControlEndpointOptions): ControlEndpoint {
  const sockets: SocketServer = createSocketServer({
    path: controlPath,
    protocols: [controlProtocol],
    maxPayload: maxControlBytes,
    maxBufferedChunks: 4_096,
    allowsOrigin: (origin) => origin === undefined,
  });
  const pending = createFairSlots<WebSocket>(pendingLimits, (socket) => socket.terminate());
  const hasRoomFor = (from: SlotOwner): boolean =>
    pending.hasRoomFor(from) && sockets.size() < maxConnections;
  return {
    upgrade: (request, rawSocket, head, from) =>
      sockets.upgrade(request, rawSocket, head, {
        reject: () => (hasRoomFor(from) ? undefined : 503),
        onOpen(socket) {
          // Several sockets may have passed `hasRoomFor` at the same time.
          if (!pending.acquire(socket, from)) return socket.terminate();
          const timer = setTimeout(() => closeSocket(socket, relayCloseCodes.too_slow), proofTimeoutMs);
          const settled = (): void => {
            clearTimeout(timer);
            pending.release(socket);
          };
          socket.once('close', settled);
          serve(options, socket, () => {
            settled();
            from.settle();
          });
        },
      }),
    async close() {
      sockets.closeAll(relayCloseCodes.stopping);
      await sockets.closed();
    },
  };
}

function serve(options: ControlEndpointOptions, socket: WebSocket, onProved: () => void): void {
  const send = (message: RelayMessage): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
  };
  let challenged: Challenged | undefined;
  let peer: ControlPeer | undefined;
  const refuse = (): void => closeSocket(socket, relayCloseCodes.refused);
  socket.on('ping', (data) => socket.readyState === socket.OPEN && socket.pong(data));
  socket.on('message', (data, isBinary) => {
    const bytes = data as Buffer;
    const isTooLong = !challenged && bytes.length > maxHelloBytes;
    const message = isBinary || isTooLong ? undefined : parseControl(serverMessages, bytes.toString());
    if (!message) return closeSocket(socket, relayCloseCodes.not_understood);
    if (message.kind === 'hello') {
      if (challenged || !options.serverKeys.includes(message.key)) return refuse();
      challenged = challenge(options, message, send);
    } else if (message.kind === 'proof') {
      if (!challenged || peer) return refuse();
      if (!isControlSignature(challenged.serverKey, challenged.statement, message.signature)) return refuse();
      const { serverKey, node } = challenged;
      peer = { serverKey, node, origin: message.origin, pairs: new Set(message.pairs), socket, send };
      watchControlSocket(socket);
      onProved();
      options.onConnected(peer);
    } else if (peer) options.onMessage(peer, message);
    else refuse();
  });
  socket.once('close', () => peer && options.onDisconnected(peer));
}

interface Challenged {
  serverKey: string;
  node: string;
  /** What the server has to sign. */
  statement: string;
}

function challenge(
  { key, certificate }: ControlEndpointOptions,
  { key: serverKey, node, nonce: serverNonce }: Extract<ServerControlMessage, { kind: 'hello' }>,
  send: (message: RelayMessage) => void,
): Challenged {
  const relayNonce = randomBytes(32).toString('base64url');
  const parts = {
    serverKey,
    relayKey: key.publicKey,
    node,
    serverNonce,
    relayNonce,
    certificate: certificate(),
  };
  send({
    kind: 'challenge',
    key: key.publicKey,
    nonce: relayNonce,
    certificate: parts.certificate,
    signature: key.sign(controlStatement('relay', parts)),
  });
  return { serverKey, node, statement: controlStatement('server', parts) };
}
