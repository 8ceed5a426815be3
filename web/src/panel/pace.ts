/** When something is asked for anew: what comes together is asked for once, never twice at a time, and the longer answers take, the longer is the rest between them. */

/** Changes that come quickly one after the other are asked for once. */
const gatherMs = 150;
/** Between an answer and the next question, where nothing else is said. */
const usualRestMs = 250;
/** The rest in times of what the answer took: at most a third of the time is spent asking. */
const restFactor = 2;
const longestRestMs = 30_000;
/** After a question that failed. */
const failedRestMs = 5_000;

export interface Paced {
  /** Asks; throws when it could not be answered. */
  ask(): Promise<void>;
  now(): number;
  /** Between an answer and the next question, at the least. */
  restMs?: number;
}

export interface Pace {
  /** Something changed: it is asked for after `inMs`, or once a question that is open is answered and the rest is over. */
  soon(inMs?: number): void;
  /** Asks without a rest, as soon as no other question is open; resolves when it is answered, or given up. */
  atOnce(): Promise<void>;
  close(): void;
}

export function createPace({ ask, now, restMs = usualRestMs }: Paced): Pace {
  let [due, restUntil] = [Infinity, -Infinity];
  let [isAsking, isClosed] = [false, false];
  /** Those who wait for the next question. */
  let waiting: (() => void)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function plan(): void {
    clearTimeout(timer);
    if (isAsking || isClosed) return;
    if (waiting.length > 0) void run();
    else if (due < Infinity) timer = setTimeout(() => void run(), Math.max(due, restUntil) - now());
  }

  async function run(): Promise<void> {
    const [answered, began] = [waiting, now()];
    [isAsking, due, waiting] = [true, Infinity, []];
    const hasFailed = await ask().then(
      () => false,
      () => true,
    );
    const rest = Math.min(Math.max(restMs, restFactor * (now() - began)), longestRestMs);
    [isAsking, restUntil] = [false, now() + (hasFailed ? failedRestMs : rest)];
    answered.forEach((tell) => tell());
    plan();
  }

  return {
    soon(inMs = gatherMs) {
      due = Math.min(due, now() + Math.max(0, inMs));
      plan();
    },
    atOnce: () =>
      new Promise((resolve) => {
        if (isClosed) return resolve();
        waiting.push(resolve);
        plan();
      }),
    close() {
      isClosed = true;
      clearTimeout(timer);
      waiting.forEach((tell) => tell());
    },
  };
}
