/** Random values from the operating system, and the digests under which secrets are stored. */
import { createHmac, hash, randomBytes, randomFillSync } from 'node:crypto';
import { createApiKey, createDigits, createToken, type RandomBytes } from '../domain/tokens.ts';

export interface Random {
  /** 64 letters and digits. */
  apiKey(): string;
  /** A number of exactly this many digits that does not begin with zero. */
  digits(count: number): string;
  /** 43 URL-safe characters, 256 bits. */
  token(): string;
  bytes(count: number): Uint8Array;
}

/** One byte from the system costs as much as thousands, so they are fetched in advance, and each is used once. */
function createBytePool(size: number): RandomBytes {
  const pool = Buffer.alloc(size);
  let used = size;
  return (count) => {
    if (count > size) return randomBytes(count);
    if (used + count > size) {
      randomFillSync(pool);
      used = 0;
    }
    const given = new Uint8Array(pool.subarray(used, used + count));
    pool.fill(0, used, (used += count));
    return given;
  };
}

const bytes = createBytePool(4_096);

export const random: Random = {
  apiKey: () => createApiKey(bytes),
  digits: (count) => createDigits(bytes, count),
  token: () => createToken(bytes),
  bytes,
};

/** The SHA-256 in hex that is stored instead of a random secret. Not for passwords, because people choose them. */
export function digestOf(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** A short code that only holders of the secret can compute: 132 bits of HMAC-SHA-256. */
export function hmacOf(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url').slice(0, 22);
}
