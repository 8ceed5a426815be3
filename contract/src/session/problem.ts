/** Why a session is not opened or does not go on: one table of codes for the server, the operator's side and the device's side. */

/** The refusals of the server, with the HTTP status of each. `used` means used, expired or unknown. */
export const openingProblems = {
  used: 404,
  offline: 409,
  refused: 409,
  disabled: 403,
  forbidden: 403,
  busy: 429,
  invalid: 400,
  ended: 404,
} as const;

export type OpeningProblemCode = keyof typeof openingProblems;

export type ProblemCode =
  | OpeningProblemCode
  /** The server or the relay cannot be reached. */
  | 'network'
  /** The device shows another key than the one the operator knows it by. */
  | 'changed_key'
  /** The grant of the device was not signed by the server, or is for somebody else. */
  | 'bad_grant'
  /** The device does not prove that it is the one it claims to be. */
  | 'bad_signature'
  /** A frame was forged, lost or malformed. */
  | 'broken'
  /** The device did not return in time. */
  | 'lost';

export interface SessionProblem<Code extends ProblemCode = ProblemCode> {
  code: Code;
  /** A sentence for the person; empty if the code says it all. */
  message: string;
}

export type OpeningProblem = SessionProblem<OpeningProblemCode>;

export const createProblem = <Code extends ProblemCode>(code: Code, message = ''): SessionProblem<Code> => ({
  code,
  message,
});

export const isProblem = (result: object): result is SessionProblem =>
  'code' in result && 'message' in result;
