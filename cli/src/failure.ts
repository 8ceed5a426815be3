/** Failures of a command and their exit codes. */

export const exitCodes = { done: 0, refused: 1, usage: 2, noConnection: 3 } as const;

/** The exit code of a failed command, and a sentence with the reason. */
export interface CliFailure {
  exit: 1 | 2 | 3;
  says: string;
}

export const usageFailure = (says: string): CliFailure => ({ exit: exitCodes.usage, says });

export const isCliFailure = (value: unknown): value is CliFailure =>
  typeof value === 'object' && value !== null && 'exit' in value && 'says' in value;
