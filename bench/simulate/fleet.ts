/** Simulated devices and gateways: how devices connect, wait, give up and return, with the back-off of the real agent. */
import { nextTry } from '@drawbridge/agent/uplink/back-off';
import {
  createAdmissionLimit,
  type AdmissionLimit,
} from '@drawbridge/server/gateway/devices/admission-limit';
import { limits, measured } from './constants.ts';
import type { SimulatedDatabase } from './database.ts';
import type { Station } from './station.ts';
import type { World } from './world.ts';

interface Gateway {
  processor: Station;
  /** Increases when it dies: what it had begun by then is lost. */
  life: number;
  online: number;
  admissions: AdmissionLimit;
}

interface FleetCounts {
  online: number;
  /** Devices that came back since the loss. */
  returned: number;
  deferred: number;
  gaveUp: number;
  /** Arrivals that the database stored after their device had given up. */
  wasted: number;
}

export interface SimulatedFleet {
  gateways: readonly Gateway[];
  counts: FleetCounts;
  /** Kills gateways at once, and starts them again after that time, which may be infinite. */
  lose(gateways: readonly number[], restartSeconds: number): void;
}

interface FleetDeps {
  world: World;
  createStation(): Station;
  databases: readonly SimulatedDatabase[];
  devices: number;
  gateways: number;
}

interface State extends FleetDeps {
  list: Gateway[];
  /** Those that devices can connect to. */
  alive: Gateway[];
  /** The gateway of each device, or -1. */
  at: Int32Array;
  failures: Uint8Array;
  /** Increases with each attempt, so that what belongs to an earlier one is recognized. */
  attempts: Int32Array;
  counts: FleetCounts;
}

export function createFleet(deps: FleetDeps): SimulatedFleet {
  const { world, devices } = deps;
  const list = Array.from({ length: deps.gateways }, () => ({
    processor: deps.createStation(),
    life: 0,
    online: 0,
    admissions: createAdmissionLimit(() => 1_000 * world.now()),
  }));
  const counts = { online: devices, returned: 0, deferred: 0, gaveUp: 0, wasted: 0 };
  const state: State = {
    ...deps,
    list,
    alive: list,
    at: Int32Array.from({ length: devices }, (_, device) => device % deps.gateways),
    failures: new Uint8Array(devices),
    attempts: new Int32Array(devices),
    counts,
  };
  for (const gateway of state.at) list[gateway]!.online += 1;
  world.on('deviceTries', (device) => connect(state, device));
  world.on('deviceGivesUp', (device, attempt) => {
    if (attempt !== state.attempts[device]) return;
    counts.gaveUp += 1;
    tryLater(state, device, undefined);
  });
  return { gateways: list, counts, lose: (ids, seconds) => lose(state, ids, seconds) };
}

/** The attempt has failed. */
function tryLater({ world, attempts, failures }: State, device: number, asked: number | undefined): void {
  attempts[device]! += 1;
  failures[device] = Math.min(255, failures[device]! + 1);
  const waitMs = nextTry(asked, failures[device], world.random());
  world.after(waitMs / 1_000, 'deviceTries', device);
}

function connect(state: State, device: number): void {
  const { world, alive, attempts } = state;
  const gateway = alive[Math.floor(world.random() * alive.length)];
  if (!gateway) return tryLater(state, device, undefined);
  const attempt = (attempts[device]! += 1);
  world.after(limits.stepTimeoutSeconds, 'deviceGivesUp', device, attempt);
  const idle = measured.idleShareOf10k * (gateway.online / 10_000);
  gateway.processor.add({
    cost: measured.cpuPerArrival / Math.max(0.05, 1 - idle),
    isWanted: () => attempts[device] === attempt,
    done: () => admit(state, device, gateway),
  });
}

function admit(state: State, device: number, gateway: Gateway): void {
  const { databases, attempts, counts } = state;
  const attempt = attempts[device]!;
  if (!gateway.admissions.hasRoom()) {
    counts.deferred += 1;
    return tryLater(state, device, gateway.admissions.retryAfterSeconds());
  }
  const end = gateway.admissions.begin();
  const { life } = gateway;
  databases[device % databases.length]!.change({
    isWanted: () => gateway.life === life,
    done() {
      if (gateway.life !== life) return;
      end(true);
      if (attempts[device] === attempt) welcome(state, device, gateway);
      else counts.wasted += 1;
    },
  });
}

function welcome(state: State, device: number, gateway: Gateway): void {
  const { attempts, failures, at, list, databases, counts } = state;
  attempts[device]! += 1;
  failures[device] = 0;
  at[device] = list.indexOf(gateway);
  gateway.online += 1;
  counts.online += 1;
  counts.returned += 1;
  // `devices/kept`, and the first lease.
  const database = databases[device % databases.length]!;
  database.change({ isWanted: () => true, done() {} });
  database.lease(at[device]);
}

function lose(state: State, ids: readonly number[], restartSeconds: number): void {
  const { world, list, at, counts } = state;
  const lost = new Set(ids);
  for (const id of ids) {
    const gateway = list[id]!;
    counts.online -= gateway.online;
    const admissions = createAdmissionLimit(() => 1_000 * world.now());
    Object.assign(gateway, { life: gateway.life + 1, online: 0, admissions });
    gateway.processor.clear();
    if (restartSeconds !== Infinity) world.after(restartSeconds, 'gatewayStarts', id);
  }
  state.alive = list.filter((_, id) => !lost.has(id));
  world.on('gatewayStarts', (id) => void (state.alive = [...state.alive, list[id]!]));
  at.forEach((gateway, device) => {
    if (!lost.has(gateway)) return;
    at[device] = -1;
    world.after(nextTry(undefined, 0, world.random()) / 1_000, 'deviceTries', device);
  });
}
