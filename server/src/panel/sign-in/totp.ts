/** Codes of authenticator apps: RFC 6238 with SHA-1, thirty seconds and six digits, which all apps support. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RandomBytes } from '../../domain/tokens.ts';

const stepSeconds = 30;
const digits = 6;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** How many time steps the clock of a phone may be off in either direction. */
const drift = 1;

/** RFC 4648, without padding. */
export function toBase32(bytes: Uint8Array): string {
  let [text, held, bits] = ['', 0, 0];
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(held >> (bits - 5)) & 31];
  }
  return bits > 0 ? text + alphabet[(held << (5 - bits)) & 31] : text;
}

/** Accepts only what `toBase32` writes. */
export function fromBase32(text: string): Uint8Array {
  const bytes: number[] = [];
  let [held, bits] = [0, 0];
  for (const letter of text) {
    const value = alphabet.indexOf(letter);
    if (value < 0) throw new Error('a stored secret is not base32');
    held = ((held << 5) | value) & 0xfff;
    bits += 5;
    if (bits >= 8) bytes.push((held >> (bits -= 8)) & 255);
  }
  return Uint8Array.from(bytes);
}

/** A new secret: 160 bits, as the RFC recommends for SHA-1. */
export const newTotpSecret = (random: RandomBytes): string => toBase32(random(20));

export const stepAt = (now: number): number => Math.floor(now / stepSeconds);

/** The code of one time step (RFC 4226 with the step as its counter). */
export function codeOfStep(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const number = mac.readUInt32BE(mac[19]! & 15) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** The time step of this code if it is current or next to it. Every step is tried, so that the timing reveals nothing. */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const candidates = Array.from({ length: 2 * drift + 1 }, (_, index) => stepAt(now) + index - drift);
  return candidates.filter((step) => isEqualInConstantTime(codeOfStep(secret, step), code)).at(-1);
}

const isEqualInConstantTime = (one: string, two: string): boolean =>
  timingSafeEqual(Buffer.from(one), Buffer.from(two));

/** The address that an app reads from the QR code. */
export function totpUrl(secret: string, { issuer, email }: { issuer: string; email: string }): string {
  // A colon would end the issuer within the label.
  const name = issuer.replaceAll(':', ' ');
  const label = `${encodeURIComponent(name)}:${encodeURIComponent(email)}`;
  const more = `secret=${secret}&issuer=${encodeURIComponent(name)}`;
  return `otpauth://totp/${label}?${more}&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`;
}
