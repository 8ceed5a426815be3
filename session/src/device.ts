/** The device's side of a session: answers a grant, waits for the operator's proof, then exchanges frames until one side ends it. */
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { Grant } from '@drawbridge/contract/session/signed';
import { currentSessionVersion, sessionCapabilities } from '@drawbridge/contract/session/versions';
import { createHello, type SessionKeys } from './handshake.ts';
import { startSessionHeartbeat, type Heartbeat } from './heartbeat.ts';
import type { Payload } from './payloads.ts';
import type { Clock, RelayListener, RelayTransport, SessionCrypto, SigningKey } from './ports.ts';
import { createSealedChannel, type SealedChannel } from './sealed-channel.ts';
import { createTransportSwitch, type OpenDirectPeer, type TransportSwitch } from './transport-switch.ts';

export interface DeviceSessionOptions {
  grant: Grant;
  /** The grant as the server signed it. */
  signedGrant: string;
  deviceKey: SigningKey;
  crypto: SessionCrypto;
  clock: Clock;
  openRelay(listener: RelayListener): RelayTransport;
  openPeer?: OpenDirectPeer | undefined;
  /** The permissions in force now. */
  permissions(): ReadonlySet<string>;
  log?: ((line: string) => void) | undefined;
}

export type Goodbye = SessionMessage<'end'>;

export interface DeviceSessionListener {
  /**
   * The operator has proved that it holds the key in the grant. Users can compare the code. `approval` is what the device
   * told the operator when a second person approved an earlier connection of the session.
   */
  onOpen(code: string, approval: string | undefined): void;
  onFrame<Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>): void;
  /** The operator tried something that the permissions do not allow. */
  onForbidden(kind: FrameKindName): void;
  /** Called once; nothing is sent or received after it. */
  onEnd(goodbye: Goodbye): void;
}

/** Every kind except `state`, which only `sendState` sends. */
export type SendableKind = Exclude<FrameKindName, 'state'>;

/** The state of the session without the version of the device, which `sendState` adds. */
export type DeviceSessionState = Omit<SessionMessage<'state'>, 'protocol' | 'capabilities'>;

export interface DeviceConnection extends Pick<SealedChannel, 'buffered' | 'drained'> {
  /** Returns false and sends nothing if the device may not send the kind or the operator does not know it. */
  send<Kind extends SendableKind>(kind: Kind, payload: Payload<Kind>): boolean;
  /** As `send`, for a payload that is already encoded, in one or several parts. */
  sendEncoded(kind: SendableKind, ...payload: readonly Uint8Array[]): boolean;
  /** Tells the operator the state of the session, with what this version of the device knows. */
  sendState(state: DeviceSessionState): void;
  /** Says goodbye, if somebody is there, and disconnects. */
  end(goodbye: Goodbye): void;
}

/** How long the operator may take to join. */
const pairingTimeoutMs = 75_000;
const maxMessage = 512;

interface State {
  readonly options: DeviceSessionOptions;
  readonly listener: DeviceSessionListener;
  relay: RelayTransport;
  transport: TransportSwitch;
  channel: SealedChannel | undefined;
  heartbeat: Heartbeat | undefined;
  code: string;
  isOpen: boolean;
  isOver: boolean;
  operatorVersion: number;
  stopWaiting(): void;
}

export function startDeviceSession(
  options: DeviceSessionOptions,
  listener: DeviceSessionListener,
): DeviceConnection {
  const state = {
    options,
    listener,
    channel: undefined,
    heartbeat: undefined,
    code: '',
    isOpen: false,
    isOver: false,
    operatorVersion: 1,
    stopWaiting: options.clock.after(pairingTimeoutMs, () => fault(state, 'The operator did not connect.')),
  } as unknown as State; // relay and transport need the state itself and follow here
  state.relay = options.openRelay({
    onPaired: () =>
      void greet(state).catch((error: unknown) =>
        fault(state, `The device reported an error: ${String(error)}`),
      ),
    onFrame: (frame) => state.isOver || state.transport.receiveFromRelay(frame),
    onCountRequest: () => state.transport.reportBytes(),
    onClose: ({ reason }) => void lose(state, reason),
  });
  state.transport = createTransport(state);
  return toConnection(state);
}

