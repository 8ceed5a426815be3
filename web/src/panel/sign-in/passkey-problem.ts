/** What the refusals of a browser mean when a passkey was to be made or used. */

type Problem = 'cancelled' | 'known' | 'unable' | 'wrongPlace';

const byName: Readonly<Record<string, Problem>> = {
  NotAllowedError: 'cancelled',
  AbortError: 'cancelled',
  InvalidStateError: 'known',
  ConstraintError: 'unable',
  NotSupportedError: 'unable',
  SecurityError: 'wrongPlace',
};

/** Undefined for what was not the browser's refusal. */
export const passkeyProblem = (error: unknown): Problem | undefined =>
  error instanceof Error ? byName[error.name] : undefined;
