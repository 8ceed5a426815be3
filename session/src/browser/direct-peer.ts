/** The operator's end of a direct connection: makes an offer over the browser's WebRTC. */
import { createReassembler, dataChannelLabel, fragmentFrame } from '@drawbridge/contract/session/direct';
import { maxFrameBytes } from '@drawbridge/contract/session/frame-kinds';
import type { DirectPeer, DirectPeerListener, OpenDirectPeer, Signal } from '../transport-switch.ts';

const lowWaterMark = 256 * 1_024;
/** How long the last frames may take. */
const leaveTimeoutMs = 1_000;

interface State {
  readonly peer: RTCPeerConnection;
  readonly channel: RTCDataChannel;
  /** Those who wait until more can be sent. A local close fires no event, so `leave` and `close` release them. */
  readonly waiting: Set<() => void>;
  isOpen: boolean;
  isOver: boolean;
  bytes: number;
}

async function offerPeer(iceServers: readonly string[], listener: DirectPeerListener): Promise<DirectPeer> {
  const peer = new RTCPeerConnection({ iceServers: iceServers.map((urls) => ({ urls })) });
  const channel = peer.createDataChannel(dataChannelLabel, { ordered: true });
  const state: State = { peer, channel, waiting: new Set(), isOpen: false, isOver: false, bytes: 0 };
  const [opened, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  listen(state, listener, { onOpen: opened.resolve, onClose: closed.resolve });
  try {
    const offer = await peer.createOffer();
    await peer.setLocalDescription(offer);
    if (offer.sdp !== undefined) listener.sendSignal({ offer: offer.sdp });
  } catch (error) {
    peer.close();
    throw error;
  }
  return {
    opened: opened.promise,
    closed: closed.promise,
    receiveSignal: (signal) => void receiveSignal(peer, signal).catch(() => {}),
    send(frame) {
      state.bytes += frame.length;
      if (channel.readyState === 'open') for (const fragment of fragmentFrame(frame)) channel.send(fragment);
    },
    bytes: () => state.bytes,
    buffered: () => channel.bufferedAmount,
    drained: () => drained(state),
    leave() {
      state.isOver = true;
      release(state);
      setTimeout(() => peer.close(), leaveTimeoutMs);
    },
    close() {
      state.isOver = true;
      peer.close();
      release(state);
    },
  };
}

/** Undefined where the browser has no WebRTC. */
export const openDirectPeer: OpenDirectPeer | undefined =
  typeof RTCPeerConnection === 'undefined' ? undefined : offerPeer;

function listen(
  state: State,
  listener: DirectPeerListener,
  { onOpen, onClose }: { onOpen(): void; onClose(): void },
): void {
  const { peer, channel } = state;
  const reassemble = createReassembler(maxFrameBytes);
  channel.binaryType = 'arraybuffer';
  channel.bufferedAmountLowThreshold = lowWaterMark;
  peer.addEventListener('icecandidate', ({ candidate }) => {
    if (!candidate?.candidate || state.isOver) return;
    const text = JSON.stringify({ candidate: candidate.candidate, mid: candidate.sdpMid ?? '0' });
    listener.sendSignal({ candidate: text });
  });
  channel.addEventListener('open', () => {
    state.isOpen = true;
    if (!state.isOver) onOpen();
  });
  channel.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
    const frame = reassemble(new Uint8Array(data));
    if (state.isOver || frame === undefined) return;
    if (frame === 'wrong') return listener.onLost();
    state.bytes += frame.length;
    listener.onFrame(frame);
  });
  channel.addEventListener('bufferedamountlow', () => release(state));
  channel.addEventListener('close', () => {
    release(state);
    onClose();
    if (state.isOver) peer.close();
    else if (state.isOpen) listener.onLost();
  });
}

async function receiveSignal(peer: RTCPeerConnection, { answer, candidate }: Signal): Promise<void> {
  if (answer !== undefined) await peer.setRemoteDescription({ type: 'answer', sdp: answer });
  if (candidate === undefined) return;
  const { candidate: line, mid } = JSON.parse(candidate) as { candidate: string; mid: string };
  await peer.addIceCandidate({ candidate: line, sdpMid: mid });
}

const drained = ({ channel, waiting, isOver }: State): Promise<void> =>
  isOver || channel.readyState !== 'open' || channel.bufferedAmount <= lowWaterMark
    ? Promise.resolve()
    : new Promise((resolve) => void waiting.add(resolve));

function release({ waiting }: State): void {
  waiting.forEach((resolve) => resolve());
  waiting.clear();
}
