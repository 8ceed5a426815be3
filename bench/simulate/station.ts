/** A queue with one server: what a processor or a database works on, first come, first served. */
import type { World } from './world.ts';

export interface StationJob {
  /** In seconds. */
  cost: number;
  /** False if nobody waits for it any more: it is then left out and costs nothing. */
  isWanted(): boolean;
  done(): void;
}

export interface Station {
  add(job: StationJob): void;
  /** Drops everything. */
  clear(): void;
  /** The seconds of work that wait. */
  backlog(): number;
  /** The share of the time since the last call that it worked. */
  takeUse(): number;
}

/** Creates stations whose jobs end in one world. */
export function createStations(world: World): () => Station {
  const endings: (() => void)[] = [];
  world.on('jobDone', (id) => endings[id]!());
  return () => {
    const number = endings.length;
    const { station, end } = createStation(world, (seconds) => world.after(seconds, 'jobDone', number));
    endings.push(end);
    return station;
  };
}

interface State {
  jobs: StationJob[];
  /** The index of the next job. */
  next: number;
  current: StationJob | undefined;
  waiting: number;
  worked: number;
  usedSince: number;
  /** Endings of jobs that were dropped. */
  dropped: number;
}

function createStation(world: World, endAfter: (seconds: number) => void) {
  const state = emptyState();
  const start = (): void => {
    state.current = takeWanted(state);
    if (state.current) endAfter(state.current.cost);
  };
  const station: Station = {
    add(job) {
      state.jobs.push(job);
      state.waiting += job.cost;
      if (!state.current) start();
    },
    clear() {
      if (state.current) state.dropped += 1;
      Object.assign(state, { jobs: [], next: 0, current: undefined, waiting: 0 });
    },
    backlog: () => state.waiting,
    takeUse() {
      const use = state.worked / Math.max(world.now() - state.usedSince, Number.EPSILON);
      Object.assign(state, { worked: 0, usedSince: world.now() });
      return Math.min(1, use);
    },
  };
  const end = (): void => {
    if (state.dropped > 0) {
      state.dropped -= 1;
      return;
    }
    const ended = state.current!;
    state.worked += ended.cost;
    start();
    ended.done();
  };
  return { station, end };
}

const emptyState = (): State => ({
  jobs: [],
  next: 0,
  current: undefined,
  waiting: 0,
  worked: 0,
  usedSince: 0,
  dropped: 0,
});

function takeWanted(state: State): StationJob | undefined {
  while (state.next < state.jobs.length) {
    const job = state.jobs[state.next++]!;
    state.waiting -= job.cost;
    if (state.next > 10_000 && state.next * 2 > state.jobs.length) {
      state.jobs = state.jobs.slice(state.next);
      state.next = 0;
    }
    if (job.isWanted()) return job;
  }
  return undefined;
}
