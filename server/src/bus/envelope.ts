/**
 * Messages between nodes, encrypted and authenticated with keys of the store. A message is accepted once, for a short
 * time, and only on the subject that it was sealed for.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A key that every node of the deployment holds. */
export interface BusKey {
  id: number;
  secret: Buffer;
}

export interface EnvelopeOptions {
  /** The key for new messages. */
  newest(): BusKey;
  /** Undefined if this node does not hold the key. */
  find(id: number): BusKey | undefined;
  /** The time of the store in seconds, which all nodes share. */
  now(): number;
}

export interface Envelopes {
  seal(subject: string, message: unknown): Buffer;
  /** Undefined if the message is forged, too old, or was opened before. */
  open(subject: string, sealed: Uint8Array): { message: unknown } | 'unknown key' | undefined;
}

/** How much older or newer than this node's time a message may be. */
const acceptedSeconds = 30;
/** The clocks of two nodes may differ by this much. */
export const clockSlackSeconds = 2;

const algorithm = 'aes-256-gcm';
const format = 1;
const ivBytes = 12;
const tagBytes = 16;
/** Format, key and time. */
const fixedBytes = 1 + 4 + 6;
const headBytes = fixedBytes + ivBytes + tagBytes;

export function createEnvelopes(options: EnvelopeOptions): Envelopes {
  const notBefore = options.now() - clockSlackSeconds;
  const opened = createSeenSet(options.now);
  return {
    seal: (subject, message) => seal(options, subject, message),
    open(subject, sealed) {
      const parts = split(sealed);
      if (!parts) return undefined;
      const age = options.now() - parts.time;
      // What was sent before this node started was not meant for it, and it does not know whether it was opened then.
      if (Math.abs(age) > acceptedSeconds || parts.time < notBefore) return undefined;
      const key = options.find(parts.keyId);
      if (!key) return 'unknown key';
      const text = decrypt(key, subject, parts);
      if (text === undefined || !opened.add(parts.iv.toString('latin1'))) return undefined;
      return { message: JSON.parse(text) ?? undefined };
    },
  };
}

function seal({ newest, now }: EnvelopeOptions, subject: string, message: unknown): Buffer {
  const { id, secret } = newest();
  const fixed = Buffer.alloc(fixedBytes);
  fixed.writeUInt8(format, 0);
  fixed.writeUInt32BE(id, 1);
  fixed.writeUIntBE(now(), 5, 6);
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, secret, iv).setAAD(associatedData(fixed, subject));
  const text = cipher.update(JSON.stringify(message ?? null), 'utf8');
  const end = cipher.final();
  return Buffer.concat([fixed, iv, cipher.getAuthTag(), text, end]);
}

interface Parts {
  keyId: number;
  time: number;
  fixed: Buffer;
  iv: Buffer;
  tag: Buffer;
  text: Buffer;
}

function split(sealed: Uint8Array): Parts | undefined {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  if (bytes.length < headBytes || bytes.readUInt8(0) !== format) return undefined;
  return {
    keyId: bytes.readUInt32BE(1),
    time: bytes.readUIntBE(5, 6),
    fixed: bytes.subarray(0, fixedBytes),
    iv: bytes.subarray(fixedBytes, fixedBytes + ivBytes),
    tag: bytes.subarray(fixedBytes + ivBytes, headBytes),
    text: bytes.subarray(headBytes),
  };
}

function decrypt({ secret }: BusKey, subject: string, { fixed, iv, tag, text }: Parts): string | undefined {
  const decipher = createDecipheriv(algorithm, secret, iv, { authTagLength: tagBytes })
    .setAAD(associatedData(fixed, subject))
    .setAuthTag(tag);
  try {
    return decipher.update(text, undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined; // forged, or sealed for another subject
  }
}

const associatedData = (fixed: Buffer, subject: string): Buffer =>
  Buffer.concat([fixed, Buffer.from(subject)]);

/** Remembers what was opened for as long as it would be accepted. Only authentic messages get here. */
function createSeenSet(now: () => number): { add(id: string): boolean } {
  // A message is accepted from so long before its time until so long after it.
  const keptSeconds = 2 * acceptedSeconds + 1;
  let [current, previous, since] = [new Set<string>(), new Set<string>(), now()];
  return {
    add(id) {
      if (now() - since >= keptSeconds) [previous, current, since] = [current, new Set(), now()];
      if (current.has(id) || previous.has(id)) return false;
      current.add(id);
      return true;
    },
  };
}
