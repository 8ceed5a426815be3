/** A queue for costly work in which lines take turns: who sends a thousand pieces waits for the thousand, and nobody else does. */

export interface QueueLimits {
  /** How many pieces of work run at the same time. */
  atOnce: number;
  /** How many wait in one line. */
  perLine: number;
  /** How many wait in all lines together. */
  waiting: number;
}

/** Runs work when its line has its turn. Rejects with a QueueFull where there is no room for it. */
export type FairQueue = <T>(line: string, work: () => Promise<T>) => Promise<T>;

export class QueueFull extends Error {}

interface Waiter {
  admit(): void;
  turnAway(): void;
}

export function createFairQueue({ atOnce, perLine, waiting }: QueueLimits): FairQueue {
  // In the order of their turns: a line that had one goes to the end, or leaves when nobody waits in it.
  const lines = new Map<string, Waiter[]>();
  let [running, count] = [0, 0];

  /** Makes room in a full queue at the cost of the longest line; false where that would be the line itself. */
  function makeRoom(own: number): boolean {
    let longest: Waiter[] = [];
    for (const line of lines.values()) if (line.length > longest.length) longest = line;
    // One more would make the line itself the longest, or as long: then it is the one that must wait.
    if (own + 1 >= longest.length) return false;
    count -= 1;
    longest.pop()!.turnAway();
    return true;
  }

  function wait(name: string): Promise<void> {
    const line = lines.get(name) ?? [];
    if (line.length >= perLine || (count >= waiting && !makeRoom(line.length)))
      return Promise.reject(new QueueFull(`no room in the queue for ${name}`));
    lines.set(name, line);
    count += 1;
    return new Promise((resolve, reject) => {
      line.push({ admit: resolve, turnAway: () => reject(new QueueFull(`${name} had to make room`)) });
    });
  }

  /** Hands the place of finished work to the line whose turn it is. */
  function next(): void {
    const [first] = lines;
    if (!first) {
      running -= 1;
      return;
    }
    const [name, line] = first;
    const waiter = line.shift()!;
    count -= 1;
    lines.delete(name);
    if (line.length > 0) lines.set(name, line);
    waiter.admit();
  }

  return async (line, work) => {
    if (running < atOnce) running += 1;
    else await wait(line);
    try {
      return await work();
    } finally {
      next();
    }
  };
}
