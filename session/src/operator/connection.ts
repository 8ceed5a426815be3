/** One connection of the operator, from the handshake to its end, and what follows it. */
import type { OpenReply } from '@drawbridge/contract/session/open';
import { currentSessionVersion, sessionCapabilities } from '@drawbridge/contract/session/versions';
import type { Bytes } from '@drawbridge/contract/session/binary';
import { createProblem, isProblem } from '@drawbridge/contract/session/problem';
import { startSessionHeartbeat } from '../heartbeat.ts';
import type { SessionKeyPair } from '../ports.ts';
import { createSealedChannel, type SealedChannel } from '../sealed-channel.ts';
import { createTransportSwitch, type TransportSwitch } from '../transport-switch.ts';
import { connectToDevice, onAbort, type ConnectedDevice } from './connect.ts';
import type { ConnectionParts, SessionContext } from './context.ts';
import { handleFrame } from './handle-frame.ts';
import {
  endedOutcome,
  faultOutcome,
  outcomeOfClose,
  outcomeOfProblem,
  retryOutcome,
  type ConnectionOutcome,
} from './outcome.ts';

/** How long a goodbye may take to arrive. */
const goodbyeTimeoutMs = 1_000;

export async function runConnection(
  context: SessionContext,
  reply: OpenReply,
  keyPair: SessionKeyPair,
): Promise<ConnectionOutcome> {
  const finished = Promise.withResolvers<ConnectionOutcome>();
  const { ports, sessionState, ending } = context;
  const device = reply.device.id;
  const current: { running?: RunningConnection } = {};
  const connection = await connectToDevice(
    {
      reply,
      keyPair,
      knownKey: context.shownKey ?? ports.pins.find(device),
      crypto: ports.crypto,
      openRelay: ports.openRelay,
      clock: ports.clock,
      signal: ending.signal,
    },
    {
      onFrame: (frame) => current.running?.receive(frame),
      onClose: (close) =>
        void current.running?.received().then(() => finished.resolve(outcomeOfClose(close))),
    },
  );
  if (isProblem(connection)) return outcomeOfProblem(connection, ending.signal);
  context.shownKey = connection.grant.device_key;
  ports.pins.pin(device, connection.grant.device_key);
  // The device may have been updated since the last connection; its next state contains its version.
  const unknown = { deviceVersion: 1, capabilities: new Set<string>() };
  sessionState.update({ code: connection.keys.code, transport: 'relay', ...unknown });
  const running = startConnection(context, connection, finished.resolve);
  current.running = running;
  const outcome = await finished.promise;
  running.stop(outcome.next !== 'over');
  return outcome;
}

interface RunningConnection {
  receive(frame: Bytes): void;
  received(): Promise<void>;
  /** `willReturn`: the session goes on with another connection. */
  stop(willReturn: boolean): void;
}

function startConnection(
  context: SessionContext,
  connection: ConnectedDevice,
  finish: (outcome: ConnectionOutcome) => void,
): RunningConnection {
  const { ending } = context;
  const { clock } = context.ports;
  const parts = createParts(context, connection, finish);
  const { channel, transport, heartbeat } = parts;
  const endByOperator = (): void => {
    channel.send('end', { by: 'operator', message: '', back: false });
    finish(endedOutcome({ message: '', by: 'operator' }));
  };
  context.channel = channel;
  // The operator may have ended the session while the device was verified.
  onAbort(ending.signal, endByOperator);
  return {
    receive: transport.receiveFromRelay,
    async received() {
      // The relay reports the end by itself, perhaps before the goodbye arrives on the direct connection.
      const timeout = new Promise<void>((resolve) => clock.after(goodbyeTimeoutMs, resolve));
      await Promise.race([transport.directClosed(), timeout]);
      await channel.received();
    },
    stop(willReturn) {
      ending.signal.removeEventListener('abort', endByOperator);
      heartbeat.stop();
      context.channel = undefined;
      channel.close(willReturn);
    },
  };
}

function createParts(
  context: SessionContext,
  connection: ConnectedDevice,
  finish: (outcome: ConnectionOutcome) => void,
): ConnectionParts {
  const { ports, sessionState } = context;
  // The other fields use each other through this object.
  const parts = { finish } as ConnectionParts;
  parts.transport = createTransport(context, connection, parts);
  parts.channel = createChannel(context, connection, parts);
  // The first sealed frame: it proves that this operator holds the key in the grant.
  parts.channel.send('confirm', {
    version: 1,
    protocol: currentSessionVersion,
    capabilities: [...sessionCapabilities],
    ...(context.approval !== undefined && { approval: context.approval }),
  });
  parts.heartbeat = startSessionHeartbeat(ports.clock, {
    sendPing: (number) => parts.channel.send('ping', number),
    onRoundTrip: (ms) => sessionState.update({ roundTrip: ms }),
    onSilence: () => finish(retryOutcome()),
  });
  return parts;
}

const createTransport = (
  context: SessionContext,
  { relay, grant }: ConnectedDevice,
  parts: ConnectionParts,
): TransportSwitch =>
  createTransportSwitch({
    relay,
    openPeer: context.relayOnly ? undefined : context.ports.openPeer,
    iceServers: grant.ice,
    sendSignal: (signal) => parts.channel.send('direct', signal),
    onFrame(frame) {
      context.traffic.received += frame.length;
      parts.heartbeat.received();
      parts.channel.receive(frame);
    },
    onLost() {
      context.relayOnly = true;
      // The last frame may have been a goodbye.
      void parts.channel.received().then(() => parts.finish(retryOutcome()));
    },
    onDirect: () => context.sessionState.update({ transport: 'direct' }),
  });

function createChannel(
  context: SessionContext,
  { grant, keys }: ConnectedDevice,
  parts: ConnectionParts,
): SealedChannel {
  const { ports, traffic, sessionState } = context;
  const permissions = new Set(grant.permissions);
  const onBroken = (message: string): void => {
    parts.channel.send('end', { by: 'fault', message, back: false });
    parts.finish(faultOutcome(createProblem('broken', message)));
  };
  return createSealedChannel({
    side: 'operator',
    transport: {
      ...parts.transport,
      send: (frame) => ((traffic.sent += frame.length), parts.transport.send(frame)),
    },
    crypto: ports.crypto,
    keys,
    clock: ports.clock,
    permissions: () => permissions,
    otherVersion: () => sessionState.current.deviceVersion,
    onFrame: (kind, payload) => handleFrame(context, parts, kind, ports.sanitize(kind, payload)),
    onForbidden: (kind) =>
      onBroken(`The device sent a frame of the kind ${kind}, which the session does not allow.`),
    onBroken,
  });
}