const createTransport = (state: State): TransportSwitch =>
  createTransportSwitch({
    relay: state.relay,
    openPeer: state.options.openPeer,
    iceServers: state.options.grant.ice,
    sendSignal: (signal) => state.channel?.send('direct', signal),
    onFrame(frame) {
      if (state.isOver) return;
      state.heartbeat?.received();
      if (state.channel) state.channel.receive(frame);
      else fault(state, 'A frame arrived before the handshake.');
    },
    onLost: (message) => fault(state, message),
    onDirect: () => state.options.log?.('switched to the direct connection'),
    log: state.options.log,
  });

/** Sends the hello of the device, once the operator has joined. */
async function greet(state: State): Promise<void> {
  const { crypto, signedGrant, grant, deviceKey, clock } = state.options;
  const hello = await createHello(crypto, { signedGrant, operatorKey: grant.operator_key, deviceKey });
  if (state.isOver) return;
  if (!hello) return fault(state, 'The key of the operator is not usable.');
  state.code = hello.keys.code;
  state.channel = openChannel(state, hello.keys);
  state.relay.send(hello.frame);
  state.stopWaiting();
  const onSilence = (): void => fault(state, 'The operator stopped responding.');
  state.heartbeat = startSessionHeartbeat(clock, { onSilence });
}

async function lose(state: State, reason: string): Promise<void> {
  await state.channel?.received();
  finish(state, { by: 'fault', message: reason, back: false });
}

function finish(state: State, goodbye: Goodbye): void {
  if (state.isOver) return;
  state.isOver = true;
  state.stopWaiting();
  state.heartbeat?.stop();
  if (state.channel) state.channel.close(goodbye.back);
  else state.transport.close(goodbye.back);
  state.listener.onEnd(goodbye);
}

function end(state: State, goodbye: Goodbye): void {
  const message = goodbye.message.slice(0, maxMessage);
  if (!state.isOver) state.channel?.send('end', { ...goodbye, message });
  finish(state, goodbye);
}

const fault = (state: State, message: string): void => end(state, { by: 'fault', message, back: false });

function toConnection(state: State): DeviceConnection {
  const known = { protocol: currentSessionVersion, capabilities: [...sessionCapabilities] };
  return {
    send: (kind, payload) => state.channel?.send(kind, payload) ?? false,
    sendEncoded: (kind, ...payload) => state.channel?.sendEncoded(kind, ...payload) ?? false,
    sendState: (message) => void state.channel?.send('state', { ...message, ...known }),
    buffered: () => state.channel?.buffered() ?? state.transport.buffered(),
    drained: () => state.channel?.drained() ?? state.transport.drained(),
    end: (goodbye) => end(state, goodbye),
  };
}

/** The first frame must be `confirm`: it proves that the operator holds its key. */
function openChannel(state: State, keys: SessionKeys): SealedChannel {
  const { crypto, clock, permissions } = state.options;
  return createSealedChannel({
    side: 'device',
    transport: state.transport,
    crypto,
    keys,
    clock,
    permissions,
    otherVersion: () => state.operatorVersion,
    onFrame: (kind, payload) => handleFrame(state, kind, payload),
    onForbidden(kind) {
      if (state.isOpen) state.listener.onForbidden(kind);
      else fault(state, notConfirmed);
    },
    onBroken: (message) => fault(state, message),
  });
}

const notConfirmed = 'The operator did not confirm the session key.';

type Handlers = { [Kind in FrameKindName]?: (state: State, payload: Payload<Kind>) => void };

/** Frames about the session itself. All others go to the listener. */
const handlers: Handlers = {
  confirm(state, { protocol = 1, approval }) {
    if (state.isOpen) return fault(state, 'The operator confirmed the session key twice.');
    state.isOpen = true;
    state.operatorVersion = protocol;
    state.listener.onOpen(state.code, approval);
  },
  ping: ({ channel }, number) => void channel!.send('pong', number),
  pong: () => {},
  direct: ({ transport }, signal) => transport.receiveSignal(signal),
  end: (state, { message, back }) => end(state, { by: 'operator', message, back }),
};

function handleFrame<Kind extends FrameKindName>(state: State, kind: Kind, payload: Payload<Kind>): void {
  if (!state.isOpen && kind !== 'confirm') return fault(state, notConfirmed);
  const handle = handlers[kind] as ((state: State, payload: unknown) => void) | undefined;
  if (handle) handle(state, payload);
  else state.listener.onFrame(kind, payload);
}
