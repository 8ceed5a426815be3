/**
 * Every fault the service can return. A fault is a returned value; an exception is a bug and is thrown.
 *
 * `http` is the HTTP status of the reply and `code` the stable name in `error.code`. The number in the body's
 * `status` differs between operations, so it is part of the operation's row.
 */
export const faults = {
  invalid: { http: 400, code: 'invalid_request', says: 'The request is malformed or breaks a rule.' },
  unauthenticated: {
    http: 403,
    code: 'invalid_api_key',
    says: 'The API key is missing, unknown, expired or revoked.',
  },
  forbidden: {
    http: 403,
    code: 'forbidden',
    says: 'You have no right to do this. Ask the owner of the account for it.',
  },
  not_found: { http: 403, code: 'not_found', says: 'There is no such object in this account.' },
  plan_exceeded: { http: 402, code: 'plan_limit', says: 'The limit of the plan is used up.' },
  path_taken: { http: 400, code: 'path_taken', says: 'Another device already uses this link path.' },
  invalid_password: {
    http: 400,
    code: 'invalid_password',
    says: 'The password needs at least 8 characters with both letters and digits.',
  },
  /** Only the panel returns this; no operation of the API does. */
  busy: {
    http: 429,
    code: 'too_many_tries',
    says: 'There were too many attempts. Wait a minute, then try again.',
    retryAfter: 60,
  },
  unavailable: {
    http: 503,
    code: 'storage_unavailable',
    says: 'The service cannot read or store data at the moment. Try again in a few seconds.',
    retryAfter: 5,
  },
  internal: {
    http: 500,
    code: 'internal_error',
    says: 'The service failed. The log of the server has the cause.',
  },
} as const;

export type FaultName = keyof typeof faults;

/** Details that a fault carries beside its name. The caller receives them, so they never mention other accounts. */
export interface FaultDetails {
  /** A stable snake_case code, if the fault's own is too general. */
  code?: string;
  /** A sentence a person can act on. */
  message?: string;
  /** The input field that caused the fault. */
  field?: string;
  /** Seconds after which a retry makes sense, if the fault's own value does not fit. */
  retryAfter?: number;
}

/** Plain data, so that it can be sent between threads and processes. */
export interface Fault<Name extends FaultName = FaultName> extends FaultDetails {
  fault: Name;
}

export const fault = <Name extends FaultName>(name: Name, details?: FaultDetails): Fault<Name> => ({
  fault: name,
  ...details,
});

export const isFault = (value: unknown): value is Fault =>
  typeof value === 'object' && value !== null && 'fault' in value;

/** Seconds after which a retry makes sense; undefined if waiting does not help. */
export const retryAfterOf = ({ fault: name, retryAfter }: Fault): number | undefined =>
  retryAfter ?? (faults[name] as { retryAfter?: number }).retryAfter;

/** The `error` object of the response. */
export const toErrorBody = (refusal: Fault): { code: string; message: string; field?: string } => ({
  code: refusal.code ?? faults[refusal.fault].code,
  message: refusal.message ?? faults[refusal.fault].says,
  ...(refusal.field !== undefined && { field: refusal.field }),
});
