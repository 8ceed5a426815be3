/** Relay and direct connection as one transport: the relay at first, the direct connection once both sides have switched. */
import type { Bytes } from '@drawbridge/contract/session/binary';
import { createFrameSequencer } from '@drawbridge/contract/session/direct';
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

export function createTransportSwitch(options: TransportSwitchOptions): TransportSwitch {
  const { relay } = options;
  const state = {
    opening: undefined as Promise<DirectPeer> | undefined,
    peer: undefined as DirectPeer | undefined,
    isDirect: false,
    hasOtherMoved: false,
    isClosed: false,
    isOfferer: false,
    // Signals are sealed and sent later than they are created: the switch counts once its own signal was sent.
    signals: { queued: 0, sent: 0, switchAfter: Infinity },
  };
  const sendSignal = (signal: Signal): void => {
    if (state.isClosed) return;
    state.signals.queued += 1;
    if (signal.moved) state.signals.switchAfter = state.signals.queued;
    options.sendSignal(signal);
  };
  const sequencer = createFrameSequencer(options.onFrame, (why) =>
    options.onLost(`On the direct connection ${why}.`),
  );
  const announce = (): void => sendSignal({ moved: 'direct' });

  const openPeer = async (open: OpenDirectPeer, iceServers: readonly string[]): Promise<DirectPeer> => {
    const peer = await open(iceServers, {
      sendSignal,
      onFrame: (frame) => state.isClosed || sequencer.fromDirect(frame),
      onLost: () => state.isClosed || options.onLost('The direct connection was lost.'),
    });
    state.peer = peer;
    if (state.isClosed) peer.close();
    return peer;
  };
  const fail = (error: unknown): void => {
    options.log?.(`no direct connection: ${String(error)}`);
    sendSignal({ failed: 'A direct connection is not possible.' });
  };
  const answer = async (signal: Signal): Promise<void> => {
    const { openPeer: open, iceServers } = options;
    if (!open || !iceServers) return sendSignal({ failed: 'Direct connections are turned off.' });
    state.opening ??= openPeer(open, iceServers);
    (await state.opening).receiveSignal(signal);
  };
  /** The other side has left the relay. The device follows, perhaps a moment before it sees that the connection is open. */
  const follow = async (): Promise<void> => {
    if (!state.peer)
      return options.onLost('The other side switched to a direct connection that does not exist.');
    sequencer.moved();
    state.hasOtherMoved = true;
    settle();
    if (state.isOfferer) return;
    await state.peer.opened;
    announce();
  };
  const settle = (): void => {
    if (state.isDirect && state.hasOtherMoved) options.onDirect();
  };
  const current = (): Transport => (state.isDirect ? state.peer! : relay);

  const transportSwitch: TransportSwitch = {
    receiveFromRelay: (frame) => sequencer.fromRelay(frame),
    receiveSignal(signal) {
      if (signal.moved === 'direct') return void follow();
      if (signal.failed !== undefined) return state.peer?.close();
      void answer(signal).catch(fail);
    },
    tryDirect() {
      const { openPeer: open, iceServers } = options;
      if (!open || !iceServers || state.opening) return;
      state.isOfferer = true;
      state.opening = openPeer(open, iceServers);
      state.opening.then(async ({ opened }) => {
        await opened;
        announce();
      }, fail);
    },
    reportBytes() {
      if (state.isDirect) relay.reportDirectBytes?.(state.peer!.bytes());
    },
    send(frame) {
      if (state.isDirect) return state.peer!.send(frame);
      relay.send(frame);
      if (frame[0] !== frameKinds.direct.byte || ++state.signals.sent !== state.signals.switchAfter) return;
      state.isDirect = true;
      transportSwitch.reportBytes();
      settle();
    },
    buffered: () => current().buffered(),
    drained: () => current().drained(),
    directClosed: async () => (state.isDirect ? state.peer!.closed : undefined),
    close(willReturn) {
      if (state.isClosed) return;
      state.isClosed = true;
      transportSwitch.reportBytes();
      state.peer?.close();
      relay.close(willReturn);
    },
  };
  return transportSwitch;
}
