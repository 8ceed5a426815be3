/** The ways a command ends without being done, each with its exit code. */

export const exitCodes = { done: 0, refused: 1, usage: 2, noConnection: 3 } as const;

/** A command that was not carried out, and the sentence that says why. */
export interface CliFailure {
  exit: 1 | 2 | 3;
  says: string;
}

export const usageFailure = (says: string): CliFailure => ({ exit: exitCodes.usage, says });

export const isCliFailure = (value: unknown): value is CliFailure =>
  typeof value === 'object' && value !== null && 'exit' in value && 'says' in value;
