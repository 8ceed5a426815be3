/** Relay and direct connection as one transport: the relay at first, the direct connection once both sides have switched. */
import type { Bytes } from '@drawbridge/contract/session/binary';
import { createFrameSequencer, type FrameSequencer } from '@drawbridge/contract/session/direct';
import { frameKinds } from '@drawbridge/contract/session/frame-kinds';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { RelayTransport, Transport } from './ports.ts';

export type Signal = SessionMessage<'direct'>;

export interface DirectPeerListener {
  /** Sends a signal to the other side over the relay. */
  sendSignal(signal: Signal): void;
  onFrame(frame: Bytes): void;
  /** The connection was open and is lost, or something malformed arrived on it. */
  onLost(): void;
}

/** A connection beside the relay, or the attempt to make one. */
export interface DirectPeer extends Transport {
  /** Resolves when frames can be sent; never, if they never can. */
  opened: Promise<void>;
  /** Resolves when nothing more can arrive. */
  closed: Promise<void>;
  receiveSignal(signal: Signal): void;
  /** Closes when the other side has read the last frame and closes, or after a timeout. */
  leave(): void;
  /** Bytes of the frames in both directions so far. */
  bytes(): number;
}

/** `iceServers`: servers that help to find a path through routers, such as `stun:stun.example.com:3478`. */
export type OpenDirectPeer = (
  iceServers: readonly string[],
  listener: DirectPeerListener,
) => DirectPeer | Promise<DirectPeer>;

export interface TransportSwitchOptions {
  relay: RelayTransport;
  /** Undefined where direct connections are turned off or not supported. */
  openPeer: OpenDirectPeer | undefined;
  iceServers: readonly string[] | undefined;
  /** Seals a signal and sends it as every other frame. */
  sendSignal(signal: Signal): void;
  onFrame(frame: Bytes): void;
  /** The direct connection failed after it was in use, or broke the rules. */
  onLost(message: string): void;
  /** Both sides now send over the direct connection. */
  onDirect(): void;
  log?: ((line: string) => void) | undefined;
}

export interface TransportSwitch extends Transport {
  receiveFromRelay(frame: Bytes): void;
  receiveSignal(signal: Signal): void;
  /** Offers a direct connection; without one the relay stays in use. */
  tryDirect(): void;
  /** Tells the relay how many bytes took the direct connection, if any did. */
  reportBytes(): void;
  /** Resolves when nothing more can arrive directly; at once where the direct connection is not in use. */
  directClosed(): Promise<void>;
}

interface State {
  readonly options: TransportSwitchOptions;
  readonly sequencer: FrameSequencer;
  /** Signals are sealed and sent later than they are created: the switch counts once its own signal was sent. */
  readonly signals: { queued: number; sent: number; switchAfter: number };
  opening: Promise<DirectPeer> | undefined;
  peer: DirectPeer | undefined;
  isOfferer: boolean;
  isDirect: boolean;
  hasOtherMoved: boolean;
  hasSaidGoodbye: boolean;
  isClosed: boolean;
}

export function createTransportSwitch(options: TransportSwitchOptions): TransportSwitch {
  const state: State = {
    options,
    sequencer: createFrameSequencer(options.onFrame, (why) =>
      options.onLost(`On the direct connection ${why}.`),
    ),
    signals: { queued: 0, sent: 0, switchAfter: Infinity },
    opening: undefined,
    peer: undefined,
    isOfferer: false,
    isDirect: false,
    hasOtherMoved: false,
    hasSaidGoodbye: false,
    isClosed: false,
  };
  return {
    receiveFromRelay: (frame) => state.sequencer.fromRelay(frame),
    receiveSignal: (signal) => receiveSignal(state, signal),
    tryDirect: () => tryDirect(state),
    reportBytes: () => reportBytes(state),
    send: (frame) => send(state, frame),
    buffered: () => current(state).buffered(),
    drained: () => current(state).drained(),
    directClosed: async () => (state.isDirect ? state.peer!.closed : undefined),
    close: (willReturn) => close(state, willReturn),
  };
}

