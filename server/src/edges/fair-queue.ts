/** A queue for costly work in which queues take turns: who sends a thousand pieces waits for the thousand, and nobody else does. */

export interface QueueLimits {
  /** How many pieces of work run at the same time. */
  concurrency: number;
  /** How many wait in one queue. */
  perKey: number;
  /** How many wait in all queues together. */
  capacity: number;
}

/** Runs work when its queue has its turn. Rejects with a QueueFull where there is no room for it. */
export type FairQueue = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export class QueueFull extends Error {}

interface Waiter {
  admit(): void;
  evict(): void;
}

export function createFairQueue({
  concurrency: atOnce,
  perKey: perLine,
  capacity: waiting,
}: QueueLimits): FairQueue {
  // In the order of their turns: a queue that had one goes to the end, or leaves when nobody waits in it.
  const queues = new Map<string, Waiter[]>();
  let [running, count] = [0, 0];

  /** Makes room in a full queue at the cost of the longest queue; false where that would be the queue itself. */
  function makeRoom(own: number): boolean {
    let longest: Waiter[] = [];
    for (const queue of queues.values()) if (queue.length > longest.length) longest = queue;
    // One more would make the queue itself the longest, or as long: then it is the one that must wait.
    if (own + 1 >= longest.length) return false;
    count -= 1;
    longest.pop()!.evict();
    return true;
  }

  function wait(name: string): Promise<void> {
    const queue = queues.get(name) ?? [];
    if (queue.length >= perLine || (count >= waiting && !makeRoom(queue.length)))
      return Promise.reject(new QueueFull(`no room in the queue for ${name}`));
    queues.set(name, queue);
    count += 1;
    return new Promise((resolve, reject) => {
      queue.push({ admit: resolve, evict: () => reject(new QueueFull(`${name} had to make room`)) });
    });
  }

  /** Hands the place of finished work to the queue whose turn it is. */
  function next(): void {
    const [first] = queues;
    if (!first) {
      running -= 1;
      return;
    }
    const [name, queue] = first;
    const waiter = queue.shift()!;
    count -= 1;
    queues.delete(name);
    if (queue.length > 0) queues.set(name, queue);
    waiter.admit();
  }

  return async (key, work) => {
    if (running < atOnce) running += 1;
    else await wait(key);
    try {
      return await work();
    } finally {
      next();
    }
  };
}
