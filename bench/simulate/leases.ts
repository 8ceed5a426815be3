/** Simulated leases: each gateway extends those of all its devices every ten seconds, one extension after the other. */
import { limits, measured } from './constants.ts';
import type { SimulatedDatabase } from './database.ts';
import type { SimulatedFleet } from './fleet.ts';
import type { World } from './world.ts';

interface LeaseDeps {
  world: World;
  databases: readonly SimulatedDatabase[];
  fleet: SimulatedFleet;
}

/** Returns how many connected devices count as offline now, because their leases were not extended in time. */
export function startLeases({ world, databases, fleet: { gateways } }: LeaseDeps): () => number {
  const until = gateways.map(() => limits.leaseSeconds);
  /** Extensions that have begun or wait. */
  const open = gateways.map(() => 0);
  const extend = (id: number): void => {
    let left = databases.length;
    const cost = gateways[id]!.online / databases.length / measured.leasesPerSecond;
    const done = (): void => {
      left -= 1;
      if (left > 0) return;
      until[id] = world.now() + limits.leaseSeconds;
      open[id]! -= 1;
      if (open[id]! > 0) extend(id);
    };
    for (const { station } of databases)
      station.add({ cost: cost + 1 / measured.changesPerSecond, isWanted: () => true, done });
  };
  world.on('leasesDue', (id) => {
    world.after(limits.renewEverySeconds, 'leasesDue', id);
    open[id]! += 1;
    if (open[id] === 1) extend(id);
  });
  world.on('arrivalsDue', (gateway, database) => databases[database]!.storeArrivals(gateway));
  gateways.forEach((_, id) => world.after(world.random() * limits.renewEverySeconds, 'leasesDue', id));
  return () => gateways.reduce((sum, { online }, id) => sum + (until[id]! < world.now() ? online : 0), 0);
}
