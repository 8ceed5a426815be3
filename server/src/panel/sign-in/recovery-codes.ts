/** Recovery codes for people who lost their phone. Each works once; only their digests are stored. */
import type { RandomBytes } from '../../domain/tokens.ts';
import { digestOf } from '../../edges/random.ts';

const recoveryCount = 10;

/** 32 characters that are hard to confuse with one another; twelve of them are 60 bits. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const length = 12;

const newRecoveryCode = (random: RandomBytes): string =>
  [...random(length)]
    .map((byte) => alphabet[byte & 31])
    .join('')
    .replaceAll(/(.{4})(?=.)/g, '$1-');

/** As people see them: `abcd-efgh-ijkm`. */
export const newRecoveryCodes = (random: RandomBytes): string[] =>
  Array.from({ length: recoveryCount }, () => newRecoveryCode(random));

/** The digest of a code as typed; undefined if it cannot be one. It differs from person to person. */
export function recoveryDigest(memberId: number, typed: string): string | undefined {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '');
  return code.length === length && [...code].every((sign) => alphabet.includes(sign))
    ? digestOf(`recovery:${memberId}:${code}`)
    : undefined;
}
