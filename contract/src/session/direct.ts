/**
 * The direct connection between operator and device: a WebRTC data channel that carries the same sealed frames as the relay.
 *
 * A side that switches announces it in its last frame on the relay and sends its next frame on the data channel. The receiver
 * buffers frames that arrive there earlier, so that frames are opened in the order in which they were sealed.
 */

/** Name of the data channel, which is ordered and reliable. */
export const dataChannelLabel = 'drawbridge.session';

/** Not every WebRTC implementation supports larger messages. */
export const maxFragmentBytes = 60 * 1_024;
/** Limit for data that arrives before the other side has announced its switch. */
export const maxBufferedBytes = 4 * 1_024 * 1_024;

const [more, last] = [0, 1];

/** Splits a frame into fragments, each with a byte that tells whether it is the last. */
export function fragmentFrame(frame: Uint8Array): Uint8Array<ArrayBuffer>[] {
  const fragments: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < frame.length; at += maxFragmentBytes) {
    const part = frame.subarray(at, at + maxFragmentBytes);
    const fragment = new Uint8Array(1 + part.length);
    fragment[0] = at + maxFragmentBytes < frame.length ? more : last;
    fragment.set(part, 1);
    fragments.push(fragment);
  }
  return fragments;
}

/** Reassembles frames. Returns undefined until the last fragment has arrived, and `'wrong'` for a malformed or oversized one. */
export function createReassembler(
  largest: number,
): (fragment: Uint8Array) => Uint8Array<ArrayBuffer> | 'wrong' | undefined {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  return (fragment) => {
    const [mark] = fragment;
    if (fragment.length < 2 || (mark !== more && mark !== last) || bytes + fragment.length > largest + 1)
      return 'wrong';
    parts.push(fragment.slice(1));
    bytes += fragment.length - 1;
    if (mark === more) return undefined;
    const frame = new Uint8Array(bytes);
    parts.reduce((at, part) => (frame.set(part, at), at + part.length), 0);
    [parts, bytes] = [[], 0];
    return frame;
  };
}

export interface FrameSequencer {
  fromRelay(frame: Uint8Array<ArrayBuffer>): void;
  fromDirect(frame: Uint8Array<ArrayBuffer>): void;
  /** The other side has announced its switch to the direct connection. */
  moved(): void;
}

/** Delivers the other side's frames in the order in which they were sealed, whichever transport they came over. */
export function createFrameSequencer(
  deliver: (frame: Uint8Array<ArrayBuffer>) => void,
  wrong: (why: string) => void,
): FrameSequencer {
  const buffered: Uint8Array<ArrayBuffer>[] = [];
  let bufferedBytes = 0;
  let isDirect = false;
  return {
    fromRelay: (frame) =>
      isDirect ? wrong('a frame arrived on the transport that was left') : deliver(frame),
    fromDirect(frame) {
      if (isDirect) return deliver(frame);
      bufferedBytes += frame.length;
      if (bufferedBytes > maxBufferedBytes)
        return wrong('too much data arrived on a transport that is not in use yet');
      buffered.push(frame);
    },
    moved() {
      if (isDirect) return wrong('the other side switched the transport twice');
      isDirect = true;
      for (const frame of buffered.splice(0)) deliver(frame);
    },
  };
}
