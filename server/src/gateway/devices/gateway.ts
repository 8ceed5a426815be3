/** Holds the WebSockets of devices: authenticates them, stores what they report, sends commands and notices when they are gone. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { uplinkCloseCodes } from '@drawbridge/contract/close-codes';
import { maxUpBytes, uplinkPath, uplinkProtocol } from '@drawbridge/contract/uplink/messages';
import { createSocketServer, type SocketServer } from '@drawbridge/relay/socket-server';
import type { WebSocket } from 'ws';
import type { Bus } from '../../bus/bus.ts';
import { createKeyedQueue, type KeyedQueue } from '../../edges/keyed-queue.ts';
import type { Log } from '../../edges/log.ts';
import type { UpgradePeer } from '../upgrade-peer.ts';
import type { AdmissionDeps } from './admission.ts';
import { drainDevices, reconnectsPerSecond } from './drain-devices.ts';
import { createDeviceHandshake, type AuthenticatedDevice, type DeviceHandshake } from './device-handshake.ts';
import { receiveMessages } from './device-messages.ts';
import { agentArrivedSubject, commandSubject } from './fleet.ts';
import { heartbeatSeconds, startHeartbeat } from './heartbeat.ts';
import { passOnCommand, type CommandDeps } from './pass-on-command.ts';
import { startPolicyDelivery, type PolicyDelivery } from './policy-delivery.ts';
import { createPresence, type Presence } from './presence.ts';
import { closeDevice, resolveCommand, sendToDevice, type UplinkConnection } from './uplink-connection.ts';

export interface GatewayDeps extends Omit<AdmissionDeps, 'heartbeatSeconds'>, Omit<CommandDeps, 'store'> {
  bus: Bus;
  log: Log;
  /** This process among those that serve the same store. */
  node: string;
  /** The most devices that may be connected at once. */
  maxDevices: number;
  /** Another URL of this server that devices should use from now on. */
  moveTo: string | undefined;
  /** Whether the server is stopping: it then admits no devices. */
  isDraining(): boolean;
}

export interface Gateway {
  /** Takes over a connection that wants to become a WebSocket; false when it is not one of a device. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, peer: UpgradePeer): boolean;
  online(): number;
  /** Whether the device is connected here, or was sent away and has not arrived at another node yet. */
  holds(agentId: number): boolean;
  /** Sends the devices to the other nodes, spread over time; `first` go first. */
  drain(first: ReadonlySet<number>, limitMs: number): Promise<void>;
  /** Asks every device to connect elsewhere or later, and disconnects them. */
  close(): Promise<void>;
}

interface State {
  readonly deps: GatewayDeps;
  readonly connections: Map<number, UplinkConnection>;
  /** Devices that were sent away and have not arrived at another node yet. */
  readonly leaving: Set<number>;
  readonly sockets: SocketServer;
  readonly presence: Presence;
  readonly policies: PolicyDelivery;
  /** A device that reconnects must not overtake what it reported before it left. */
  readonly queue: KeyedQueue;
  readonly handshake: DeviceHandshake;
  readonly unsubscribeArrivals: () => void;
  readonly heartbeat: { stop(): void };
  closed: Promise<void> | undefined;
}

function createState(deps: GatewayDeps): State {
  const connections = new Map<number, UplinkConnection>();
  const leaving = new Set<number>();
  const queue = createKeyedQueue();
  const isFull = (): boolean => connections.size >= deps.maxDevices;
  return {
    deps,
    connections,
    leaving,
    queue,
    sockets: createSocketServer({
      path: uplinkPath,
      protocols: [uplinkProtocol],
      maxPayload: maxUpBytes,
      maxBufferedChunks: 1_024,
      allowsOrigin: (origin) => origin === undefined,
    }),
    presence: createPresence(deps, {
      online: () => connections.keys(),
      keepCurrent: (ids) => keepCurrent(deps, connections, ids),
      onUnlinked: (ids) => ids.forEach((id) => closeDevice(connections.get(id), 'unlinked')),
    }),
    policies: startPolicyDelivery({ ...deps, connections: () => connections.values() }),
    handshake: createDeviceHandshake({ ...deps, heartbeatSeconds, queue, isFull }),
    heartbeat: startHeartbeat(() => connections.values()),
    unsubscribeArrivals: followArrivals(deps, connections, leaving),
    closed: undefined,
  };
}

