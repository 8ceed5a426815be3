/** A WebSocket endpoint on a shared port: checks the upgrade, tracks its sockets and closes them with a code. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { CloseCode } from '@drawbridge/contract/close-codes';
import { offersProtocol, rejectUpgrade, type UpgradeRejection } from '@drawbridge/contract/upgrades';
import { WebSocketServer, type WebSocket } from 'ws';

export interface SocketServerOptions {
  path: string;
  /** Every client must offer the last one; the first that it offers is chosen. */
  protocols: readonly [string, ...string[]];
  maxPayload: number;
  /** How many packets a message may arrive in. */
  maxBufferedChunks: number;
  /** `origin` is undefined for clients that are not browsers: these could send any. */
  allowsOrigin(origin: string | undefined): boolean;
}

export interface SocketServer {
  /**
   * Takes over a connection that wants to become a WebSocket; false when it asks for another path. `reject` may give a
   * reason why it does not become one; `onOpen` gets the socket.
   */
  upgrade(
    request: IncomingMessage,
    rawSocket: Duplex,
    head: Buffer,
    handler: { reject(): UpgradeRejection | undefined; onOpen(socket: WebSocket): void },
  ): boolean;
  size(): number;
  closeAll(code: CloseCode): void;
  /** Resolves when every socket is closed; those that take longer than the close timeout are cut off. */
  closed(): Promise<void>;
  terminateAll(): void;
}

/** How long a socket may take to answer a close frame. */
const closeTimeoutMs = 2_000;

export function createSocketServer(options: SocketServerOptions): SocketServer {
  const { path, protocols, maxPayload, maxBufferedChunks } = options;
  const sockets = new Set<WebSocket>();
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload,
    maxFragments: 64,
    maxBufferedChunks,
    closeTimeout: closeTimeoutMs,
    handleProtocols: (offered: Set<string>) => protocols.find((each) => offered.has(each))!,
  } as ConstructorParameters<typeof WebSocketServer>[0]);
  const track = (socket: WebSocket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.terminate());
  };
  return {
    upgrade(request, rawSocket, head, { reject, onOpen }) {
      if (request.url !== path) return false;
      if (!options.allowsOrigin(request.headers.origin)) return rejectUpgrade(rawSocket, 403);
      if (!offersProtocol(request, protocols.at(-1)!)) return rejectUpgrade(rawSocket, 400);
      const http = reject();
      if (http !== undefined) return rejectUpgrade(rawSocket, http);
      server.handleUpgrade(request, rawSocket, head, (socket) => {
        track(socket);
        onOpen(socket);
      });
      return true;
    },
    size: () => sockets.size,
    closeAll: (code) => sockets.forEach((socket) => closeSocket(socket, code)),
    closed: async () => void (await Promise.all([...sockets].map(closeOf))),
    terminateAll: () => sockets.forEach((socket) => socket.terminate()),
  };
}

const closeOf = (socket: WebSocket): Promise<void> =>
  new Promise((resolve) => void socket.once('close', () => resolve()));

/** `reason` takes the place of the one in the table. */
export function closeSocket(socket: WebSocket, { code, reason: usual }: CloseCode, reason = usual): void {
  // A paused socket does not receive the answer to its close frame.
  if (socket.isPaused) socket.resume();
  // Messages that have already arrived may be refused one by one.
  if (socket.readyState === socket.OPEN) socket.close(code, truncate(reason));
}

/** As much of it as a WebSocket carries, in whole characters. */
const truncate = (text: string): string =>
  new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, 123), { stream: true });
