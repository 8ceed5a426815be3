/** Computes frames and bytes per second from running totals. */

export interface ConnectionStats {
  framesPerSecond: number;
  kilobytesPerSecond: number;
}

export interface TrafficCount {
  frames: number;
  bytes: number;
}

/** `count` is the total since the beginning; each result covers the time since the previous call. */
export function createStatsMeter(
  now: number,
  count: TrafficCount,
): (now: number, count: TrafficCount) => ConnectionStats {
  let last = { now, ...count };
  return (moment, { frames, bytes }) => {
    const seconds = Math.max(0.001, (moment - last.now) / 1_000);
    const stats = {
      framesPerSecond: Math.round((frames - last.frames) / seconds),
      kilobytesPerSecond: Math.round((bytes - last.bytes) / 1_000 / seconds),
    };
    last = { now: moment, frames, bytes };
    return stats;
  };
}
