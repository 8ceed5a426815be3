/** A queue for costly work with one queue per key, which take turns: a key with a thousand tasks delays only itself. */

export interface QueueLimits {
  /** How many tasks run at the same time. */
  concurrency: number;
  /** How many tasks of one key can wait. */
  perKey: number;
  /** How many tasks can wait in total. */
  capacity: number;
}

/** Runs the work when it is its key's turn. Resolves to `full` without running it if too many tasks wait. */
export type FairQueue<Full> = <T>(key: string, work: () => Promise<T>) => Promise<T | Full>;

interface Waiter {
  /** False if the task has to make room for one of another key. */
  settle(isAdmitted: boolean): void;
}

interface State {
  limits: QueueLimits;
  /** By key, in the order of their turns: a queue that had its turn moves to the end, and an empty one is removed. */
  queues: Map<string, Waiter[]>;
  running: number;
  waiting: number;
}

export function createFairQueue<Full>(limits: QueueLimits, full: Full): FairQueue<Full> {
  const state: State = { limits, queues: new Map(), running: 0, waiting: 0 };
  return async (key, work) => {
    if (state.running < limits.concurrency) state.running += 1;
    else if (!(await waitForTurn(state, key))) return full;
    try {
      return await work();
    } finally {
      admitNext(state);
    }
  };
}

/** Resolves to whether the task may run. */
async function waitForTurn(state: State, key: string): Promise<boolean> {
  const { queues, limits } = state;
  const queue = queues.get(key) ?? [];
  const isFull = state.waiting >= limits.capacity;
  if (queue.length >= limits.perKey || (isFull && !evictFromLongest(state, queue.length))) return false;
  queues.set(key, queue);
  state.waiting += 1;
  return new Promise((settle) => void queue.push({ settle }));
}

/** Evicts the last task of the longest queue for one of a queue with `own` tasks. Returns false if that is not shorter. */
function evictFromLongest(state: State, own: number): boolean {
  let longest: Waiter[] = [];
  for (const queue of state.queues.values()) if (queue.length > longest.length) longest = queue;
  // With one more task its own queue would be as long as the longest: then the newcomer is refused.
  if (own + 1 >= longest.length) return false;
  state.waiting -= 1;
  longest.pop()!.settle(false);
  return true;
}

/** Passes the slot of finished work to the queue whose turn it is. */
function admitNext(state: State): void {
  const { queues } = state;
  const [first] = queues;
  if (!first) {
    state.running -= 1;
    return;
  }
  const [key, queue] = first;
  const waiter = queue.shift()!;
  state.waiting -= 1;
  queues.delete(key);
  if (queue.length > 0) queues.set(key, queue);
  waiter.settle(true);
}
