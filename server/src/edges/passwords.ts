/** Hashes and verifies passwords with argon2id, two at a time; networks take turns, so that guesses do not delay others. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { createFairQueue } from './fair-queue.ts';

/** The cost that OWASP recommends for argon2id: 19 MiB, two passes, one lane. */
const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagBytes = 32;

/** The highest cost that a stored hash may require. */
const maxCost: Cost = { memory: 262_144, passes: 16, parallelism: 16 };

const phcForm =
  /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,86})$/;

interface Cost {
  memory: number;
  passes: number;
  parallelism: number;
}

interface Stored {
  cost: Cost;
  salt: Uint8Array;
  tag: Uint8Array;
}

/**
 * A check takes 25 to 50 ms. At most 32 checks of one network (a /48) wait. During a flood from another network, a check
 * waits for three others: the two that run and one of the flood. If 512 checks wait, the longest queue loses one.
 */
const enqueue = createFairQueue(
  { concurrency: 2, perKey: 32, capacity: 512 },
  fault('busy', {
    code: 'server_busy',
    message: 'Too many passwords are being checked at this moment. Try again in a few seconds.',
    retryAfter: 5,
  }),
);

/** Not a boolean, because a fault could be mistaken for true. */
export type PasswordMatch = 'right' | 'wrong' | Fault<'busy'>;

/** Returns the PHC string to store for a password. `queueKey` is the network or account that waits for it. */
export async function hashPassword(text: string, queueKey: string): Promise<string | Fault<'busy'>> {
  const salt = randomBytes(saltBytes);
  const tag = await derive({ text, cost, salt, tagBytes }, queueKey);
  if (isFault(tag)) return tag;
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toText(salt)}$${toText(tag)}`;
}

/** Returns whether the text is the password of a stored PHC string, in constant time. */
export async function verifyPassword(text: string, phc: string, queueKey: string): Promise<PasswordMatch> {
  const { tag: expected, ...stored } = parse(phc);
  const tag = await derive({ text, ...stored, tagBytes: expected.length }, queueKey);
  if (isFault(tag)) return tag;
  return timingSafeEqual(tag, expected) ? 'right' : 'wrong';
}

/** Takes as long as a real check, so that unknown links and accounts cannot be told from known ones. */
export async function fakeVerify(queueKey: string): Promise<Exclude<PasswordMatch, 'right'>> {
  const tag = await derive({ text: '', cost, salt: new Uint8Array(saltBytes), tagBytes }, queueKey);
  return isFault(tag) ? tag : 'wrong';
}

interface Derivation {
  text: string;
  cost: Cost;
  salt: Uint8Array;
  tagBytes: number;
}

function derive({ text, cost: requestedCost, salt, tagBytes: tagLength }: Derivation, queueKey: string) {
  // Two keyboards may encode the same password differently.
  const message = text.normalize('NFC');
  return enqueue(
    queueKey,
    () =>
      new Promise<Uint8Array>((resolve, reject) => {
        argon2('argon2id', { message, nonce: salt, ...requestedCost, tagLength }, (error, tag) =>
          error === null ? resolve(tag) : reject(error),
        );
      }),
  );
}

function parse(phc: string): Stored {
  const [, memory, passes, parallelism, salt, tag] = phcForm.exec(phc) ?? [];
  if (salt === undefined || tag === undefined) throw new Error('a stored password is no argon2id PHC string');
  const requestedCost = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  };
  if (exceedsMaxCost(requestedCost)) throw new Error('a stored password asks for more work than is allowed');
  return { cost: requestedCost, salt: toBytes(salt), tag: toBytes(tag) };
}

function exceedsMaxCost({ memory, passes, parallelism }: Cost): boolean {
  return memory > maxCost.memory || passes > maxCost.passes || parallelism > maxCost.parallelism;
}

function toText(bytes: Uint8Array): string {
  return bytes.toBase64({ omitPadding: true });
}

function toBytes(text: string): Uint8Array {
  return Uint8Array.fromBase64(text);
}
