/** What a simulation is made of: measured constants, and the limits of the real programs. */

/** From docs/scaling.md and runs of the other benchmarks, in seconds and per second. */
export const measured = {
  cpuPerArrival: 0.0026,
  /** The share of a core that 10,000 devices at rest use, heartbeats included. */
  idleShareOf10k: 0.03,
  cpuPerRequest: 0.000_193,
  sessionsPerCore: 122,
  changesPerSecond: 401,
  leasesPerSecond: 39_385,
};

/** Each is the value of a constant of the program; the comment says where. */
export const limits = {
  /** server/src/gateway/devices/presence.ts */
  leaseSeconds: 30,
  renewEverySeconds: 10,
  flushDelaySeconds: 0.1,
  /** agent/src/uplink/connection.ts */
  stepTimeoutSeconds: 30,
  /** session/src/operator/operator.ts */
  minRetrySeconds: 0.5,
};

/** Assumptions about people. Nothing was measured. */
export const assumed = {
  sessionSeconds: 1_200,
  /** The share of requests that change something. */
  changingRequests: 0.02,
  /** `sessions/open`, its begin and its end. */
  changesPerSession: 3,
};
