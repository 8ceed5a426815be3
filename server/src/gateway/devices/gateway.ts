/** Holds the sockets of devices: lets them in, hears them, tells them what to do, and notices when they are gone. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { offersProtocol, rejectUpgrade } from '@drawbridge/contract/upgrades';
import type { CommandAnswer } from '@drawbridge/contract/uplink/commands';
import {
  maxUpBytes,
  readMessage,
  upMessages,
  uplinkPath,
  uplinkProtocol,
  upKindsByState,
  type UpMessage,
} from '@drawbridge/contract/uplink/messages';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { Bus } from '../../bus/bus.ts';
import type { Log } from '../../edges/log.ts';
import { createRateLimiter } from '../../edges/rate-limiter.ts';
import type { AdmissionDeps } from './admission.ts';
import { agentArrivedSubject, commandSubject, type BusAnswer } from './fleet.ts';
import { heartbeatSeconds, startHeartbeat } from './heartbeat.ts';
import { sendCommand, sendToDevice, resolveCommand, type UplinkConnection } from './uplink-connection.ts';
import { createPresence } from './presence.ts';
import { createDeviceHandshake, type AuthenticatedDevice } from './device-handshake.ts';
import { createKeyedQueue } from '../../edges/keyed-queue.ts';

export interface GatewayDeps extends Omit<AdmissionDeps, 'heartbeatSeconds'> {
  bus: Bus;
  log: Log;
  /** This process among those that serve the same store. */
  node: string;
  /** The most devices that may be here at once. */
  maxDevices: number;
  /** Another address of this server that devices should use from now on. */
  moveTo: string | undefined;
}

/** Who wants to open a socket. */
export interface UpgradePeer {
  address: string;
  /** Called once it has proved to be a known device, a client that was invited, or one side of a session. */
  settle(): void;
}

/** What a device says of itself. */
type StoredMessage = Extract<UpMessage, { kind: 'kept' | 'facts' | 'hardware' }>;

export interface Gateway {
  /** Takes over a connection that wants to become a socket; false when it is not one of a device. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, peer: UpgradePeer): boolean;
  online(): number;
  /** Asks every device to come back elsewhere or later, and lets them go. */
  close(): Promise<void>;
}

/** When all are sent away at once, they are asked to come back in such numbers: about as many as one server lets in. */
const reconnectsPerSecond = 300;
/** How long a socket may take to say goodbye. */
const closeTimeoutMs = 2_000;
/** So many bytes count as one message more, so that long ones are rarer than short ones. */
const bytesPerMessage = 20_000;

