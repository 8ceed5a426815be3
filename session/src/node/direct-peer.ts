/** The device's end of a direct connection: answers an offer over WebRTC with node-datachannel. */
import { createReassembler, dataChannelLabel, fragmentFrame } from '@drawbridge/contract/session/direct';
import { maxFrameBytes } from '@drawbridge/contract/session/frame-kinds';
import type * as Library from 'node-datachannel';
import type { DataChannel, PeerConnection } from 'node-datachannel';
import type { DirectPeer, DirectPeerListener, Signal } from '../transport-switch.ts';

/** More candidates than this would use the device to attack others. */
const maxCandidates = 24;
const lowWaterMark = 64 * 1_024;
/** How long the last frames may take on a slow connection. */
const leaveTimeoutMs = 10_000;

/** Loaded with the first direct connection: most devices never need it. */
let library: Promise<typeof Library> | undefined;

/** The library keeps pointers to channels until they are closed. A channel that is collected earlier would crash `cleanup`. */
const channels = new Set<DataChannel>();

/** Unloads the library, whose threads would keep the process running. */
export async function unloadDirect(): Promise<void> {
  const loaded = await library;
  loaded?.cleanup();
}

interface State {
  readonly peer: PeerConnection;
  readonly listener: DirectPeerListener;
  readonly opened: PromiseWithResolvers<void>;
  readonly closed: PromiseWithResolvers<void>;
  readonly waiting: Set<() => void>;
  channel: DataChannel | undefined;
  isOpen: boolean;
  isOver: boolean;
  candidates: number;
  bytes: number;
}

export async function openDirectPeer(
  iceServers: readonly string[],
  listener: DirectPeerListener,
): Promise<DirectPeer> {
  library ??= import('node-datachannel');
  const { PeerConnection: Peer } = await library;
  const state: State = {
    peer: new Peer('drawbridge', { iceServers: [...iceServers] }),
    listener,
    opened: Promise.withResolvers(),
    closed: Promise.withResolvers(),
    waiting: new Set(),
    channel: undefined,
    isOpen: false,
    isOver: false,
    candidates: 0,
    bytes: 0,
  };
  state.peer.onLocalDescription((sdp, type) => {
    if (!state.isOver && type === 'answer') listener.sendSignal({ answer: sdp });
  });
  state.peer.onLocalCandidate((candidate, mid) => {
    if (!state.isOver) listener.sendSignal({ candidate: JSON.stringify({ candidate, mid }) });
  });
  state.peer.onDataChannel((channel) => takeChannel(state, channel));
  return {
    opened: state.opened.promise,
    closed: state.closed.promise,
    receiveSignal: (signal) => receiveSignal(state, signal),
    send: (frame) => send(state, frame),
    bytes: () => state.bytes,
    buffered: () => bufferedBytes(state),
    drained: () =>
      state.isOver || bufferedBytes(state) <= lowWaterMark
        ? Promise.resolve()
        : new Promise((resolve) => void state.waiting.add(resolve)),
    leave: () => leave(state),
    close: () => close(state),
  };
}

function takeChannel(state: State, channel: DataChannel): void {
  channels.add(channel);
  const isWanted = !state.isOver && !state.channel && channel.getLabel() === dataChannelLabel;
  channel.onClosed(() => {
    channels.delete(channel);
    if (!isWanted) return;
    state.closed.resolve();
    if (state.isOver) state.peer.close();
    else lose(state);
  });
  if (!isWanted) return channel.close();
  state.channel = channel;
  const enter = (): void => {
    state.isOpen = true;
    state.opened.resolve();
  };
  channel.setBufferedAmountLowThreshold(lowWaterMark);
  channel.onBufferedAmountLow(() => release(state));
  channel.onOpen(enter);
  channel.onMessage(createMessageReader(state));
  if (channel.isOpen()) enter();
}

function createMessageReader(state: State) {
  const reassemble = createReassembler(maxFrameBytes);
  return (message: string | Buffer | ArrayBuffer): void => {
    const frame = typeof message === 'string' ? 'wrong' : reassemble(new Uint8Array(message));
    if (frame === 'wrong') return lose(state);
    if (!frame || state.isOver) return;
    state.bytes += frame.length;
    state.listener.onFrame(frame);
  };
}

function release({ waiting }: State): void {
  waiting.forEach((resolve) => resolve());
  waiting.clear();
}

const bufferedBytes = ({ channel }: State): number => (channel?.isOpen() ? channel.bufferedAmount() : 0);

function send(state: State, frame: Uint8Array): void {
  const { channel } = state;
  if (!channel?.isOpen()) return;
  state.bytes += frame.length;
  // The other side may close the channel at this moment; `onClosed` follows.
  for (const fragment of fragmentFrame(frame))
    attempt(() => channel.isOpen() && channel.sendMessageBinary(fragment));
}

function lose(state: State): void {
  if (state.isOver) return;
  close(state);
  if (state.isOpen) state.listener.onLost();
}

/** The other side closes the connection when it has read the last frame. Without that, a timeout closes it. */
function leave(state: State): void {
  if (!state.channel?.isOpen()) return close(state);
  state.isOver = true;
  release(state);
  setTimeout(() => state.peer.close(), leaveTimeoutMs).unref();
}

function close(state: State): void {
  state.isOver = true;
  state.peer.close();
  release(state);
}

function receiveSignal(state: State, { offer, candidate }: Signal): void {
  const { peer, listener } = state;
  if (offer !== undefined && !attempt(() => peer.setRemoteDescription(offer, 'offer')))
    listener.sendSignal({ failed: 'The device could not read the offer of a direct connection.' });
  // A candidate that fails does not affect the others.
  if (candidate !== undefined && ++state.candidates <= maxCandidates)
    attempt(() => addCandidate(peer, candidate));
}

function attempt(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

function addCandidate(peer: PeerConnection, text: string): void {
  const { candidate, mid } = JSON.parse(text) as { candidate?: unknown; mid?: unknown };
  // Browsers hide their address behind an mDNS name, which is slow to resolve and seldom found. It is not needed:
  // the browser connects to the addresses of the device.
  if (typeof candidate !== 'string' || typeof mid !== 'string' || candidate.includes('.local ')) return;
  peer.addRemoteCandidate(candidate, mid);
}
