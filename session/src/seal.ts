/** Seals the frames of one direction and opens those of the other: numbered, bound to their kind, under keys that change. */
import type { Bytes } from '@drawbridge/contract/session/binary';
import { frameKinds } from '@drawbridge/contract/session/frame-kinds';
import {
  hkdfLabels,
  nonceOf,
  rekeyFrames,
  rekeySeconds,
  sealKeyBytes,
  tagBytes,
} from '@drawbridge/contract/session/handshake';
import { chain, type MaybePromise } from '@drawbridge/contract/async/maybe-promise';
import type { FrameKey, SessionCrypto } from './ports.ts';

export interface Sealer {
  /** A whole frame. Frames must be sent in the order in which they were sealed. The payload can come in parts. */
  seal(kindByte: number, ...payload: readonly Uint8Array[]): MaybePromise<Bytes>;
  /** Whether a `rekey` frame must be sealed next. */
  isRekeyDue(): boolean;
}

export interface Opener {
  /** The payload of the next frame. Undefined when it is not the next frame of the other side, and for every frame after. */
  open(frame: Uint8Array): MaybePromise<Bytes | undefined>;
}

export interface RekeyPolicy {
  /** Frames under one key. */
  frames?: number;
  /** Milliseconds of a monotonic clock. */
  now(): number;
}

type ImportKey = SessionCrypto['importFrameKey'];

const noSalt: Bytes = new Uint8Array(0);

/** The next key of a direction: it does not reveal the ones before. */
const nextKey = (key: FrameKey, importKey: ImportKey): MaybePromise<FrameKey> =>
  chain(key.derive(noSalt, hkdfLabels.next, sealKeyBytes), importKey);

export function createSealer(
  first: FrameKey,
  importKey: ImportKey,
  { frames = rekeyFrames, now }: RekeyPolicy,
): Sealer {
  let key: MaybePromise<FrameKey> = first;
  let next = 0;
  let lastRekey = { frame: 0, at: now() };
  return {
    isRekeyDue: () => next - lastRekey.frame >= frames - 1 || now() - lastRekey.at >= rekeySeconds * 1_000,
    seal(kindByte, ...payload) {
      const [nonce, current] = [nonceOf(next), key];
      next += 1;
      if (kindByte === frameKinds.rekey.byte) {
        key = chain(current, (old) => nextKey(old, importKey));
        lastRekey = { frame: next, at: now() };
      }
      return chain(current, (each) => each.seal(nonce, kindByte, ...payload));
    },
  };
}

export function createOpener(first: FrameKey, importKey: ImportKey): Opener {
  let key: MaybePromise<FrameKey> = first;
  let previous: MaybePromise<Bytes | undefined> = noSalt;
  let next = 0;
  return {
    open(frame) {
      const [nonce, current, before] = [nonceOf(next), key, previous];
      next += 1;
      const opened = frame.length > tagBytes ? chain(current, (each) => each.open(nonce, frame)) : undefined;
      // Only a genuine frame changes the key.
      if (frame[0] === frameKinds.rekey.byte)
        key = chain(opened, (payload) =>
          payload ? chain(current, (old) => nextKey(old, importKey)) : current,
        );
      previous = chain(before, (intact) => intact && opened);
      return previous;
    },
  };
}
