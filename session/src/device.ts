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
  /** The operator has proved that it holds the key in the grant. Users can compare the code. */
  onOpen(code: string): void;
  onFrame<Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>): void;
  /** The operator tried something that the permissions do not allow. */
  onForbidden(kind: FrameKindName): void;
  /** Called once; nothing is sent or received after it. */
  onEnd(goodbye: Goodbye): void;
}

export interface DeviceConnection extends Pick<
  SealedChannel,
  'send' | 'sendEncoded' | 'buffered' | 'drained'
> {
  /** Tells the operator the state of the session, with what this version of the device knows. */
  sendState(state: Omit<SessionMessage<'state'>, 'protocol' | 'capabilities'>): void;
  /** Says goodbye, if somebody is there, and disconnects. */
  end(goodbye: Goodbye): void;
}

/** How long the operator may take to join. */
const pairingTimeoutMs = 75_000;
const maxMessage = 512;

interface State {
  readonly options: DeviceSessionOptions;
  readonly listener: DeviceSessionListener;
  channel: SealedChannel | undefined;
  heartbeat: Heartbeat | undefined;
  code: string;
  isOpen: boolean;
  isOver: boolean;
  operatorVersion: number;
}

export function startDeviceSession(
  options: DeviceSessionOptions,
  listener: DeviceSessionListener,
): DeviceConnection {
  const state: State = {
    options,
    listener,
    channel: undefined,
    heartbeat: undefined,
    code: '',
    isOpen: false,
    isOver: false,
    operatorVersion: 1,
  };
  const finish = (goodbye: Goodbye): void => {
    if (state.isOver) return;
    state.isOver = true;
    stopWaiting();
    state.heartbeat?.stop();
    if (state.channel) state.channel.close(goodbye.back);
    else transport.close(goodbye.back);
    listener.onEnd(goodbye);
  };
  const end = (goodbye: Goodbye): void => {
    const message = goodbye.message.slice(0, maxMessage);
    if (!state.isOver) state.channel?.send('end', { ...goodbye, message });
    finish(goodbye);
  };
  const fault = (message: string): void => end({ by: 'fault', message, back: false });
  const stopWaiting = options.clock.after(pairingTimeoutMs, () => fault('The operator did not connect.'));

  const relay = options.openRelay({
    onPaired: () =>
      void greet().catch((error: unknown) => fault(`The device reported an error: ${String(error)}`)),
    onFrame: (frame) => state.isOver || transport.receiveFromRelay(frame),
    onCountRequest: () => transport.reportBytes(),
    onClose: ({ reason }) => void lose(reason),
  });
  const lose = async (reason: string): Promise<void> => {
    await state.channel?.received();
    finish({ by: 'fault', message: reason, back: false });
  };
  const greet = async (): Promise<void> => {
    const { crypto, signedGrant, grant, deviceKey, clock } = options;
    const hello = await createHello(crypto, { signedGrant, operatorKey: grant.operator_key, deviceKey });
    if (state.isOver) return;
    if (!hello) return fault('The key of the operator is not usable.');
    state.code = hello.keys.code;
    state.channel = openChannel(state, { transport, keys: hello.keys, end, fault });
    relay.send(hello.frame);
    stopWaiting();
    const onSilence = (): void => fault('The operator stopped responding.');
    state.heartbeat = startSessionHeartbeat(clock, { onSilence });
  };
  const transport = createTransportSwitch({
    relay,
    openPeer: options.openPeer,
    iceServers: options.grant.ice,
    sendSignal: (signal) => state.channel?.send('direct', signal),
    onFrame(frame) {
      if (state.isOver) return;
      state.heartbeat?.received();
      if (state.channel) state.channel.receive(frame);
      else fault('A frame arrived before the handshake.');
    },
    onLost: fault,
    onDirect: () => options.log?.('switched to the direct connection'),
    log: options.log,
  });
  return toConnection(state, transport, end);
}

function toConnection(
  state: State,
  transport: TransportSwitch,
  end: DeviceConnection['end'],
): DeviceConnection {
  const known = { protocol: currentSessionVersion, capabilities: [...sessionCapabilities] };
  return {
    send: (kind, payload) => state.channel?.send(kind, payload) ?? false,
    sendEncoded: (kind, payload) => state.channel?.sendEncoded(kind, payload) ?? false,
    sendState: (message) => void state.channel?.send('state', { ...message, ...known }),
    buffered: () => state.channel?.buffered() ?? transport.buffered(),
    drained: () => state.channel?.drained() ?? transport.drained(),
    end,
  };
}

interface ChannelDeps {
  transport: TransportSwitch;
  keys: SessionKeys;
  end(goodbye: Goodbye): void;
  fault(message: string): void;
}

/** The first frame must be `confirm`: it proves that the operator holds its key. */
function openChannel(state: State, { transport, keys, end, fault }: ChannelDeps): SealedChannel {
  const { options, listener } = state;
  const confirm = ({ protocol = 1 }: SessionMessage<'confirm'>): void => {
    if (state.isOpen) return fault('The operator confirmed the session key twice.');
    state.isOpen = true;
    state.operatorVersion = protocol;
    listener.onOpen(state.code);
  };
  const handlers: { [Kind in FrameKindName]?: (payload: Payload<Kind>) => void } = {
    confirm,
    ping: (number) => channel.send('pong', number),
    pong: () => {},
    direct: transport.receiveSignal,
    end: ({ message, back }) => end({ by: 'operator', message, back }),
  };
  const channel = createSealedChannel({
    side: 'device',
    transport,
    crypto: options.crypto,
    keys,
    clock: options.clock,
    permissions: options.permissions,
    otherVersion: () => state.operatorVersion,
    onFrame(kind, payload) {
      if (!state.isOpen && kind !== 'confirm') return fault('The operator did not confirm the session key.');
      const handle = handlers[kind] as ((payload: unknown) => void) | undefined;
      if (handle) handle(payload);
      else listener.onFrame(kind, payload);
    },
    onForbidden(kind) {
      if (state.isOpen) listener.onForbidden(kind);
      else fault('The operator did not confirm the session key.');
    },
    onBroken: fault,
  });
  return channel;
}
