/** When the list is asked for anew: a few devices by their ids at once, the whole of it now and then, never two at a time. */
import { createRefreshScheduler } from '../pace.ts';

/** At most so many are asked for by their ids. */
export const mostIds = 200;
/** Between two questions for the whole list. */
const wholeEveryMs = 5_000;

export interface Asked {
  /** Asks for these, and takes note of them and of those that are gone. */
  some(ids: readonly number[]): Promise<void>;
  /** `byHand`: somebody waits for it. */
  all(byHand: boolean): Promise<void>;
  now(): number;
}

export interface Askings {
  /** What changed; undefined when all of it may have. */
  invalidate(ids: readonly number[] | undefined): void;
  /** Asks for the whole list at once; `byHand` when somebody waits for it. */
  again(byHand: boolean): Promise<void>;
  close(): void;
}

export function createAskings({ some, all, now }: Asked): Askings {
  const wanted = new Set<number>();
  let [wholeWanted, isByHand] = [false, false];
  let lastWhole = -Infinity;

  /** What could not be learned is asked for again; the page goes on with what it has. */
  async function refresh(): Promise<void> {
    try {
      await (wholeWanted && now() >= lastWhole + wholeEveryMs ? askAll() : askSome());
    } catch (error) {
      wholeWanted = true;
      throw error;
    } finally {
      plan();
    }
  }

  const scheduler = createRefreshScheduler({ refresh, now });
  function plan(): void {
    if (wanted.size > 0) scheduler.schedule();
    else if (wholeWanted) scheduler.schedule(lastWhole + wholeEveryMs - now());
  }

  /** Forgotten before they are asked for: what changes meanwhile is asked for once more. */
  function askAll(): Promise<void> {
    const byHand = isByHand;
    [lastWhole, wholeWanted, isByHand] = [now(), false, false];
    wanted.clear();
    return all(byHand);
  }

  async function askSome(): Promise<void> {
    const ids = [...wanted];
    wanted.clear();
    if (ids.length > 0) await some(ids);
  }

  return {
    invalidate(ids) {
      if (ids && ids.length + wanted.size <= mostIds) ids.forEach((id) => wanted.add(id));
      else wholeWanted = true;
      plan();
    },
    again(byHand) {
      [wholeWanted, isByHand, lastWhole] = [true, isByHand || byHand, -Infinity];
      return scheduler.runNow();
    },
    close: () => scheduler.close(),
  };
}
