/** Passes a WebSocket on to the node that holds its session. Both nodes see valid tickets only, and sealed frames. */
import { createHash } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { leaveCodes, relayCloseCodes } from '@drawbridge/contract/close-codes';
import { maxFrameBytes, zeroMask } from '@drawbridge/contract/session/frame-kinds';
import { relayPath, relayProtocol } from '@drawbridge/contract/session/open';
import type { Ticket } from '@drawbridge/contract/session/signed';
import { WebSocket, type ClientOptions, type RawData } from 'ws';
import { createFramePipe, type FramePipe } from './frame-pipe.ts';
import { nodePingSeconds, nodeSilenceSeconds, type RelayLimits } from './limits.ts';
import { createPairingPeer, type PairingPeer } from './peer.ts';
import { closeSocket } from './socket-server.ts';

/** Where another node accepts connections of nodes. */
export interface NodeEndpoint {
  /** `host:port` */
  address: string;
  /** SHA-256 of its certificate, base64url. */
  certificate: string;
}

/** What a relay that is one of several nodes needs. */
export interface RelayNodes {
  /** The name of this node in tickets. */
  id: string;
  /** Undefined if no such node is alive. */
  find(id: string): Promise<NodeEndpoint | undefined>;
}

export interface Forwarder {
  /** `text` is the ticket as the client sent it. */
  forward(client: WebSocket, ticket: Ticket & { node: string }, text: string): void;
  /** Ends what takes too long. */
  check(at: number): void;
}

interface ForwarderDeps {
  find: RelayNodes['find'];
  limits: RelayLimits;
  /** Milliseconds of a monotonic clock. */
  clock(): number;
}

/** A connection with this header comes from a node and is not passed on again. */
export const forwardedHeader = 'x-drawbridge-forwarded';
const closeTimeoutMs = 2_000;
const connectTimeoutMs = 3_000;
const nodeLimits = { pingSeconds: nodePingSeconds, silenceSeconds: nodeSilenceSeconds };

/** The two connections of a client that is passed on, each with the bytes that were sent to it. */
type Route = { peer: PairingPeer; sentBytes(): number }[];

export function createForwarder(deps: ForwarderDeps): Forwarder {
  const routes = new Set<Route>();
  return {
    forward: (client, ticket, text) => void passOn(deps, routes, { client, ticket, text }),
    check(at) {
      for (const { peer, sentBytes } of [...routes].flat())
        if (!peer.isAlive(at, sentBytes())) peer.socket.terminate();
    },
  };
}

interface Arrival {
  client: WebSocket;
  ticket: Ticket & { node: string };
  text: string;
}

async function passOn(
  { find, limits, clock }: ForwarderDeps,
  routes: Set<Route>,
  { client, ticket, text }: Arrival,
): Promise<void> {
  const { toNode, close } = waitForNode(client);
  const endpoint = await find(ticket.node).catch(() => undefined);
  if (client.readyState !== client.OPEN) return;
  if (!endpoint) return close(leaveCodes.lost);
  const node = dial(endpoint, client.protocol);
  client.once('close', (code) => closeWith(node, code));
  node.on('error', () => node.terminate());
  node.once('close', (code, reason) => close(code, reason.toString()));
  node.once('open', () => {
    node.send(text);
    const [up, down] = [createFramePipe(client, node, limits), createFramePipe(node, client, limits)];
    const clientPeer = createPairingPeer(client, ticket, limits, clock());
    const nodePeer = createPairingPeer(node, ticket, { ...limits, ...nodeLimits }, clock());
    toNode(forwardFrom(clientPeer, up));
    const toClient = forwardFrom(nodePeer, down);
    node.on('message', (data, isBinary) => toClient(data as Buffer, isBinary));
    const route: Route = [
      { peer: clientPeer, sentBytes: () => down.bytes },
      { peer: nodePeer, sentBytes: () => up.bytes },
    ];
    routes.add(route);
    client.once('close', () => routes.delete(route));
  });
}

type Forward = (frame: Buffer, isBinary: boolean) => void;

const forwardFrom =
  (peer: PairingPeer, pipe: FramePipe): Forward =>
  (frame, isBinary) => {
    peer.noteReceived();
    pipe.forward(frame, isBinary);
  };

/** A client must not send anything before the other side is there, and the node is reached before that. */
function waitForNode(client: WebSocket) {
  let forward: Forward = () => closeSocket(client, relayCloseCodes.not_understood);
  client.on('message', (data: RawData, isBinary) => forward(data as Buffer, isBinary));
  return {
    toNode: (next: Forward): void => void (forward = next),
    /** Closes the client as the node has closed its connection. */
    close: (code: number, reason = ''): void =>
      closeSocket(client, isSendable(code) ? { code, reason } : relayCloseCodes.unreachable),
  };
}

/** Codes that only say that no code arrived. */
const isSendable = (code: number): boolean => code !== leaveCodes.none && code !== leaveCodes.lost;

function closeWith(socket: WebSocket, code: number): void {
  if (socket.readyState !== socket.OPEN || !isSendable(code)) return socket.terminate();
  closeSocket(socket, { code, reason: '' });
}

function dial({ address, certificate }: NodeEndpoint, protocol: string): WebSocket {
  const socket = new WebSocket(`wss://${address}${relayPath}`, [...new Set([protocol, relayProtocol])], {
    headers: { [forwardedHeader]: '1' },
    perMessageDeflate: false,
    generateMask: zeroMask,
    autoPong: false, // the peer answers pings
    maxPayload: maxFrameBytes,
    closeTimeout: closeTimeoutMs,
    rejectUnauthorized: false, // the certificate is compared below, before anything is sent
  } as ClientOptions);
  const timer = setTimeout(() => socket.terminate(), connectTimeoutMs); // that of ws may take twice as long over TLS
  socket.once('open', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  socket.once('upgrade', ({ socket: raw }) => {
    const presented = (raw as TLSSocket).getPeerX509Certificate()?.raw ?? '';
    if (createHash('sha256').update(presented).digest('base64url') !== certificate) socket.terminate();
  });
  return socket;
}
