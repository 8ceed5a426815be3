/**
 * The clock of a server with SQLite. The clock of the machine may jump, for example when it is set right after the start:
 * the time follows only after what counts as present has been moved along with it.
 */
export interface SteadyClock {
  /** In unix seconds. */
  now(): number;
  stop(): void;
}

export interface ClockSources {
  /** The clock of the machine, in milliseconds. */
  wall(): number;
  /** Milliseconds that never jump. */
  steady(): number;
}

const systemClocks: ClockSources = { wall: () => Date.now(), steady: () => performance.now() };

const checkEveryMs = 1_000;
/** A larger difference is a jump; a smaller one is followed at once. */
const jumpMs = 2_000;

/** `onJump` receives by how many seconds the clock has jumped, and resolves when the time may follow. */
export function startSteadyClock(
  onJump: (seconds: number) => Promise<unknown>,
  { wall, steady }: ClockSources = systemClocks,
): SteadyClock {
  let offset = wall() - steady();
  let moving: Promise<unknown> | undefined;
  const check = (): void => {
    const drift = wall() - steady() - offset;
    if (Math.abs(drift) < jumpMs) offset += drift;
    else
      moving ??= onJump(Math.round(drift / 1_000))
        .then(() => (offset += drift))
        .catch(() => {}) // tried again at the next check
        .finally(() => (moving = undefined));
  };
  const timer = setInterval(check, checkEveryMs).unref();
  return { now: () => Math.floor((steady() + offset) / 1_000), stop: () => clearInterval(timer) };
}