const current = ({ isDirect, peer, options }: State): Transport => (isDirect ? peer! : options.relay);

function sendSignal({ isClosed, signals, options }: State, signal: Signal): void {
  if (isClosed) return;
  signals.queued += 1;
  if (signal.moved) signals.switchAfter = signals.queued;
  options.sendSignal(signal);
}

const announce = (state: State): void => sendSignal(state, { moved: 'direct' });

async function openPeer(
  state: State,
  open: OpenDirectPeer,
  iceServers: readonly string[],
): Promise<DirectPeer> {
  const peer = await open(iceServers, {
    sendSignal: (signal) => sendSignal(state, signal),
    onFrame: (frame) => state.isClosed || state.sequencer.fromDirect(frame),
    onLost: () => state.isClosed || state.options.onLost('The direct connection was lost.'),
  });
  state.peer = peer;
  if (state.isClosed) peer.close();
  return peer;
}

function fail(state: State, error: unknown): void {
  state.options.log?.(`no direct connection: ${String(error)}`);
  sendSignal(state, { failed: 'A direct connection is not possible.' });
}

function tryDirect(state: State): void {
  const { openPeer: open, iceServers } = state.options;
  if (!open || !iceServers || state.opening) return;
  state.isOfferer = true;
  state.opening = openPeer(state, open, iceServers);
  state.opening.then(
    ({ opened }) => opened.then(() => announce(state)),
    (error: unknown) => fail(state, error),
  );
}

function receiveSignal(state: State, signal: Signal): void {
  if (signal.moved === 'direct') return void follow(state);
  if (signal.failed !== undefined) return giveUp(state);
  void answer(state, signal).catch((error: unknown) => {
    if (signal.offer !== undefined) fail(state, error);
  });
}

/** The side that offered gives up, unless the connection is in use: its loss then shows by itself. */
function giveUp({ isOfferer, isDirect, hasOtherMoved, peer }: State): void {
  if (isOfferer && !isDirect && !hasOtherMoved) peer?.close();
}

/** A failure is reported for the offer only: the candidates that follow it would repeat it. */
async function answer(state: State, signal: Signal): Promise<void> {
  const { openPeer: open, iceServers } = state.options;
  if (!open || !iceServers) {
    if (signal.offer !== undefined) sendSignal(state, { failed: 'Direct connections are turned off.' });
    return;
  }
  state.opening ??= openPeer(state, open, iceServers);
  (await state.opening).receiveSignal(signal);
}

/** The other side has left the relay. The device follows, perhaps a moment before it sees that the connection is open. */
async function follow(state: State): Promise<void> {
  if (!state.peer)
    return state.options.onLost('The other side switched to a direct connection that does not exist.');
  state.sequencer.moved();
  state.hasOtherMoved = true;
  settle(state);
  if (state.isOfferer) return;
  await state.peer.opened;
  announce(state);
}

function settle({ isDirect, hasOtherMoved, options }: State): void {
  if (isDirect && hasOtherMoved) options.onDirect();
}

function send(state: State, frame: Uint8Array): void {
  const { signals, options } = state;
  state.hasSaidGoodbye ||= frame[0] === frameKinds.end.byte;
  if (state.isDirect) return state.peer!.send(frame);
  options.relay.send(frame);
  if (frame[0] !== frameKinds.direct.byte || ++signals.sent !== signals.switchAfter) return;
  state.isDirect = true;
  reportBytes(state);
  settle(state);
}

function reportBytes({ isDirect, peer, options }: State): void {
  if (isDirect) options.relay.reportDirectBytes?.(peer!.bytes());
}

function close(state: State, willReturn?: boolean): void {
  if (state.isClosed) return;
  state.isClosed = true;
  reportBytes(state);
  if (state.hasSaidGoodbye) state.peer?.leave();
  else state.peer?.close();
  state.options.relay.close(willReturn);
}
