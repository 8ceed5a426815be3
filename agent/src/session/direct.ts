/** The direct way to an operator: answers an offer, carries frames beside the relay, and says when it has failed. */
import { createJoiner, directLabel, piecesOf } from '@drawbridge/contract/session/direct';
import { largestFrame } from '@drawbridge/contract/session/kinds';
import type { Word } from '@drawbridge/contract/session/words';
import type * as Library from 'node-datachannel';
import type { DataChannel, PeerConnection } from 'node-datachannel';

export interface DirectListener {
  /** Sends a word to the operator over the relay. */
  say(word: Word<'direct'>): void;
  onFrame(frame: Uint8Array<ArrayBuffer>): void;
  /** The way is lost, after it was open. */
  onLost(): void;
}

export interface Direct {
  hear(word: Word<'direct'>): void;
  readonly isOpen: boolean;
  send(frame: Uint8Array): void;
  buffered(): number;
  /** Called when little is left to leave. */
  onDrained(listener: () => void): void;
  close(): void;
}

/** More ways to reach somebody than this are an attack on others. */
const mostCandidates = 24;
const littleBytes = 64 * 1_024;

/** Where a peer helps to find the way through routers, such as `stun:stun.example.com:3478`. */
export type Helpers = readonly string[];

/** Loaded with the first direct way: most sessions of most devices need none. */
let library: Promise<typeof Library> | undefined;

/** Lets the library go, whose threads would keep the program from ending. */
export async function forgetDirect(): Promise<void> {
  const loaded = await library;
  loaded?.cleanup();
}

export async function openDirect(helpers: Helpers, listener: DirectListener): Promise<Direct> {
  library ??= import('node-datachannel');
  const { PeerConnection: Peer } = await library;
  const peer: PeerConnection = new Peer('drawbridge', { iceServers: [...helpers] });
  let channel: DataChannel | undefined;
  let [open, over, candidates] = [false, false, 0];
  let drained = (): void => {};

  peer.onLocalDescription((sdp, type) => {
    if (!over && type === 'answer') listener.say({ answer: sdp });
  });
  peer.onLocalCandidate((candidate, mid) => {
    if (!over) listener.say({ candidate: JSON.stringify({ candidate, mid }) });
  });
  peer.onDataChannel((given) => {
    if (over || channel || given.getLabel() !== directLabel) return given.close();
    channel = given;
    const join = createJoiner(largestFrame);
    given.setBufferedAmountLowThreshold(littleBytes);
    given.onBufferedAmountLow(() => drained());
    given.onOpen(() => (open = true));
    given.onMessage((message) => {
      const frame = typeof message === 'string' ? 'wrong' : join(new Uint8Array(message));
      if (frame === 'wrong') return close();
      if (frame && !over) listener.onFrame(frame);
    });
    given.onClosed(() => close());
    if (given.isOpen()) open = true;
  });

  function close(): void {
    if (over) return;
    over = true;
    peer.close();
    drained();
    if (open) listener.onLost();
  }

  return {
    hear({ offer, candidate }) {
      try {
        if (offer !== undefined) peer.setRemoteDescription(offer, 'offer');
        if (candidate !== undefined && ++candidates <= mostCandidates) addCandidate(peer, candidate);
      } catch {
        listener.say({ failed: 'The device could not make sense of it.' });
      }
    },
    get isOpen() {
      return open && !over;
    },
    send(frame) {
      for (const piece of piecesOf(frame)) if (channel?.isOpen()) channel.sendMessageBinary(piece);
    },
    buffered: () => (channel?.isOpen() ? channel.bufferedAmount() : 0),
    onDrained: (called) => void (drained = called),
    close() {
      open = false;
      close();
    },
  };
}

function addCandidate(peer: PeerConnection, text: string): void {
  const { candidate, mid } = JSON.parse(text) as { candidate?: unknown; mid?: unknown };
  if (typeof candidate === 'string' && typeof mid === 'string') peer.addRemoteCandidate(candidate, mid);
}
