/** How the relay hangs up: a code for the program at the other end, a sentence for the person who reads its log. */

export interface CloseCode {
  code: number;
  /** At most 123 bytes, as a WebSocket carries no more. */
  reason: string;
}

const define = <const Rows extends Record<string, CloseCode>>(rows: Rows): Rows => rows;

export const closeCodes = define({
  /** A message where none may be, or of the wrong sort. The same again will not do. */
  not_understood: { code: 4_000, reason: 'This message was not expected here.' },
  /** For every ticket that does not admit, whatever is wrong with it. */
  refused: { code: 4_001, reason: 'The ticket is not valid.' },
  too_slow: { code: 4_002, reason: 'The ticket did not arrive in time.' },
  alone: { code: 4_003, reason: 'The other side did not join.' },
  gone: { code: 4_004, reason: 'The other side has left.' },
  /** The server ended the session; its own sentence takes the place of this one. */
  ended: { code: 4_005, reason: 'The session was ended.' },
  /** Too many frames of kinds that are not allowed. */
  not_allowed: { code: 4_006, reason: 'Too many frames were refused.' },
  /** It does not read, or gave no sign of life. */
  silent: { code: 4_007, reason: 'The connection does not respond.' },
  overfull: { code: 4_008, reason: 'Too much data is waiting to be sent.' },
  /** The relay stops; another, or the same one in a while, will do. */
  stopping: { code: 1_012, reason: 'The relay is stopping.' },
});

export type CloseCodeName = keyof typeof closeCodes;
