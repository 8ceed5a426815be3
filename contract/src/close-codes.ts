/** How WebSockets are closed: a code for the program at the other end and, from the server, a reason for its log. */

export interface CloseCode {
  code: number;
  /** At most 123 bytes, the limit of a WebSocket. */
  reason: string;
}

const define = <const Rows extends Record<string, CloseCode>>(rows: Rows): Rows => rows;

/** Codes of the uplink of devices. Agents of every version read the numbers. */
export const uplinkCloseCodes = define({
  not_understood: { code: 4_000, reason: 'not understood' },
  unexpected: { code: 4_000, reason: 'not now' },
  /** The same device has connected again. */
  replaced: { code: 4_001, reason: 'replaced' },
  unlinked: { code: 4_003, reason: 'unlinked' },
  /** The handshake ended with a refusal; its code takes the place of the reason. */
  refused: { code: 4_003, reason: 'refused' },
  too_slow: { code: 4_008, reason: 'too slow' },
  /** The server cannot take the device now; the cause takes the place of the reason. */
  busy: { code: 4_009, reason: 'busy' },
  too_much: { code: 1_008, reason: 'too much' },
  failed: { code: 1_011, reason: 'try again' },
  stopping: { code: 1_012, reason: 'the server stops' },
});

/** Codes of the lobby, where clients of invitations wait. */
export const lobbyCloseCodes = define({
  left: { code: 1_000, reason: 'goodbye' },
  not_understood: { code: 4_000, reason: 'not understood' },
  unexpected: { code: 4_000, reason: 'not now' },
  /** The same client has connected again. */
  replaced: { code: 4_001, reason: 'replaced' },
  /** The client was told why in a message; its code takes the place of the reason. */
  dismissed: { code: 4_003, reason: 'dismissed' },
  too_slow: { code: 4_008, reason: 'too slow' },
  too_much: { code: 1_008, reason: 'too much' },
  failed: { code: 1_011, reason: 'try again' },
  stopping: { code: 1_012, reason: 'the server stops' },
});

/** Codes of the relay. */
export const relayCloseCodes = define({
  /** A message at the wrong time or of the wrong kind. Repeating it does not help. */
  not_understood: { code: 4_000, reason: 'This message was not expected here.' },
  /** For every ticket that is not accepted, whatever is wrong with it. */
  refused: { code: 4_001, reason: 'The ticket is not valid.' },
  too_slow: { code: 4_002, reason: 'The ticket did not arrive in time.' },
  alone: { code: 4_003, reason: 'The other side did not join.' },
  gone: { code: 4_004, reason: 'The other side has left.' },
  /** The server ended the session; its message takes the place of this reason. */
  ended: { code: 4_005, reason: 'The session was ended.' },
  /** Their kinds were not allowed. */
  not_allowed: { code: 4_006, reason: 'Too many frames were refused.' },
  /** It does not read, or it does not answer pings. */
  silent: { code: 4_007, reason: 'The connection does not respond.' },
  overfull: { code: 4_008, reason: 'Too much data is waiting to be sent.' },
  /** The node that holds the session is gone; the session can be resumed. */
  unreachable: { code: 4_009, reason: 'The server of the session cannot be reached.' },
  /** The relay stops; connect again later or elsewhere. */
  stopping: { code: 1_012, reason: 'The relay is stopping.' },
});

export type RelayCloseCode = keyof typeof relayCloseCodes;

/** The codes with which devices, clients and the two sides of a session close their own sockets. */
export const leaveCodes = {
  /** It is over. */
  left: 1_000,
  /** Nobody sends it: the socket was closed without a code. */
  none: 1_005,
  /** Nobody sends it: the connection was lost. */
  lost: 1_006,
  /** This side comes back and the session goes on. */
  returning: 1_012,
  /** The same from a browser, which cannot send that code. */
  page_returning: 4_012,
} as const;
