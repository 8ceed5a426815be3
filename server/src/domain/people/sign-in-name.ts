/** Names of identity providers on the sign-in page: random, so that nobody learns by trying which organisations exist. */

/** Letters and digits that nobody mistakes for one another. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Ten letters (49 bits) from a random token, in the form `abcde-fghjk`. */
export function toSignInName(token: string): string {
  const bytes = Uint8Array.fromBase64(token, { alphabet: 'base64url' });
  let value = bytes.subarray(0, 16).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let name = '';
  for (let index = 0; index < 10; index++) {
    if (index === 5) name += '-';
    name += letters[Number(value % BigInt(letters.length))];
    value /= BigInt(letters.length);
  }
  return name;
}

/** The stored form of what a person entered: any case, with or without the hyphen. */
export const normalizeSignInName = (entered: string): string =>
  entered.toLowerCase().replace(/^([a-z2-9]{5})-?([a-z2-9]{5})$/, '$1-$2');
