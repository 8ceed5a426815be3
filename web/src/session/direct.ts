/** The direct way to the device: makes an offer, and takes over from the relay once the device is reached. */
import {
  createReassembler,
  createFrameSequencer,
  dataChannelLabel,
  fragmentFrame,
} from '@drawbridge/contract/session/direct';
import { frameKinds, maxFrameBytes } from '@drawbridge/contract/session/frame-kinds';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { Bytes } from './keys.ts';
import type { Transport } from './relay-socket.ts';

export interface WaysListener {
  /** Seals a word and sends it as every other frame. */
  say(word: SessionMessage<'direct'>): void;
  frame(frame: Bytes): void;
  /** The direct way was lost after it was taken, or something came on it that makes no sense. */
  lost(): void;
  /** Both sides have moved. */
  direct(): void;
}

export interface Ways extends Transport {
  fromRelay(frame: Bytes): void;
  hear(word: SessionMessage<'direct'>): void;
  /** Looks for a direct way; without one the relay stays. */
  seek(helpers: readonly string[]): Promise<void>;
  /** Resolves when nothing more can come the direct way; at once where it was not taken. */
  silent(): Promise<void>;
}

const farewellMs = 1_000;

export function createWays(relay: Transport, listener: WaysListener): Ways {
  let peer: RTCPeerConnection | undefined;
  let channel: RTCDataChannel | undefined;
  let isDirect = false;
  let over = false;
  const closed = Promise.withResolvers<void>();
  // Words leave sealed and one after the other, a little later than they are said: the move counts when it has left.
  let [said, left, moving] = [0, 0, Infinity];
  const say = (word: SessionMessage<'direct'>): void => {
    said += 1;
    if (word.moved) moving = said;
    listener.say(word);
  };
  const order = createFrameSequencer(
    (frame) => listener.frame(frame),
    () => listener.lost(),
  );

  async function seek(helpers: readonly string[]): Promise<void> {
    if (typeof RTCPeerConnection === 'undefined') return;
    peer = new RTCPeerConnection({ iceServers: helpers.map((urls) => ({ urls })) });
    peer.addEventListener('icecandidate', ({ candidate }) => {
      if (candidate?.candidate && !over)
        say({ candidate: JSON.stringify({ candidate: candidate.candidate, mid: candidate.sdpMid ?? '0' }) });
    });
    channel = peer.createDataChannel(dataChannelLabel, { ordered: true });
    channel.binaryType = 'arraybuffer';
    attend(channel);
    const offer = await peer.createOffer();
    await peer.setLocalDescription(offer);
    if (!over && offer.sdp !== undefined) say({ offer: offer.sdp });
  }

  function attend(opening: RTCDataChannel): void {
    const join = createReassembler(maxFrameBytes);
    opening.addEventListener('open', () => {
      if (over) return;
      // The last frame on the relay; the device answers in the same way.
      say({ moved: 'direct' });
    });
    opening.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
      const frame = join(new Uint8Array(data));
      if (over || frame === undefined) return;
      if (frame === 'wrong') listener.lost();
      else order.fromDirect(frame);
    });
    opening.addEventListener('close', () => {
      closed.resolve();
      if (isDirect && !over) listener.lost();
    });
  }

  async function take({ answer, candidate }: SessionMessage<'direct'>): Promise<void> {
    if (answer !== undefined) await peer?.setRemoteDescription({ type: 'answer', sdp: answer });
    if (candidate === undefined) return;
    const { candidate: line, mid } = JSON.parse(candidate) as { candidate: string; mid: string };
    await peer?.addIceCandidate({ candidate: line, sdpMid: mid });
  }

  return {
    seek: (helpers) => seek(helpers).catch(() => peer?.close()),
    fromRelay: order.fromRelay,
    silent: async () => (isDirect ? closed.promise : undefined),
    hear(word) {
      if (word.moved === 'direct') {
        order.moved();
        listener.direct();
      } else if (word.failed !== undefined) peer?.close();
      else void take(word).catch(() => {});
    },
    send(frame) {
      if (isDirect) return fragmentFrame(frame).forEach((piece) => channel!.send(piece));
      relay.send(frame);
      if (frame[0] === frameKinds.direct.byte && ++left === moving) isDirect = true;
    },
    buffered: () => (isDirect ? channel!.bufferedAmount : relay.buffered()),
    close() {
      over = true;
      // What was said last still leaves.
      channel?.close();
      if (peer) setTimeout(() => peer?.close(), farewellMs);
      relay.close();
    },
  };
}
