/** A simulated database: one queue for changes and for the leases that gateways extend. */
import { limits, measured } from './constants.ts';
import type { Station, StationJob } from './station.ts';
import type { World } from './world.ts';

export interface SimulatedDatabase {
  station: Station;
  change(job: Omit<StationJob, 'cost'>): void;
  /** A device has arrived at this gateway: its lease is stored with the next batch. */
  lease(gateway: number): void;
  /** Stores the leases of the devices that have arrived there. */
  storeArrivals(gateway: number): void;
}

export const createDatabase = (world: World, station: Station, number: number): SimulatedDatabase => {
  const arrived = new Map<number, number>();
  return {
    station,
    change: (job) => station.add({ ...job, cost: 1 / measured.changesPerSecond }),
    lease(gateway) {
      const count = arrived.get(gateway) ?? 0;
      arrived.set(gateway, count + 1);
      if (count === 0) world.after(limits.flushDelaySeconds, 'arrivalsDue', gateway, number);
    },
    storeArrivals(gateway) {
      const count = arrived.get(gateway) ?? 0;
      arrived.delete(gateway);
      const cost = 1 / measured.changesPerSecond + count / measured.leasesPerSecond;
      station.add({ cost, isWanted: () => true, done() {} });
    },
  };
};
