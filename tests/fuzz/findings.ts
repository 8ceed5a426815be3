/** What a run of the fuzz found. */

export interface Findings {
  /**
   * What was wrong, each with the number of the request: the seed and the number determine what was sent,
   * except for keys and ids.
   */
  wrong: string[];
  /** What took longer than two seconds. On a busy machine this can be the disk; a hang is in `wrong`. */
  slow: string[];
  /** Connections that the service closed before their handshake ended. On a busy machine there can be a few. */
  timedOut: string[];
  /** How many responses there were by status code; 0 counts connections that ended without one. */
  codes: Record<number, number>;
  /** How many were sent of each sort. */
  sent: Record<string, number>;
  /** How many devices were admitted, and received messages. */
  entered: number;
  slowestMs: number;
  /** Whether the service still answers correctly at the end. */
  healthy: boolean;
  /** Names that were not on Object.prototype before. */
  polluted: string[];
  /** Growth of memory from the first tenth to the end, after garbage collection. */
  grownMegabytes: number;
  endMegabytes: number;
}

export const noFindings = (): Findings => ({
  wrong: [],
  slow: [],
  timedOut: [],
  codes: {},
  sent: {},
  entered: 0,
  slowestMs: 0,
  healthy: false,
  polluted: [],
  grownMegabytes: 0,
  endMegabytes: 0,
});