export function createGateway(deps: GatewayDeps): Gateway {
  const { bus, log, store, node } = deps;
  const connections = new Map<number, UplinkConnection>();
  const sockets = new Set<WebSocket>();
  const presence = createPresence(store, node, {
    online: () => connections.keys(),
    onUnlinked: (ids) => ids.forEach((id) => connections.get(id)?.socket.close(4_003, 'unlinked')),
  });
  // A device that comes back must not overtake what it said before it left.
  const queue = createKeyedQueue();
  const isFull = (): boolean => connections.size >= deps.maxDevices;
  const handshake = createDeviceHandshake({ ...deps, heartbeatSeconds, queue, isFull });
  const heartbeat = startHeartbeat(() => connections.values());
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload: maxUpBytes,
    maxFragments: 64,
    maxBufferedChunks: 1_024,
    closeTimeout: closeTimeoutMs,
    handleProtocols: () => uplinkProtocol,
  } as ConstructorParameters<typeof WebSocketServer>[0]);

  function onAuthenticated(socket: WebSocket, authenticated: AuthenticatedDevice, peer: UpgradePeer): void {
    // It may have gone while it was let in; nobody would notice its end any more.
    if (socket.readyState !== socket.OPEN) return;
    const { key, version, address, device, welcome } = authenticated;
    const { id: agentId, accountId } = device;
    peer.settle();
    register({
      ...newConnectionState(socket, address),
      key,
      agentId,
      accountId,
      version,
      approved: welcome.approved,
    });
    sendToDevice(socket, welcome);
    if (deps.moveTo) sendToDevice(socket, { kind: 'move', after_seconds: 0, server: deps.moveTo });
  }

  function register(connection: UplinkConnection): void {
    const { agentId, socket } = connection;
    const previous = connections.get(agentId);
    connections.set(agentId, connection);
    previous?.socket.close(4_001, 'replaced');
    const unsubscribeCommands = bus.answer(commandSubject(agentId), (message) =>
      handleCommand(connection, message),
    );
    bus.publish(agentArrivedSubject, { agentId, node });
    presence.arrived(agentId);
    receiveMessages(connection);
    socket.once('close', () => {
      unsubscribeCommands();
      for (const number of connection.pendingCommands.keys()) resolveCommand(connection, number, 'offline');
      if (connections.get(agentId) !== connection) return;
      connections.delete(agentId);
      presence.left(agentId);
    });
  }

  /** Whether a device may be told something is asked of the store anew: it may have been approved since it came. */
  async function handleCommand(connection: UplinkConnection, message: unknown): Promise<BusAnswer> {
    const { name, input } = message as { name: string; input: unknown };
    if (!connection.approved) {
      const pending = await store.deviceIdentity.pending(connection.accountId);
      connection.approved = pending.every(({ id }) => id !== connection.agentId);
    }
    const answer = await sendCommand(connection, name, input);
    if (name === 'logout') connection.socket.close(4_003, 'unlinked');
    return typeof answer === 'string' ? { none: answer } : answer;
  }

  /** What a device that is in may still say. */
  function receiveMessages(connection: UplinkConnection): void {
    const rate = createRateLimiter({ perSecond: 20, burst: 100 });
    const { socket } = connection;
    const isOverLimit = (bytes: number): boolean => {
      connection.lastReceivedAt = performance.now();
      if (rate.allow('', 1 + Math.floor(bytes / bytesPerMessage))) return false;
      socket.close(1_008, 'too much');
      return true;
    };
    socket.on('pong', (data) => isOverLimit(data.length));
    socket.on('ping', (data) => void (isOverLimit(data.length) || socket.pong(data)));
    socket.on('message', (data: RawData, binary: boolean) => {
      if (socket.readyState !== socket.OPEN || isOverLimit((data as Buffer).length)) return;
      const message = binary
        ? undefined
        : readMessage(upMessages, (data as Buffer).toString(), upKindsByState.welcomed);
      if (!message) return socket.close(4_000, 'not understood');
      if (message === 'unexpected') return socket.close(4_000, 'not now');
      if (message.kind === 'answer')
        return resolveCommand(connection, message.number, toCommandAnswer(message));
      queue
        .run(connection.key, () => storeMessage(message, connection))
        .catch((error: unknown) => {
          log.error({ err: error, agent: connection.agentId }, 'a message from a device could not be stored');
          socket.close(1_011, 'try again');
        });
    });
  }

  async function storeMessage(
    message: StoredMessage,
    { agentId: id, accountId, address }: UplinkConnection,
  ): Promise<void> {
    const who = { id, accountId };
    if (message.kind === 'kept') await store.change('devices/kept', { ...who, epoch: message.epoch });
    else if (message.kind === 'facts')
      await store.change('devices/facts', { ...who, facts: message.facts, geo: deps.geoOf(address) });
    else await store.change('devices/hardware', { ...who, hardware: JSON.stringify(message.hardware) });
  }

  // A device is on one node at a time: it may have left the one before without a word.
  const unsubscribeArrivals = bus.subscribe(agentArrivedSubject, (message) => {
    const arrival = message as { agentId: number; node: string };
    if (arrival.node !== node) connections.get(arrival.agentId)?.socket.close(4_001, 'replaced');
  });

  let closed: Promise<void> | undefined;
  async function close(): Promise<void> {
    heartbeat.stop();
    unsubscribeArrivals();
    const devices = [...connections.values()];
    for (const [index, { socket }] of devices.entries())
      sendToDevice(socket, { kind: 'move', after_seconds: Math.floor(index / reconnectsPerSecond) });
    for (const socket of sockets) socket.close(1_012, 'the server stops');
    await presence.close();
    for (const socket of sockets) socket.terminate();
  }

  return {
    upgrade(request, socket, head, peer) {
      if (request.url !== uplinkPath) return false;
      if (request.headers.origin !== undefined) return rejectUpgrade(socket, 403);
      if (!offersProtocol(request, uplinkProtocol)) return rejectUpgrade(socket, 400);
      if (handshake.isBlocked(peer.address)) return rejectUpgrade(socket, 429);
      server.handleUpgrade(request, socket, head, (opened) => {
        sockets.add(opened);
        opened.once('close', () => sockets.delete(opened));
        opened.on('error', () => opened.terminate());
        void handshake
          .run(opened, socket, peer.address)
          .then((authenticated) => authenticated && onAuthenticated(opened, authenticated, peer));
      });
      return true;
    },
    online: () => connections.size,
    close: () => (closed ??= close()),
  };
}

const toCommandAnswer = ({ done, refused }: Extract<UpMessage, { kind: 'answer' }>): CommandAnswer =>
  refused === undefined ? { done: (done ?? {}) as never } : { refused };

const newConnectionState = (socket: WebSocket, address: string) => ({
  socket,
  address,
  lastReceivedAt: performance.now(),
  nextPingAt: performance.now() + heartbeatSeconds * 1_000,
  pendingCommands: new Map(),
  lastNumber: 0,
});
