/** Runs one connection of the operator from connecting to its end, and decides whether to reconnect. */
import type { OpenReply } from '@drawbridge/contract/session/open';
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import { createSealedChannel, type SealedChannel } from './sealed-channel.ts';
import { createTransportSwitch, type TransportSwitch } from './transport-switch.ts';
import type { Emitter } from './emitter.ts';
import type { SessionState } from './session-state.ts';
import type { Clock } from './clock.ts';
import { startSessionHeartbeat, type Heartbeat } from './heartbeat.ts';
import type { BufferBytes, SessionKeyPair } from './keys.ts';
import type { RelayClose } from './relay-socket.ts';
import type { Payload } from './payloads.ts';
import type { KeyPins } from './key-pins.ts';
import { connectToDevice, type DeviceConnection } from './connect.ts';
import { isProblem, createProblem, type SessionProblem, type ConnectionState } from './session.ts';

/** What lasts as long as the session, over all its connections. */
export interface SessionContext {
  sessionState: SessionState;
  emitter: Emitter;
  pins: KeyPins;
  clock: Clock;
  traffic: { sent: number; received: number };
  ending: AbortController;
  /** The key the device has shown in this session. */
  shownKey: string | undefined;
  channel: SealedChannel | undefined;
  /** When the connection was lost; undefined while it is live. */
  lostAt: number | undefined;
  /** A direct connection was lost once: the relay is more reliable for this session. */
  relayOnly: boolean;
}

export type ConnectionOutcome =
  | { next: 'end'; state: ConnectionState }
  | { next: 'retry'; retryTimeoutMs: number; message: string }
  | { next: 'blocked'; key: string };

const dropTimeoutMs = 60_000;
/** For a goodbye on its way. */
const goodbyeTimeoutMs = 1_000;
/** A machine that starts anew takes its time. */
const rebootTimeoutMs = 600_000;

const retryOutcome = (message = '', retryTimeoutMs = dropTimeoutMs): ConnectionOutcome => ({
  next: 'retry',
  retryTimeoutMs,
  message,
});
export const endedOutcome = (state: Omit<ConnectionState, 'phase'>): ConnectionOutcome => ({
  next: 'end',
  state: { phase: 'ended', ...state },
});
const faultOutcome = (found: SessionProblem): ConnectionOutcome =>
  endedOutcome({ message: '', problem: found, by: 'fault' });

export async function runConnection(
  context: SessionContext,
  opened: OpenReply,
  key: SessionKeyPair,
): Promise<ConnectionOutcome> {
  const finished = Promise.withResolvers<ConnectionOutcome>();
  const { sessionState, pins, clock, ending } = context;
  const to = opened.device.id;
  const current: { running?: RunningConnection } = {};
  const connection = await connectToDevice(
    {
      opened,
      key,
      knownKey: context.shownKey ?? pins.find(to),
      signal: ending.signal,
      after: clock.after,
    },
    {
      onFrame: (frame) => current.running?.receive(frame),
      onClose: (closing) =>
        void current.running?.received().then(() => finished.resolve(outcomeOfClose(closing))),
    },
  );
  if (isProblem(connection)) return outcomeOfProblem(connection, ending.signal);
  context.shownKey = connection.grant.device_key;
  pins.pin(to, connection.grant.device_key);
  sessionState.update({ code: connection.secrets.code, transport: 'relay' });
  const running = startConnection(context, connection, finished.resolve);
  current.running = running;
  try {
    return await finished.promise;
  } finally {
    running.stop();
  }
}

const outcomeOfClose = ({ reason: sentence }: RelayClose): ConnectionOutcome =>
  sentence === undefined ? retryOutcome() : endedOutcome({ message: sentence, by: 'server' });

function outcomeOfProblem(found: SessionProblem, ending: AbortSignal): ConnectionOutcome {
  if (ending.aborted) return endedOutcome({ message: '', by: 'operator' });
  if (found.code === 'changed_key') return { next: 'blocked', key: found.message };
  if (found.code === 'ended') return endedOutcome({ message: found.message, by: 'server' });
  return found.code === 'network' || found.code === 'offline' ? retryOutcome() : faultOutcome(found);
}

interface RunningConnection {
  receive(frame: BufferBytes): void;
  received(): Promise<void>;
  stop(): void;
}

