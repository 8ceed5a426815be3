/** The capacity model: from measured constants to what a deployment of a given size needs. docs/scaling.md explains it. */

/** What was measured; docs/scaling.md says where. */
export interface CapacityConstants {
  memoryPerDeviceKb: number;
  /** Of one core, for 10,000 devices at rest. */
  idlePercentPer10k: number;
  cpuPerArrivalMs: number;
  relaySessionsPerCore: number;
  memoryPerSessionKb: number;
  cpuPerRequestMs: number;
  /** How many leases a second one database extends if it does nothing else. */
  leasesPerSecond: number;
  /** How many changes a second one database stores. */
  changesPerSecond: number;
}

export interface Deployment {
  devices: number;
  sessions: number;
  /** The share of sessions that need the relay. */
  relayed: number;
  requestsPerSecond: number;
  /** How much of a core a process may use, so that peaks do not delay others. */
  usable: number;
}

/** A lease is extended this often (server/src/gateway/devices/presence.ts). */
const leaseEverySeconds = 10;
/** The largest number of devices that one process held in a benchmark. */
const measuredDevicesPerProcess = 10_000;
/** How much of one database the leases may use. */
const leaseShare = 0.5;
/** Agents spread their return over this time. */
const returnSpreadSeconds = 15;
/** `devices/arrive` and `devices/kept`. */
const changesPerArrival = 2;

interface CapacityNeeds {
  gateways: number;
  gatewayMemoryGb: number;
  relayCores: number;
  relayMemoryGb: number;
  apiCores: number;
  leaseUpdatesPerSecond: number;
  databases: number;
  /** Until the devices of a gateway that crashed are back at the others. */
  gatewayLossSeconds: number;
  /** Until all devices are back if all gateways crash at once, by the gateways' processors alone. */
  allLossSeconds: number;
  /** The same by the changes of one database alone. */
  allLossByDatabaseSeconds: number;
}

export function capacityOf(size: Deployment, measured: CapacityConstants): CapacityNeeds {
  const gateways = Math.max(1, Math.ceil(size.devices / measuredDevicesPerProcess));
  const perGateway = size.devices / gateways;
  const idle = (measured.idlePercentPer10k / 100) * (perGateway / 10_000);
  const arrivalsPerSecond = Math.max(0, size.usable - idle) / (measured.cpuPerArrivalMs / 1_000);
  const relayed = size.sessions * size.relayed;
  const leaseUpdatesPerSecond = size.devices / leaseEverySeconds;
  return {
    gateways,
    gatewayMemoryGb: (size.devices * measured.memoryPerDeviceKb) / 1e6,
    relayCores: Math.ceil(relayed / (measured.relaySessionsPerCore * size.usable)),
    relayMemoryGb: (relayed * measured.memoryPerSessionKb) / 1e6,
    apiCores: Math.ceil((size.requestsPerSecond * measured.cpuPerRequestMs) / 1_000 / size.usable),
    leaseUpdatesPerSecond,
    databases: Math.ceil(leaseUpdatesPerSecond / (measured.leasesPerSecond * leaseShare)),
    gatewayLossSeconds: Math.max(
      returnSpreadSeconds,
      perGateway / (arrivalsPerSecond * Math.max(1, gateways - 1)),
      (perGateway * changesPerArrival) / measured.changesPerSecond,
    ),
    allLossSeconds: Math.max(returnSpreadSeconds, perGateway / arrivalsPerSecond),
    allLossByDatabaseSeconds: (size.devices * changesPerArrival) / measured.changesPerSecond,
  };
}
