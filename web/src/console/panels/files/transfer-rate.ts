/** The rate of a transfer: bytes per second over the last seconds, so that it follows changes and a stall is seen. */

export interface RateMeter {
  /** So many bytes of the file are transferred. The first call tells where the transfer starts. */
  record(bytes: number): void;
  /** Undefined until there is something to measure. */
  bytesPerSecond(): number | undefined;
}

const spanMs = 5_000;
/** Progress within this time counts as one measurement. */
const stepMs = 250;
const minMs = 500;

export function createRateMeter(now: () => number): RateMeter {
  let points: { at: number; bytes: number }[] = [];
  return {
    record(bytes) {
      const at = now();
      const previous = points.at(-2);
      if (previous && at - previous.at < stepMs) points.pop();
      points.push({ at, bytes });
      const oldest = points.findLastIndex((point) => at - point.at >= spanMs);
      if (oldest > 0) points = points.slice(oldest);
    },
    bytesPerSecond() {
      const [first, last] = [points[0], points.at(-1)];
      if (!first || !last) return undefined;
      const ms = now() - first.at;
      return ms < minMs ? undefined : ((last.bytes - first.bytes) / ms) * 1_000;
    },
  };
}

/** Undefined where the size is unknown or nothing moves. */
export function secondsLeft(
  { bytes, size }: { bytes: number; size: number | undefined },
  bytesPerSecond: number | undefined,
): number | undefined {
  if (size === undefined || !bytesPerSecond) return undefined;
  return Math.ceil(Math.max(0, size - bytes) / bytesPerSecond);
}
