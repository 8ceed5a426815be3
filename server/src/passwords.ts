/** Passwords that people choose: argon2id, two at a time, so that guessing is dear and never starves the house. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';

/** OWASP's figures for argon2id: 19 MiB, two passes, one lane. */
const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagBytes = 32;

/** What a stored hash may ask of this machine, however it came to be stored. */
const dearest: Cost = { memory: 262_144, passes: 16, parallelism: 16 };

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

const inTurn = createTurns({ atOnce: 2, waiting: 1_000 });

/** The PHC string to store for a password. Rejects when too many wait: see `unlessCrowded`. */
export async function hashPassword(text: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const tag = await derive(text, cost, salt, tagBytes);
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toText(salt)}$${toText(tag)}`;
}

/** Whether the text is the password behind a stored PHC string; the answer takes as long for a near miss as for a far one. */
export async function verifyPassword(text: string, phc: string): Promise<boolean> {
  const stored = parse(phc);
  const tag = await derive(text, stored.cost, stored.salt, stored.tag.length);
  return timingSafeEqual(tag, stored.tag);
}

/** Spends the time of a check where there is nothing to check, so that an unknown link answers like a known one. */
export async function burnPassword(): Promise<false> {
  await derive('', cost, new Uint8Array(saltBytes), tagBytes);
  return false;
}

/**
 * What the work says, or that somebody is to come back later because too many wait.
 *
 * A full queue is thrown rather than answered by the checks themselves: an answer that is neither yes nor no
 * could be taken for a yes.
 */
export async function unlessCrowded<T>(work: () => Promise<T>): Promise<T | Fault<'busy'>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && error.cause === tooManyWaiting) return crowded;
    throw error;
  }
}

const tooManyWaiting = Symbol('too many waiting');
const crowded = fault('busy', {
  code: 'server_busy',
  message: 'Too many people are signing in at this moment. Try again in a minute.',
});

/** Lets only so many pieces of work run at once; the others wait in order, and past the limit they are turned away. */
export function createTurns(limits: {
  atOnce: number;
  waiting: number;
}): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= limits.atOnce) {
      if (queue.length >= limits.waiting)
        throw new Error('too many passwords are waiting', { cause: tooManyWaiting });
      await new Promise<void>((admit) => queue.push(admit));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      // Who waits first inherits the place, so that nobody who comes in between can take it.
      const admitNext = queue.shift();
      if (admitNext === undefined) running -= 1;
      else admitNext();
    }
  };
}

function derive(text: string, { memory, passes, parallelism }: Cost, nonce: Uint8Array, tagLength: number) {
  // Two keyboards may compose the same password differently.
  const message = text.normalize('NFC');
  return inTurn(
    () =>
      new Promise<Uint8Array>((resolve, reject) => {
        argon2('argon2id', { message, nonce, memory, passes, parallelism, tagLength }, (error, tag) =>
          error === null ? resolve(tag) : reject(error),
        );
      }),
  );
}

function parse(phc: string): Stored {
  const [, memory, passes, parallelism, salt, tag] = phcForm.exec(phc) ?? [];
  if (salt === undefined || tag === undefined) throw new Error('a stored password is no argon2id PHC string');
  const asked = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  };
  if (isTooDear(asked)) throw new Error('a stored password asks for more work than is allowed');
  return { cost: asked, salt: toBytes(salt), tag: toBytes(tag) };
}

function isTooDear({ memory, passes, parallelism }: Cost): boolean {
  return memory > dearest.memory || passes > dearest.passes || parallelism > dearest.parallelism;
}

function toText(bytes: Uint8Array): string {
  return bytes.toBase64({ omitPadding: true });
}

function toBytes(text: string): Uint8Array {
  return Uint8Array.fromBase64(text);
}
