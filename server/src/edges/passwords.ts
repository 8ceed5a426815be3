/** Passwords that people choose: argon2id, two at a time and in turn by network, so that guessing is dear and holds up nobody else. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { createFairQueue, QueueFull } from './fair-queue.ts';

/** OWASP's figures for argon2id: 19 MiB, two passes, one lane. */
const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagBytes = 32;

/** What a stored hash may ask of this machine, however it came to be stored. */
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
 * A check takes 25 to 50 ms. From one network (a /48) at most 32 wait, and behind a flood from another network one waits for
 * three checks: the two that run and one of the flood. When all 512 places are taken, the longest queue gives one up.
 */
const enqueue = createFairQueue({ concurrency: 2, perKey: 32, capacity: 512 });

/**
 * The PHC string to store for a password. `queueKey` names who waits for it: a network, or an account. Rejects when too
 * many wait: see `orBusy`.
 */
export async function hashPassword(text: string, queueKey: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const tag = await derive({ text, cost, salt, tagBytes }, queueKey);
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toText(salt)}$${toText(tag)}`;
}

/** Whether the text is the password behind a stored PHC string; the answer takes as long for a near miss as for a far one. */
export async function verifyPassword(text: string, phc: string, queueKey: string): Promise<boolean> {
  const { tag: expected, ...stored } = parse(phc);
  const tag = await derive({ text, ...stored, tagBytes: expected.length }, queueKey);
  return timingSafeEqual(tag, expected);
}

/** Spends the time of a check where there is nothing to check, so that an unknown link answers like a known one. */
export async function fakeVerify(queueKey: string): Promise<false> {
  await derive({ text: '', cost, salt: new Uint8Array(saltBytes), tagBytes }, queueKey);
  return false;
}

/**
 * What the work says, or that somebody is to come back later because too many wait.
 *
 * A full queue is thrown rather than answered by the checks themselves: an answer that is neither yes nor no
 * could be taken for a yes.
 */
export async function orBusy<T>(work: () => Promise<T>): Promise<T | Fault<'busy'>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof QueueFull) return serverBusy;
    throw error;
  }
}

const serverBusy = fault('busy', {
  code: 'server_busy',
  message: 'Too many passwords are being checked at this moment. Try again in a few seconds.',
  retryAfter: 5,
});

interface Derivation {
  text: string;
  cost: Cost;
  salt: Uint8Array;
  tagBytes: number;
}

function derive({ text, cost: requestedCost, salt, tagBytes: tagLength }: Derivation, queueKey: string) {
  // Two keyboards may compose the same password differently.
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
