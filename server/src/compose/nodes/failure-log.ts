/** Logs what fails again and again: a reason that repeats once, until a success. */
import type { Log } from '../../edges/log.ts';

export interface FailureLog {
  onSuccess(): void;
  onFailure(error: unknown): void;
}

export function createFailureLog(log: Pick<Log, 'error'>, text: string): FailureLog {
  let logged: string | undefined;
  return {
    onSuccess: (): void => void (logged = undefined),
    onFailure(error: unknown): void {
      if (logged === String(error)) return;
      logged = String(error);
      log.error({ err: error }, text);
    },
  };
}
