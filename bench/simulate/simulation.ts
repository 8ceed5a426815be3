/** One simulated deployment: at rest for a minute, then a loss, then what follows. */
import { createDatabase } from './database.ts';
import { createFleet } from './fleet.ts';
import { startLeases } from './leases.ts';
import { createStations, type Station } from './station.ts';
import { startTraffic, type Traffic } from './traffic.ts';
import { createWorld } from './world.ts';

export interface SimulatedDeployment {
  devices: number;
  sessions: number;
  requestsPerSecond: number;
  gateways: number;
  relays: number;
  apiNodes: number;
  databases: number;
}

export interface SimulatedLoss {
  /** Gateways that die at the same moment; none to stay at rest. */
  gateways: number;
  /** When they are back; infinite if they are not. */
  restartSeconds: number;
  relay: boolean;
  /** For how long the simulation goes on. */
  seconds: number;
}

export interface SimulationResult {
  /** Before the loss: the share of time that the busiest of each kind worked. */
  rest: { database: number; gateway: number; api: number };
  /** The largest number of connected devices that counted as offline at the end of the rest. */
  staleAtRest: number;
  lost: number;
  /** Seconds after the loss until 90 % and all of the lost devices were back; undefined if they were not. */
  back90: number | undefined;
  backAll: number | undefined;
  /** The share of the lost devices that was back at the end. */
  backAtEnd: number;
  stalePeak: number;
  deferred: number;
  gaveUp: number;
  wasted: number;
  /** The longest queue of a database, in seconds of work. */
  longestQueue: number;
  /** Of changes by people that were done after the loss. */
  changeWait: { p50: number; p99: number };
  busiestRelay: number;
  longestInterruption: number;
}

const restSeconds = 60;

export function simulate(size: SimulatedDeployment, loss: SimulatedLoss, seed: number): SimulationResult {
  const { world, databases, fleet, staleDevices, traffic } = build(size, seed);
  world.runUntil(restSeconds);
  const rest = {
    database: busiest(databases.map(({ station }) => station)),
    gateway: busiest(fleet.gateways.map(({ processor }) => processor)),
    api: busiest(traffic.api),
  };
  const staleAtRest = staleDevices();
  traffic.takeWaits();
  fleet.lose(
    Array.from({ length: loss.gateways }, (_, id) => id),
    loss.restartSeconds,
  );
  if (loss.relay) traffic.loseRelay();
  const lost = size.devices - fleet.counts.online;
  const seen: Seen = {
    back90: undefined,
    backAll: undefined,
    stalePeak: 0,
    longestQueue: 0,
    busiestRelay: 0,
  };
  for (let second = 1; second <= loss.seconds; second++) {
    world.runUntil(restSeconds + second);
    look(seen, second, fleet.counts.returned / Math.max(1, lost), {
      stale: staleDevices(),
      queue: Math.max(...databases.map(({ station }) => station.backlog())),
      relay: Math.max(...traffic.relays),
    });
  }
  const { online: _online, returned, ...counts } = fleet.counts;
  const backAtEnd = lost === 0 ? 1 : returned / lost;
  return { rest, staleAtRest, lost, ...seen, ...counts, backAtEnd, ...peopleOf(traffic) };
}

function build(size: SimulatedDeployment, seed: number) {
  const world = createWorld(seed);
  const createStation = createStations(world);
  const databases = Array.from({ length: size.databases }, (_, number) =>
    createDatabase(world, createStation(), number),
  );
  const deps = { ...size, world, createStation, databases };
  const fleet = createFleet(deps);
  const staleDevices = startLeases({ world, databases, fleet });
  return { world, databases, fleet, staleDevices, traffic: startTraffic(deps) };
}

function peopleOf(traffic: Traffic): Pick<SimulationResult, 'changeWait' | 'longestInterruption'> {
  const waits = traffic.takeWaits().toSorted((a, b) => a - b);
  const at = (share: number): number => waits[Math.floor(share * waits.length)] ?? Number.NaN;
  return {
    changeWait: { p50: at(0.5), p99: at(0.99) },
    longestInterruption: traffic.longestInterruption(),
  };
}

const busiest = (stations: readonly Station[]): number =>
  Math.max(...stations.map((station) => station.takeUse()));

type Seen = Pick<SimulationResult, 'back90' | 'backAll' | 'stalePeak' | 'longestQueue' | 'busiestRelay'>;

function look(
  seen: Seen,
  second: number,
  back: number,
  now: { stale: number; queue: number; relay: number },
): void {
  if (back >= 0.9) seen.back90 ??= second;
  if (back >= 1) seen.backAll ??= second;
  seen.stalePeak = Math.max(seen.stalePeak, now.stale);
  seen.longestQueue = Math.max(seen.longestQueue, now.queue);
  seen.busiestRelay = Math.max(seen.busiestRelay, now.relay);
}
