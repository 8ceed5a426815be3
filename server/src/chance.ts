/** The house's randomness, from the operating system, and the digest by which secrets are kept. */
import { hash, randomBytes } from 'node:crypto';
import { apiKeyOf, digitsOf, tokenOf } from './domain/tokens.ts';

export interface Chance {
  /** 64 letters and digits. */
  apiKey(): string;
  /** A number of exactly that many digits, never beginning with a zero. */
  digits(count: number): string;
  /** 43 URL-safe characters, 256 bits. */
  token(): string;
  bytes(count: number): Uint8Array;
}

export const chance: Chance = {
  apiKey: () => apiKeyOf(randomBytes),
  digits: (count) => digitsOf(randomBytes, count),
  token: () => tokenOf(randomBytes),
  bytes: (count) => randomBytes(count),
};

/** What is stored instead of a random secret: SHA-256, in hex. Not for passwords, which people choose. */
export function digestOf(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/**
 * A short code that only those can make who know the secret: 132 bits of SHA-256 around SHA-256. Not HMAC, which costs
 * six times as much here and has its padding for secrets of any length; ours are 43 random characters each.
 */
export function sealOf(secret: string, text: string): string {
  return hash('sha256', secret + hash('sha256', secret + text), 'base64url').slice(0, 22);
}
