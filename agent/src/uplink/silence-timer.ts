/** A timer that reports when the other side of a connection has sent nothing for too long. */

export interface SilenceTimer {
  /** Called whenever something was received. */
  restart(): void;
  /** Changes the timeout and restarts the timer. */
  setTimeout(timeoutMs: number): void;
  stop(): void;
}

export function startSilenceTimer(timeoutMs: number, onSilence: () => void): SilenceTimer {
  let limit = timeoutMs;
  let timer = setTimeout(onSilence, limit);
  const restart = (): void => {
    clearTimeout(timer);
    timer = setTimeout(onSilence, limit);
  };
  return {
    restart,
    setTimeout(ms) {
      limit = ms;
      restart();
    },
    stop: () => clearTimeout(timer),
  };
}
