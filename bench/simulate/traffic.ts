/** Simulated people: requests to the API, and sessions over relays that open, end, and return after the loss of a relay. */
import { assumed, limits, measured } from './constants.ts';
import type { SimulatedDatabase } from './database.ts';
import type { Station } from './station.ts';
import { untilNext, type World } from './world.ts';

interface TrafficDeps {
  world: World;
  createStation(): Station;
  databases: readonly SimulatedDatabase[];
  sessions: number;
  relays: number;
  apiNodes: number;
  requestsPerSecond: number;
}

export interface Traffic {
  api: readonly Station[];
  /** The sessions of each relay. */
  relays: number[];
  /** How long each change of a request took since the last call, in seconds. */
  takeWaits(): number[];
  /** The longest interruption of a session that has returned, in seconds. */
  longestInterruption(): number;
  loseRelay(): void;
}

export function startTraffic(deps: TrafficDeps): Traffic {
  const { world, databases } = deps;
  const api = Array.from({ length: deps.apiNodes }, deps.createStation);
  let waits: number[] = [];
  const request = (changes: number, done: () => void): void => {
    const node = api[Math.floor(world.random() * api.length)]!;
    const change = (left: number): void => {
      if (left === 0) return done();
      const database = databases[Math.floor(world.random() * databases.length)]!;
      database.change({ isWanted: () => true, done: () => change(left - 1) });
    };
    node.add({ cost: measured.cpuPerRequest, isWanted: () => true, done: () => change(changes) });
  };
  world.on('requestArrives', () => {
    world.after(untilNext(world.random(), deps.requestsPerSecond), 'requestArrives', 0);
    const [isChange, began] = [world.random() < assumed.changingRequests, world.now()];
    request(isChange ? 1 : 0, () => void (isChange && waits.push(world.now() - began)));
  });
  world.after(0, 'requestArrives', 0);
  return {
    api,
    ...startSessions(deps, request),
    takeWaits() {
      const taken = waits;
      waits = [];
      return taken;
    },
  };
}

function startSessions(
  { world, sessions, relays: count }: TrafficDeps,
  request: (changes: number, done: () => void) => void,
): Pick<Traffic, 'relays' | 'longestInterruption' | 'loseRelay'> {
  const relays = Array.from({ length: count }, () => 0);
  let [first, longest, lostAt] = [0, 0, 0];
  const place = (): void => {
    const relay = first + Math.floor(world.random() * (count - first));
    relays[relay]! += 1;
    world.after(untilNext(world.random(), 1 / assumed.sessionSeconds), 'sessionEnds', relay);
  };
  world.on('sessionOpens', () => {
    world.after(untilNext(world.random(), sessions / assumed.sessionSeconds), 'sessionOpens', 0);
    request(assumed.changesPerSession - 1, place);
  });
  world.on('sessionEnds', (relay) => {
    if (relay < first) return; // It has moved since, and has an end there.
    relays[relay]! -= 1;
    request(1, () => {});
  });
  world.on('sessionReturns', () =>
    request(1, () => {
      longest = Math.max(longest, world.now() - lostAt);
      place();
    }),
  );
  for (let session = 0; session < sessions; session++) place();
  world.after(0, 'sessionOpens', 0);
  return {
    relays,
    longestInterruption: () => longest,
    loseRelay() {
      const lost = relays[first]!;
      relays[first++] = 0;
      lostAt = world.now();
      for (let session = 0; session < lost; session++)
        world.after(limits.minRetrySeconds, 'sessionReturns', 0);
    },
  };
}
