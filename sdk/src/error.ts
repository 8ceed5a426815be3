/** The error that the client throws if an operation fails. */

export interface ErrorDetails {
  /** The operation that was called: `agents/reboot`. */
  operation: string;
  /** The HTTP status; 0 if there was no response. */
  http: number;
  /** A stable name: the server's, or `no_connection`, `timeout`, `unexpected_reply`. */
  code: string;
  /** The number in the body, if the operation has one. */
  status?: number | undefined;
  /** The parameter that caused the error. */
  field?: string | undefined;
  /** Seconds to wait before a retry, if the server gave them. */
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
