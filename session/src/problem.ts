/** Why a session could not be opened or did not go on. */

/** The server's refusals, and those of the operator's own side. */
export type ProblemCode =
  | 'used'
  | 'offline'
  | 'refused'
  | 'disabled'
  | 'forbidden'
  | 'busy'
  | 'invalid'
  | 'ended'
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

export interface SessionProblem {
  code: ProblemCode;
  /** The message of the other side, or none. */
  message: string;
}

export const createProblem = (code: ProblemCode, message = ''): SessionProblem => ({ code, message });

export const isProblem = (result: object): result is SessionProblem =>
  'code' in result && 'message' in result;
