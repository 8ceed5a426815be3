/** The ways a command ends without being done, each with its exit code. */

export const exits = { done: 0, refused: 1, usage: 2, noConnection: 3 } as const;

/** A command that was not carried out, and the sentence that says why. */
export interface Failure {
  exit: 1 | 2 | 3;
  says: string;
}

export const usage = (says: string): Failure => ({ exit: exits.usage, says });

export const isFailure = (value: unknown): value is Failure =>
  typeof value === 'object' && value !== null && 'exit' in value && 'says' in value;
