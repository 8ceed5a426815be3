/**
 * Every way the service can say no. A fault is a value, returned; an exception is a bug, thrown.
 *
 * `http` is the code the reply carries and `code` the stable name in `error.code`. The number in the body's
 * `status` differs from operation to operation and therefore stands in the operation's own row.
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
  /** Of the panel alone: no operation of the API answers so. */
  busy: {
    http: 429,
    code: 'too_many_tries',
    says: 'There were too many attempts. Wait a minute, then try again.',
    retryAfter: 60,
  },
  internal: {
    http: 500,
    code: 'internal_error',
    says: 'The service failed. The log of the server has the cause.',
  },
} as const;

export type FaultName = keyof typeof faults;

/** What a refusal may say beside its name; it reaches the caller, so it never speaks of other accounts. */
export interface FaultDetails {
  /** A stable snake_case code, where the fault's own is too general. */
  code?: string;
  /** A sentence a person can act on. */
  message?: string;
  /** The input field that is to blame. */
  field?: string;
  /** In how many seconds it is worth trying again, where the fault's own is too long or too short. */
  retryAfter?: number;
}

/** Plain data, so that it may cross threads and processes. */
export interface Fault<Name extends FaultName = FaultName> extends FaultDetails {
  fault: Name;
}

export const fault = <Name extends FaultName>(name: Name, details?: FaultDetails): Fault<Name> => ({
  fault: name,
  ...details,
});

export const isFault = (value: unknown): value is Fault =>
  typeof value === 'object' && value !== null && 'fault' in value;

/** In how many seconds it is worth trying again; undefined where waiting does not help. */
export const retryAfterOf = ({ fault: name, retryAfter }: Fault): number | undefined =>
  retryAfter ?? (name === 'busy' ? faults.busy.retryAfter : undefined);

/** What the caller reads of a fault. */
export const toErrorBody = (refusal: Fault): { code: string; message: string; field?: string } => ({
  code: refusal.code ?? faults[refusal.fault].code,
  message: refusal.message ?? faults[refusal.fault].says,
  ...(refusal.field !== undefined && { field: refusal.field }),
});
