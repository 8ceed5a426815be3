/** Maps the WebAuthn errors of browsers to problems that the panel explains. */

type Problem = 'cancelled' | 'known' | 'unable' | 'wrongPlace';

const byName: Readonly<Record<string, Problem>> = {
  NotAllowedError: 'cancelled',
  AbortError: 'cancelled',
  InvalidStateError: 'known',
  ConstraintError: 'unable',
  NotSupportedError: 'unable',
  SecurityError: 'wrongPlace',
};

/** Undefined for other errors. */
export const passkeyProblem = (error: unknown): Problem | undefined =>
  error instanceof Error ? byName[error.name] : undefined;
