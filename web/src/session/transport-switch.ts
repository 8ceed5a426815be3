/** The direct connection to the device: makes an offer, and takes over from the relay once the device is reached. */
import {
  createReassembler,
  createFrameSequencer,
  dataChannelLabel,
  fragmentFrame,
} from '@drawbridge/contract/session/direct';
import { frameKinds, maxFrameBytes } from '@drawbridge/contract/session/frame-kinds';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { BufferBytes } from './keys.ts';
import type { Transport } from './relay-socket.ts';

export interface TransportSwitchListener {
  /** Seals a signal and sends it like any other frame. */
  sendSignal(word: SessionMessage<'direct'>): void;
  onFrame(frame: BufferBytes): void;
  /** The direct connection was lost after it was taken, or something came on it that makes no sense. */
  onLost(): void;
  /** Both sides have moved. */
  onDirect(): void;
}

export interface TransportSwitch extends Transport {
  fromRelay(frame: BufferBytes): void;
  receiveSignal(word: SessionMessage<'direct'>): void;
  /** Looks for a direct connection; without one the relay stays. */
  tryDirect(iceServers: readonly string[]): Promise<void>;
  /** Resolves when nothing more can come over the direct connection; at once where it was not taken. */
  directClosed(): Promise<void>;
}

const closeTimeoutMs = 1_000;

export function createTransportSwitch(relay: Transport, listener: TransportSwitchListener): TransportSwitch {
  let peer: RTCPeerConnection | undefined;
  let channel: RTCDataChannel | undefined;
  let isDirect = false;
  let isClosed = false;
  const closed = Promise.withResolvers<void>();
  // Signals are sealed and sent one after the other, a little after they are queued: the switch counts once it was sent.
  let [signalsQueued, signalsSent, switchAfter] = [0, 0, Infinity];
  const sendSignal = (word: SessionMessage<'direct'>): void => {
    signalsQueued += 1;
    if (word.moved) switchAfter = signalsQueued;
    listener.sendSignal(word);
  };
  const order = createFrameSequencer(
    (frame) => listener.onFrame(frame),
    () => listener.onLost(),
  );

  async function tryDirect(iceServers: readonly string[]): Promise<void> {
    if (typeof RTCPeerConnection === 'undefined') return;
    peer = new RTCPeerConnection({ iceServers: iceServers.map((urls) => ({ urls })) });
    peer.addEventListener('icecandidate', ({ candidate }) => {
      if (candidate?.candidate && !isClosed)
        sendSignal({
          candidate: JSON.stringify({ candidate: candidate.candidate, mid: candidate.sdpMid ?? '0' }),
        });
    });
    channel = peer.createDataChannel(dataChannelLabel, { ordered: true });
    channel.binaryType = 'arraybuffer';
    listenTo(channel);
    const offer = await peer.createOffer();
    await peer.setLocalDescription(offer);
    if (!isClosed && offer.sdp !== undefined) sendSignal({ offer: offer.sdp });
  }

  function listenTo(dataChannel: RTCDataChannel): void {
    const join = createReassembler(maxFrameBytes);
    dataChannel.addEventListener('open', () => {
      if (isClosed) return;
      // The last frame on the relay; the device answers with the same signal.
      sendSignal({ moved: 'direct' });
    });
    dataChannel.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
      const frame = join(new Uint8Array(data));
      if (isClosed || frame === undefined) return;
      if (frame === 'wrong') listener.onLost();
      else order.fromDirect(frame);
    });
    dataChannel.addEventListener('close', () => {
      closed.resolve();
      if (isDirect && !isClosed) listener.onLost();
    });
  }

  async function applySignal({ answer, candidate }: SessionMessage<'direct'>): Promise<void> {
    if (answer !== undefined) await peer?.setRemoteDescription({ type: 'answer', sdp: answer });
    if (candidate === undefined) return;
    const { candidate: line, mid } = JSON.parse(candidate) as { candidate: string; mid: string };
    await peer?.addIceCandidate({ candidate: line, sdpMid: mid });
  }

  return {
    tryDirect: (iceServers) => tryDirect(iceServers).catch(() => peer?.close()),
    fromRelay: order.fromRelay,
    directClosed: async () => (isDirect ? closed.promise : undefined),
    receiveSignal(word) {
      if (word.moved === 'direct') {
        order.moved();
        listener.onDirect();
      } else if (word.failed !== undefined) peer?.close();
      else void applySignal(word).catch(() => {});
    },
    send(frame) {
      if (isDirect) return fragmentFrame(frame).forEach((piece) => channel!.send(piece));
      relay.send(frame);
      if (frame[0] === frameKinds.direct.byte && ++signalsSent === switchAfter) isDirect = true;
    },
    buffered: () => (isDirect ? channel!.bufferedAmount : relay.buffered()),
    close() {
      isClosed = true;
      // What was sent last still leaves.
      channel?.close();
      if (peer) setTimeout(() => peer?.close(), closeTimeoutMs);
      relay.close();
    },
  };
}
