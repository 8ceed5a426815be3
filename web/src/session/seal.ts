/** Seals the frames of one direction and opens those of the other, strictly in order, although the browser works on several at once. */
import {
  codeBytes,
  sealKeyBytes,
  hkdfLabels,
  nonceOf,
  readableCode,
  rekeyFrames,
  rekeySeconds,
} from '@drawbridge/contract/session/handshake';
import { frameKinds } from '@drawbridge/contract/session/frame-kinds';
import { derive, sha256, type BufferBytes } from './keys.ts';

/** The key of a direction, twice: to seal with, and to derive the next from. */
export interface DirectionKey {
  cipher: CryptoKey;
  root: CryptoKey;
}

export interface Secrets {
  operator: DirectionKey;
  device: DirectionKey;
  /** For people to compare. */
  code: string;
}

export interface Sealer {
  /** A whole frame. The order of the calls is the order in which they are to be sent. */
  seal(byte: number, payload: BufferBytes): Promise<BufferBytes>;
  /** Whether a `rekey` frame is to be sealed next. */
  isDue(): boolean;
}

export interface Opener {
  /** The payload of the next frame. Rejects when it does not open, and from then on always. */
  open(frame: BufferBytes): Promise<BufferBytes>;
}

const noSalt: BufferBytes = new Uint8Array(0);

async function toKey(bytes: BufferBytes): Promise<DirectionKey> {
  const cipher = crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
  const root = crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveBits']);
  const key = { cipher: await cipher, root: await root };
  bytes.fill(0);
  return key;
}

const nextKey = async ({ root }: DirectionKey): Promise<DirectionKey> =>
  toKey(await derive(root, noSalt, hkdfLabels.next, sealKeyBytes));

/** What both sides derive from their common secret and from what was said in the open. */
export async function deriveSecrets(sharedSecret: CryptoKey, transcript: BufferBytes): Promise<Secrets> {
  const salt = await sha256(transcript);
  const both = await derive(sharedSecret, salt, hkdfLabels.keys, 2 * sealKeyBytes);
  const [operator, device] = [
    await toKey(both.slice(0, sealKeyBytes)),
    await toKey(both.slice(sealKeyBytes)),
  ];
  both.fill(0);
  return {
    operator,
    device,
    code: readableCode(await derive(sharedSecret, salt, hkdfLabels.code, codeBytes)),
  };
}

const algorithm = (frame: number, byte: number) => ({
  name: 'AES-GCM',
  iv: nonceOf(frame),
  additionalData: Uint8Array.of(byte),
});

function frameOf(byte: number, sealed: ArrayBuffer): BufferBytes {
  const frame = new Uint8Array(1 + sealed.byteLength);
  frame[0] = byte;
  frame.set(new Uint8Array(sealed), 1);
  return frame;
}

/** `now` tells milliseconds. */
export function createSealer(first: DirectionKey, now: () => number): Sealer {
  let key = Promise.resolve(first);
  let next = 0;
  let lastRekey = { frame: 0, at: now() };
  return {
    isDue: () => next - lastRekey.frame >= rekeyFrames - 1 || now() - lastRekey.at >= rekeySeconds * 1_000,
    async seal(byte, payload) {
      const [params, current] = [algorithm(next, byte), key];
      next += 1;
      if (byte === frameKinds.rekey.byte) {
        key = current.then(nextKey);
        lastRekey = { frame: next, at: now() };
      }
      return frameOf(byte, await crypto.subtle.encrypt(params, (await current).cipher, payload));
    },
  };
}

export function createOpener(first: DirectionKey): Opener {
  let key = Promise.resolve(first);
  let last: Promise<unknown> = Promise.resolve();
  let next = 0;
  return {
    open(frame) {
      const byte = frame[0] ?? 0;
      const [params, current] = [algorithm(next, byte), key];
      next += 1;
      const opened = current.then(({ cipher }) => crypto.subtle.decrypt(params, cipher, frame.subarray(1)));
      // Whoever can not make a frame can not turn the key either.
      if (byte === frameKinds.rekey.byte) key = opened.then(async () => nextKey(await current));
      const inOrder = last.then(async () => new Uint8Array(await opened));
      for (const promise of [opened, key, inOrder]) promise.catch(() => {});
      last = inOrder;
      return inOrder;
    },
  };
}
