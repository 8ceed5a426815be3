/** The network addresses of the machine. */
import { networkInterfaces } from 'node:os';

/** All addresses of the machine except loopback ones. */
export const addressesOf = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter((each) => !each.internal)
    .map((each) => each.address)
    .slice(0, 64);
