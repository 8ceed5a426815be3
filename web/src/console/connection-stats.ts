/** What is measured of the connection, once a second: pictures and bytes of the last second. */

export interface ConnectionStats {
  framesPerSecond: number;
  kilobytesPerSecond: number;
}

export interface TrafficCount {
  frames: number;
  bytes: number;
}

/** `count` tells all since the beginning; the answer is for the time since the last call. */
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