function startConnection(
  context: SessionContext,
  connection: DeviceConnection,
  finish: (outcome: ConnectionOutcome) => void,
): RunningConnection {
  const { clock, traffic, ending, sessionState } = context;
  const onBroken = (message: string): void => {
    channel.send('end', { by: 'fault', message, back: false });
    finish(faultOutcome(createProblem('broken', message)));
  };
  const transportSwitch = createTransportSwitch(connection.socket, {
    sendSignal: (word) => channel.send('direct', word),
    onFrame(frame) {
      traffic.received += frame.length;
      heartbeat.received();
      channel.receive(frame);
    },
    onLost() {
      context.relayOnly = true;
      // What came last may have been a goodbye.
      void channel.received().then(() => finish(retryOutcome()));
    },
    onDirect: () => sessionState.update({ transport: 'direct' }),
  });
  const channel = createSealedChannel({
    side: 'operator',
    transport: {
      ...transportSwitch,
      send: (frame) => ((traffic.sent += frame.length), transportSwitch.send(frame)),
    },
    secrets: connection.secrets,
    permissions: new Set(connection.grant.permissions),
    now: clock.now,
    onFrame: (kind, payload) => handleFrame(kind, payload),
    onForbidden: (kind) => onBroken(`the device sent "${kind}", which it may not`),
    onBroken,
  });
  channel.send('confirm', { version: 1 });
  const heartbeat = startSessionHeartbeat(clock, {
    sendPing: (number) => channel.send('ping', number),
    onRoundTrip: (ms) => sessionState.update({ roundTrip: ms }),
    onSilence: () => finish(retryOutcome()),
  });
  const tryDirect = (): void => {
    const { ice } = connection.grant;
    if (ice && !context.relayOnly) void transportSwitch.tryDirect(ice);
  };
  const handleFrame = createFrameHandler(context, { channel, heartbeat, transportSwitch, tryDirect, finish });
  const endByOperator = (): void => {
    channel.send('end', { by: 'operator', message: '', back: false });
    finish(endedOutcome({ message: '', by: 'operator' }));
  };
  ending.signal.addEventListener('abort', endByOperator);
  context.channel = channel;
  return {
    receive: transportSwitch.fromRelay,
    async received() {
      // The relay hears of the end by itself, and may be quicker than the goodbye on the direct connection.
      await Promise.race([
        transportSwitch.directClosed(),
        new Promise<void>((resolve) => clock.after(goodbyeTimeoutMs, resolve)),
      ]);
      await channel.received();
    },
    stop() {
      ending.signal.removeEventListener('abort', endByOperator);
      heartbeat.stop();
      context.channel = undefined;
      channel.close();
    },
  };
}

interface FrameHandlerDeps {
  channel: SealedChannel;
  heartbeat: Heartbeat;
  transportSwitch: TransportSwitch;
  /** Looks for a direct connection. */
  tryDirect(): void;
  finish(outcome: ConnectionOutcome): void;
}

/** The frames about the session itself are acted on here; the others go to whoever listens. */
function createFrameHandler(
  context: SessionContext,
  { channel, heartbeat, transportSwitch, tryDirect, finish }: FrameHandlerDeps,
) {
  const handlers: { [Kind in FrameKindName]?: (payload: Payload<Kind>) => void } = {
    ping: (number) => channel.send('pong', number),
    pong: (number) => heartbeat.pong(number),
    direct: transportSwitch.receiveSignal,
    state(word) {
      applyState(context, word, finish);
      if (word.phase === 'live') tryDirect();
    },
    end: ({ by, message, back }) =>
      finish(
        back
          ? retryOutcome(message, rebootTimeoutMs)
          : endedOutcome({ message, by: by === 'operator' ? 'device' : by }),
      ),
  };
  return <Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>): void => {
    handlers[kind]?.(payload);
    context.emitter.emit(kind, payload);
  };
}

function applyState(
  context: SessionContext,
  word: SessionMessage<'state'>,
  finish: FrameHandlerDeps['finish'],
): void {
  const { sessionState } = context;
  if (word.phase === 'refused')
    return finish(
      endedOutcome({ message: word.message, problem: createProblem('refused', word.message), by: 'device' }),
    );
  const device = {
    ...sessionState.current.device,
    os: word.os || sessionState.current.device.os,
    home: word.home,
  };
  sessionState.update({
    state: { phase: word.phase, message: word.message },
    permissions: new Set(word.phase === 'live' ? word.permissions : []),
    unable: word.unable,
    recording: word.recording,
    device,
  });
  if (word.phase === 'live') context.lostAt = undefined;
}
