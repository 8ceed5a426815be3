/** The device's side of a session in a browser: the client of an invitation shares a screen with it. */
import { frameKinds, type FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { Grant } from '@drawbridge/contract/session/signed';
import { createSealedChannel, type SealedChannel } from './sealed-channel.ts';
import { createEmitter, type Emitter } from './emitter.ts';
import { readGrant, createHello } from './hello.ts';
import type { Clock } from './clock.ts';
import { startSessionHeartbeat, type Heartbeat } from './heartbeat.ts';
import { createSessionKeyPair, type BufferBytes, type DeviceKeyPair } from './keys.ts';
import { openRelaySocket, type Transport } from './relay-socket.ts';
import type { Payload } from './payloads.ts';
import type { Secrets } from './seal.ts';
import { createProblem, type SessionProblem, type RemoteSession } from './session.ts';

/** What the operator's session is to the device. Whoever holds it asks for consent and sends `state`. */
export interface DeviceSession extends Pick<RemoteSession, 'send' | 'on' | 'drained'> {
  readonly grant: Grant;
  readonly code: string;
  /** How often the operator tried what the grant does not allow. */
  readonly refusals: number;
  end(message: string, by?: 'device' | 'fault'): void;
  /** Settles when it is over: by whom, and what they said. */
  readonly ended: Promise<{ by: string; message: string }>;
}

export interface SessionRequest {
  grant: string;
  ticket: string;
  relay: string;
}

export interface DeviceSessionOptions {
  key: DeviceKeyPair;
  /** The Ed25519 key of the server, from the lobby. */
  serverKey: string;
  clock: Clock;
}

/** What has to be recorded is not shown by who can not record it. */
const cannotRecord =
  'This session has to be recorded, and a browser cannot do that. Ask the client to run the program instead.';

/** Unix seconds by which the clocks of server and browser may differ. */
const clockSkew = 300;

async function readOwnGrant(
  text: string,
  { key, serverKey }: DeviceSessionOptions,
): Promise<Grant | undefined> {
  const grant = await readGrant(text, serverKey);
  const now = Date.now() / 1_000;
  const isMine = grant?.device_key === key.publicKey;
  return isMine && grant.nbf - clockSkew <= now && now <= grant.exp + clockSkew ? grant : undefined;
}

/** Resolves once the operator has proven to hold the key of the grant. */
export async function acceptSession(
  request: SessionRequest,
  options: DeviceSessionOptions,
): Promise<DeviceSession | SessionProblem> {
  const grant = await readOwnGrant(request.grant, options);
  if (!grant) return createProblem('bad_grant');
  const hello = await createHello({ text: request.grant, grant }, await createSessionKeyPair(), options.key);
  if (!hello) return createProblem('bad_grant');
  const accepted = Promise.withResolvers<DeviceSession | SessionProblem>();
  const socket = openRelaySocket(request, {
    onPaired: () => socket.send(hello.frame),
    onFrame: (frame) => handle.receive(frame),
    onClose() {
      accepted.resolve(createProblem('network'));
      handle.onLost();
    },
  });
  const handle = startSession(grant, hello.secrets, socket, options.clock);
  void handle.confirmed.then(() =>
    grant.record ? handle.session.end(cannotRecord) : accepted.resolve(handle.session),
  );
  void handle.session.ended.then(({ message }) => accepted.resolve(createProblem('broken', message)));
  return accepted.promise;
}

interface SessionHandle {
  session: DeviceSession;
  confirmed: Promise<void>;
  receive(frame: BufferBytes): void;
  onLost(): void;
}

function startSession(grant: Grant, secrets: Secrets, socket: Transport, clock: Clock): SessionHandle {
  const emitter = createEmitter();
  const finished = Promise.withResolvers<{ by: string; message: string }>();
  const confirmed = Promise.withResolvers<void>();
  const counted = { refusals: 0 };
  let heartbeat: Heartbeat | undefined;
  const finish = (by: string, message: string): void => {
    heartbeat?.stop();
    channel.close();
    finished.resolve({ by, message });
  };
  const end: DeviceSession['end'] = (message, by = 'device') => {
    channel.send('end', { by, message, back: false });
    finish(by, message);
  };
  const channel: SealedChannel = createSealedChannel({
    side: 'device',
    transport: socket,
    secrets,
    permissions: new Set(grant.permissions),
    now: clock.now,
    onFrame: (kind, payload) => handleFrame(kind, payload),
    onForbidden(kind) {
      counted.refusals += 1;
      channel.send('refused', {
        kind,
        message: `This session does not allow ${frameKinds[kind].permission}.`,
      });
    },
    onBroken: (message) => end(message, 'fault'),
  });
  const onConfirmed = (): void => {
    heartbeat = startPings(channel, clock, () => finish('fault', 'the operator is silent'));
    confirmed.resolve();
  };
  const onOperatorEnd = (message: string): void => finish('operator', message);
  const handleFrame = createFrameHandler(emitter, { channel, onConfirmed, end, onOperatorEnd });
  return {
    session: toDeviceSession(
      { grant, code: secrets.code, channel, emitter, end, ended: finished.promise },
      counted,
    ),
    confirmed: confirmed.promise,
    receive(frame) {
      heartbeat?.received();
      channel.receive(frame);
    },
    onLost: () => void channel.received().then(() => finish('fault', 'the connection is lost')),
  };
}

const startPings = (channel: SealedChannel, clock: Clock, onSilence: () => void): Heartbeat =>
  startSessionHeartbeat(clock, {
    sendPing: (number) => channel.send('ping', number),
    onRoundTrip: () => {},
    onSilence,
  });

interface FrameHandlerDeps {
  channel: SealedChannel;
  onConfirmed(): void;
  end: DeviceSession['end'];
  onOperatorEnd(message: string): void;
}

/** The first frame has to be `confirm`: it proves that the operator holds its key. */
function createFrameHandler(
  emitter: Emitter,
  { channel, onConfirmed, end, onOperatorEnd }: FrameHandlerDeps,
) {
  let isConfirmed = false;
  return <Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>): void => {
    if (isConfirmed === (kind === 'confirm')) return end('the operator did not confirm', 'fault');
    if (!isConfirmed) {
      isConfirmed = true;
      return onConfirmed();
    }
    if (kind === 'ping') channel.send('pong', payload as number);
    if (kind === 'end') onOperatorEnd((payload as Payload<'end'>).message);
    emitter.emit(kind, payload);
  };
}

type DeviceSessionParts = Pick<DeviceSession, 'grant' | 'code' | 'end' | 'ended'> & {
  channel: SealedChannel;
  emitter: Emitter;
};

const toDeviceSession = (
  { channel, emitter, ...rest }: DeviceSessionParts,
  counted: { refusals: number },
): DeviceSession => ({
  ...rest,
  get refusals() {
    return counted.refusals;
  },
  send: channel.send,
  on: emitter.on,
  drained: channel.drained,
});
