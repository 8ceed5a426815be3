/** When the list is asked for anew: a few devices by their ids at once, the whole of it now and then, never two at a time. */

/** At most so many are asked for by their ids. */
export const mostIds = 200;
/** Between two questions for the whole list. */
const wholeEveryMs = 5_000;
/** Changes that come quickly one after the other are asked for once. */
const gatherMs = 150;
/** After a question that failed. */
const pauseMs = 5_000;

export interface Asked {
  /** Asks for these, and takes note of them and of those that are gone. */
  some(ids: readonly number[]): Promise<void>;
  /** `byHand`: somebody waits for it. */
  all(byHand: boolean): Promise<void>;
  now(): number;
}

export interface Askings {
  /** What changed; undefined when all of it may have. */
  changed(ids: readonly number[] | undefined): void;
  /** Asks for the whole list at once; `byHand` when somebody waits for it. */
  again(byHand: boolean): void;
  close(): void;
}

export function createAskings({ some, all, now }: Asked): Askings {
  const wanted = new Set<number>();
  let wholeWanted = false;
  let lastWhole = -Infinity;
  let [isAsking, isClosed, isByHand] = [false, false, false];
  let planned: { timer: ReturnType<typeof setTimeout>; due: number } | undefined;

  function plan(least: number): void {
    if (isAsking || isClosed || (!wholeWanted && wanted.size === 0)) return;
    const due = Math.max(now() + least, wanted.size > 0 ? 0 : lastWhole + wholeEveryMs);
    if (planned && planned.due <= due) return;
    clearTimeout(planned?.timer);
    planned = { timer: setTimeout(() => void ask(), due - now()), due };
  }

  async function ask(): Promise<void> {
    planned = undefined;
    isAsking = true;
    let pause = gatherMs;
    try {
      await (wholeWanted && now() >= lastWhole + wholeEveryMs ? askAll() : askSome());
    } catch {
      // What could not be learned is asked for again; the page goes on with what it has.
      pause = pauseMs;
    }
    isAsking = false;
    plan(pause);
  }

  async function askAll(): Promise<void> {
    lastWhole = now();
    wholeWanted = false;
    wanted.clear();
    const byHand = isByHand;
    isByHand = false;
    await all(byHand).catch((error: unknown) => {
      wholeWanted = true;
      throw error;
    });
  }

  /** Forgotten before they are asked for: what changes meanwhile is asked for once more. */
  async function askSome(): Promise<void> {
    const ids = [...wanted];
    wanted.clear();
    if (ids.length === 0) return;
    await some(ids).catch((error: unknown) => {
      wholeWanted = true;
      throw error;
    });
  }

  return {
    changed(ids) {
      if (ids && ids.length + wanted.size <= mostIds) ids.forEach((id) => wanted.add(id));
      else wholeWanted = true;
      plan(gatherMs);
    },
    again(byHand) {
      [wholeWanted, isByHand, lastWhole] = [true, isByHand || byHand, -Infinity];
      plan(0);
    },
    close() {
      isClosed = true;
      clearTimeout(planned?.timer);
    },
  };
}
