/** Simulated time: runs events in order, and draws random numbers from a seed. */
import { createEventQueue } from './event-queue.ts';

/** What an event is about. */
const eventKinds = {
  deviceTries: 0,
  deviceGivesUp: 1,
  jobDone: 2,
  leasesDue: 3,
  arrivalsDue: 4,
  requestArrives: 5,
  sessionOpens: 6,
  sessionEnds: 7,
  sessionReturns: 8,
  gatewayStarts: 9,
} as const;

type EventKind = keyof typeof eventKinds;

export interface World {
  /** Seconds since the start. */
  now(): number;
  /** Between 0 and 1. */
  random(): number;
  /** Lets an event happen after that many seconds. */
  after(seconds: number, kind: EventKind, id: number, attempt?: number): void;
  /** Tells what happens at events of a kind. */
  on(kind: EventKind, run: (id: number, attempt: number) => void): void;
  runUntil(seconds: number): void;
}

export function createWorld(seed: number): World {
  const queue = createEventQueue();
  const handlers: ((id: number, attempt: number) => void)[] = [];
  let now = 0;
  return {
    now: () => now,
    random: createRandom(seed),
    after: (seconds, kind, id, attempt = 0) =>
      queue.add({ at: now + seconds, kind: eventKinds[kind], id, attempt }),
    on: (kind, run) => void (handlers[eventKinds[kind]] = run),
    runUntil(seconds) {
      while (queue.nextAt() <= seconds) {
        const event = queue.take()!;
        now = event.at;
        handlers[event.kind]!(event.id, event.attempt);
      }
      now = seconds;
    },
  };
}

/** The generator mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The time until the next of events that happen at this rate, independently of each other. */
export const untilNext = (random: number, perSecond: number): number => -Math.log(1 - random) / perSecond;