export function createGateway(deps: GatewayDeps): Gateway {
  const state = createState(deps);
  const { connections, leaving } = state;
  return {
    upgrade: (request, rawSocket, head, peer) =>
      state.sockets.upgrade(request, rawSocket, head, {
        reject: () => rejectionOf(state, peer),
        onOpen: (socket) =>
          void state.handshake
            .run(socket, rawSocket, peer.address)
            .then((device) => device && onAuthenticated(state, socket, device, peer)),
      }),
    online: () => connections.size,
    holds: (agentId) => connections.has(agentId) || leaving.has(agentId),
    drain(first, limitMs) {
      for (const agentId of connections.keys()) leaving.add(agentId);
      return drainDevices(connections, first, limitMs);
    },
    close: () => (state.closed ??= close(state)),
  };
}

function rejectionOf({ deps, handshake }: State, { address }: UpgradePeer): 429 | 503 | undefined {
  if (deps.isDraining()) return 503;
  return handshake.isBlocked(address) ? 429 : undefined;
}

/** A device is connected to one node at a time. It may have left the one before without notice. */
const followArrivals = (
  deps: GatewayDeps,
  connections: State['connections'],
  leaving: State['leaving'],
): (() => void) =>
  deps.bus.subscribe(agentArrivedSubject, (message) => {
    const { agentId, node } = message as { agentId: number; node: string };
    leaving.delete(agentId);
    if (node !== deps.node && connections.has(agentId))
      // After a failure, the renewal of the leases finds it.
      void keepCurrent(deps, connections, [agentId]).catch(() => {});
  });

/** Disconnects those of these devices that the store knows to have arrived elsewhere since, and returns the others. */
async function keepCurrent(
  { store }: GatewayDeps,
  connections: State['connections'],
  ids: readonly number[],
): Promise<readonly number[]> {
  const replaced = new Set<number>();
  for (const { id, epoch } of await store.deviceIdentity.standings(ids)) {
    const connection = connections.get(id);
    if (!connection || connection.epoch === epoch) continue;
    replaced.add(id);
    closeDevice(connection, 'replaced');
  }
  return ids.filter((id) => !replaced.has(id));
}

function onAuthenticated(
  state: State,
  socket: WebSocket,
  { key, version, address, device, welcome }: AuthenticatedDevice,
  peer: UpgradePeer,
): void {
  // It may have left during the handshake; its `close` event is then over.
  if (socket.readyState !== socket.OPEN) return;
  const { moveTo } = state.deps;
  peer.settle();
  register(state, {
    ...newConnectionState(socket, address),
    key,
    agentId: device.id,
    accountId: device.accountId,
    version,
    approved: welcome.approved,
    epoch: welcome.epoch,
  });
  sendToDevice(socket, welcome);
  if (moveTo) sendToDevice(socket, { kind: 'move', after_seconds: 0, server: moveTo });
}

const newConnectionState = (socket: WebSocket, address: string) => ({
  socket,
  address,
  lastReceivedAt: performance.now(),
  nextPingAt: performance.now() + heartbeatSeconds * 1_000,
  pendingCommands: new Map(),
  sentCommands: new Map(),
  lastNumber: 0,
  policy: undefined,
});

function register(state: State, connection: UplinkConnection): void {
  const { connections, presence, policies, deps } = state;
  const { agentId, socket } = connection;
  const previous = connections.get(agentId);
  connections.set(agentId, connection);
  closeDevice(previous, 'replaced');
  const unsubscribeCommands = deps.bus.answer(commandSubject(agentId), (message) =>
    passOnCommand(deps, connection, message),
  );
  deps.bus.publish(agentArrivedSubject, { agentId, node: deps.node });
  presence.arrived(agentId);
  policies.arrived(connection);
  receiveMessages({ ...deps, queue: state.queue }, connection);
  socket.once('close', () => {
    unsubscribeCommands();
    // They were sent, so the device may carry them out.
    for (const number of connection.pendingCommands.keys()) resolveCommand(connection, number, 'silent');
    if (connections.get(agentId) !== connection) return;
    connections.delete(agentId);
    presence.left(agentId);
  });
}

async function close({
  connections,
  sockets,
  presence,
  policies,
  heartbeat,
  unsubscribeArrivals,
}: State): Promise<void> {
  heartbeat.stop();
  await policies.close();
  unsubscribeArrivals();
  for (const [index, { socket }] of [...connections.values()].entries())
    sendToDevice(socket, { kind: 'move', after_seconds: Math.floor(index / reconnectsPerSecond) });
  sockets.closeAll(uplinkCloseCodes.stopping);
  await presence.close();
  sockets.terminateAll();
}
