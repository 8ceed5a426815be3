/** The direct transport to an operator (WebRTC): answers an offer, carries frames beside the relay, and reports when it has failed. */
import { createReassembler, dataChannelLabel, fragmentFrame } from '@drawbridge/contract/session/direct';
import { maxFrameBytes } from '@drawbridge/contract/session/frame-kinds';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type * as Library from 'node-datachannel';
import type { DataChannel, PeerConnection } from 'node-datachannel';

export interface DirectTransportListener {
  /** Sends a word to the operator over the relay. */
  sendSignal(word: SessionMessage<'direct'>): void;
  onFrame(frame: Uint8Array<ArrayBuffer>): void;
  /** The way is lost, after it was open. */
  onLost(): void;
}

export interface DirectTransport {
  receiveSignal(word: SessionMessage<'direct'>): void;
  /** Resolves when frames can be sent; never, if they never can. */
  opened: Promise<void>;
  send(frame: Uint8Array): void;
  buffered(): number;
  /** Bytes of the frames that went this way so far, in both directions. */
  bytes(): number;
  /** Called when little is left to leave. */
  onDrained(listener: () => void): void;
  close(): void;
}

/** More ways to reach somebody than this are an attack on others. */
const maxCandidates = 24;
const lowWaterBytes = 64 * 1_024;
/** How long what was said last may take to leave; on a slow line that is long. */
const closeTimeoutMs = 10_000;

/** Where a peer helps to find the way through routers, such as `stun:stun.example.com:3478`. */
export type IceServers = readonly string[];

/** Loaded with the first direct way: most sessions of most devices need none. */
let library: Promise<typeof Library> | undefined;

/** The library keeps pointers to channels until they are closed: one that was collected before would crash `cleanup`. */
const channels = new Set<DataChannel>();

/** Lets the library go, whose threads would keep the program from ending. */
export async function unloadDirectTransport(): Promise<void> {
  const loaded = await library;
  loaded?.cleanup();
}

export async function openDirectTransport(
  iceServers: IceServers,
  listener: DirectTransportListener,
): Promise<DirectTransport> {
  library ??= import('node-datachannel');
  const { PeerConnection: Peer } = await library;
  const peer: PeerConnection = new Peer('drawbridge', { iceServers: [...iceServers] });
  let channel: DataChannel | undefined;
  let [open, over, candidates, bytes] = [false, false, 0, 0];
  let drained = (): void => {};
  const opened = Promise.withResolvers<void>();
  const markOpen = (): void => {
    open = true;
    opened.resolve();
  };

  peer.onLocalDescription((sdp, type) => {
    if (!over && type === 'answer') listener.sendSignal({ answer: sdp });
  });
  peer.onLocalCandidate((candidate, mid) => {
    if (!over) listener.sendSignal({ candidate: JSON.stringify({ candidate, mid }) });
  });
  peer.onDataChannel((given) => {
    channels.add(given);
    const isWanted = !over && !channel && given.getLabel() === dataChannelLabel;
    given.onClosed(() => {
      channels.delete(given);
      // After this side has closed it, the connection stays until what was sent last has left.
      if (isWanted && !over) close();
    });
    if (!isWanted) return given.close();
    channel = given;
    const join = createReassembler(maxFrameBytes);
    given.setBufferedAmountLowThreshold(lowWaterBytes);
    given.onBufferedAmountLow(() => drained());
    given.onOpen(markOpen);
    given.onMessage((message) => {
      const frame = typeof message === 'string' ? 'wrong' : join(new Uint8Array(message));
      if (frame === 'wrong') return close();
      if (!frame || over) return;
      bytes += frame.length;
      listener.onFrame(frame);
    });
    if (given.isOpen()) markOpen();
  });

  function close(): void {
    if (over) return;
    over = true;
    peer.close();
    drained();
    if (open) listener.onLost();
  }

  /** Closes the channel after what was sent last, and the connection when the other side has left or after a timeout. */
  function closeGracefully(): void {
    if (over) return;
    over = true;
    peer.onStateChange((state) => {
      if (state !== 'connected') peer.close();
    });
    channel?.close();
    setTimeout(() => peer.close(), closeTimeoutMs).unref();
    drained();
  }

  return {
    receiveSignal({ offer, candidate }) {
      if (offer !== undefined && !attempt(() => peer.setRemoteDescription(offer, 'offer')))
        listener.sendSignal({ failed: 'The device could not read the offer of a direct connection.' });
      // One way that leads nowhere says nothing of the others.
      if (candidate !== undefined && ++candidates <= maxCandidates)
        attempt(() => addCandidate(peer, candidate));
    },
    opened: opened.promise,
    send(frame) {
      if (!channel?.isOpen()) return;
      bytes += frame.length;
      for (const piece of fragmentFrame(frame)) sendPiece(channel, piece);
    },
    bytes: () => bytes,
    buffered: () => (channel?.isOpen() ? channel.bufferedAmount() : 0),
    onDrained: (called) => void (drained = called),
    close: closeGracefully,
  };
}

/** The other side may be closing the way at this moment; that it is closed is told in the next. */
const sendPiece = (channel: DataChannel, piece: Uint8Array): boolean =>
  attempt(() => channel.isOpen() && channel.sendMessageBinary(piece));

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
  // Browsers hide their address behind a name of the local network, which is seldom found, and slowly. It is not needed:
  // the browser comes to the device's own addresses, which it is told.
  if (typeof candidate !== 'string' || typeof mid !== 'string' || candidate.includes('.local ')) return;
  peer.addRemoteCandidate(candidate, mid);
}
