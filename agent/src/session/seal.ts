/** The seal of a session's frames: numbered, bound to their kind, under keys that change by count and by time. */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import {
  sealKeyBytes,
  hkdfLabels,
  nonceOf,
  rekeyFrames,
  rekeySeconds,
  tagBytes,
} from '@drawbridge/contract/session/handshake';
import { frameKindOf, frameKinds, type FrameKindName } from '@drawbridge/contract/session/frame-kinds';

export interface SessionKeys {
  /** Of the frames this side sends. */
  send: Uint8Array;
  /** Of those it receives. */
  receive: Uint8Array;
}

export interface OpenedFrame {
  kind: FrameKindName;
  payload: Buffer;
}

export interface Seal {
  /** The frames to send: the sealed one, and before it a `rekey` when it is time for the next key. */
  close(kind: FrameKindName, payload: Uint8Array): Buffer[];
  /** Undefined when the frame is not the next one of the other side, whole and unchanged: nothing of it counts then. */
  open(frame: Uint8Array): OpenedFrame | undefined;
}

const cipher = 'aes-256-gcm';

/** The next key of a direction: who learns it does not learn what went before. */
export const nextKey = (key: Uint8Array): Buffer =>
  Buffer.from(hkdfSync('sha256', key, new Uint8Array(0), hkdfLabels.next, sealKeyBytes));

/** When this side takes its next key: after so many frames, or so long by a clock that never goes back, in milliseconds. */
export interface RekeyPolicy {
  frames: number;
  now(): number;
}

const defaultPolicy: RekeyPolicy = { frames: rekeyFrames, now: () => performance.now() };

export function createSeal(keys: SessionKeys, policy: Partial<RekeyPolicy> = {}): Seal {
  const close = createSealer(keys.send, { ...defaultPolicy, ...policy });
  const open = createOpener(keys.receive);
  return { close, open };
}

function createSealer(first: Uint8Array, { frames: most, now }: RekeyPolicy): Seal['close'] {
  let [key, number] = [first, 0];
  let [framesUnderKey, since] = [0, now()];
  const seal = (kind: FrameKindName, payload: Uint8Array): Buffer => {
    const head = Buffer.from([frameKinds[kind].byte]);
    const sealing = createCipheriv(cipher, key, nonceOf(number), { authTagLength: tagBytes });
    sealing.setAAD(head);
    number += 1;
    framesUnderKey += 1;
    return Buffer.concat([head, sealing.update(payload), sealing.final(), sealing.getAuthTag()]);
  };
  const isDue = (): boolean => framesUnderKey >= most - 1 || now() - since >= rekeySeconds * 1_000;
  return (kind, payload) => {
    const frames: Buffer[] = [];
    if (isDue()) {
      frames.push(seal('rekey', new Uint8Array(0)));
      [key, framesUnderKey, since] = [nextKey(key), 0, now()];
    }
    frames.push(seal(kind, payload));
    return frames;
  };
}

function createOpener(first: Uint8Array): Seal['open'] {
  let [key, number] = [first, 0];
  return (frame) => {
    const kind = frameKindOf(frame[0]);
    if (kind === undefined || frame.length < 1 + tagBytes) return undefined;
    const payload = opened(frame, key, number);
    if (!payload) return undefined;
    number += 1;
    if (kind === 'rekey') key = nextKey(key);
    return { kind, payload };
  };
}

function opened(frame: Uint8Array, key: Uint8Array, number: number): Buffer | undefined {
  const opening = createDecipheriv(cipher, key, nonceOf(number), { authTagLength: tagBytes });
  opening.setAAD(frame.subarray(0, 1));
  opening.setAuthTag(frame.subarray(frame.length - tagBytes));
  try {
    const text = opening.update(frame.subarray(1, frame.length - tagBytes));
    opening.final();
    return text;
  } catch {
    return undefined;
  }
}
