/** What the client throws when an operation was not done. */

export interface ErrorDetails {
  /** The operation that was called: `agents/reboot`. */
  operation: string;
  /** The HTTP code; 0 when there was no answer at all. */
  http: number;
  /** A stable name: the server's own, or `no_connection`, `timeout`, `unexpected_reply`. */
  code: string;
  /** The number in the body, where the operation has one. */
  status?: number | undefined;
  /** The parameter that is to blame. */
  field?: string | undefined;
  /** After how many seconds the server will listen again, where it said so. */
  retryAfter?: number | undefined;
  cause?: unknown;
}

export class DrawbridgeError extends Error implements ErrorDetails {
  readonly operation: string;
  readonly http: number;
  readonly code: string;
  readonly status: number | undefined;
  readonly field: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'DrawbridgeError';
    this.operation = details.operation;
    this.http = details.http;
    this.code = details.code;
    this.status = details.status;
    this.field = details.field;
    this.retryAfter = details.retryAfter;
  }
}
