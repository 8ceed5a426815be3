/** The format of secrets: keys, codes and link tokens, each a function of the random bytes passed in. */

/** Returns that many bytes, each value equally likely. */
export type RandomBytes = (count: number) => Uint8Array;

const keyAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const digits = '0123456789';
const leadingDigits = '123456789';

/** An API key: 64 letters and digits, 381 bits. */
export function createApiKey(random: RandomBytes): string {
  return pick(random, keyAlphabet, 64);
}

/** A number of exactly that many digits, such as 100000000 to 999999999 for nine. */
export function createDigits(random: RandomBytes, count: number): string {
  return pick(random, leadingDigits, 1) + pick(random, digits, count - 1);
}

/** The code that a client types in: nine digits, the first of which is not zero. */
export function createInviteCode(random: RandomBytes): string {
  return createDigits(random, 9);
}

/** The secret part of a link: 32 random bytes as 43 characters that need no escaping in a URL. */
export function createToken(random: RandomBytes): string {
  return random(32).toBase64({ alphabet: 'base64url', omitPadding: true });
}

/**
 * Discards bytes beyond the last whole multiple of the alphabet, because taking them modulo would favour its first
 * letters.
 */
function pick(random: RandomBytes, alphabet: string, length: number): string {
  const fair = 256 - (256 % alphabet.length);
  let picked = '';
  while (picked.length < length) {
    for (const byte of random(length - picked.length)) {
      if (byte < fair) picked += alphabet[byte % alphabet.length];
    }
  }
  return picked;
}
