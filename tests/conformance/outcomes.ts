/**
 * How each outcome must look from outside, written from the reference and from the decisions, not from the
 * table.
 */
import assert from 'node:assert/strict';
import type { FaultName } from '@drawbridge/contract/faults';
import type { OperationId } from '@drawbridge/contract/v1/index';
import type { OperationResponse } from './call-operation.ts';
import { furtherOperations, operationRows } from './operation-rows/index.ts';
import * as reference from './reference.ts';

export type RefusalKind =
  | 'invalid'
  | 'not_found'
  | 'forbidden'
  | 'unauthenticated'
  | 'plan_exceeded'
  | 'internal';

const httpOf: Record<RefusalKind, number> = {
  invalid: 400,
  not_found: 403,
  forbidden: 403,
  unauthenticated: 403,
  plan_exceeded: 402,
  internal: 500,
};

const codeOf: Record<RefusalKind, string> = {
  invalid: 'invalid_request',
  not_found: 'not_found',
  forbidden: 'forbidden',
  unauthenticated: 'invalid_api_key',
  plan_exceeded: 'request_limit',
  internal: 'internal_error',
};

/**
 * The operations beside those of the reference, in the same style: no numbers for lists, and for the others
 * these.
 */
const ourNumbers = new Map<FaultName, number>([
  ['invalid', 1],
  ['internal', 2],
  ['not_found', 6],
  ['forbidden', 8],
]);
const numbersOf = new Map<string, Map<FaultName, number>>([
  ...reference.statusLines.map(({ id, meanings }) => [id, reference.numbersIn(meanings)] as const),
  ...furtherOperations
    .filter(({ numbered }) => numbered)
    .map(
      ({ id, unnumbered }) => [id, new Map([...ourNumbers].filter(([name]) => name !== unnumbered))] as const,
    ),
]);

/** True if the reply has a `status`. */
export const hasStatus = (id: OperationId): boolean => numbersOf.has(id);

/** The `status` of a refusal; undefined if the body has none. */
function statusFor(id: OperationId, refused: RefusalKind): number | undefined {
  const numbers = numbersOf.get(id);
  if (!numbers) return undefined;
  const listed = numbers.get(refused === 'unauthenticated' ? 'forbidden' : refused);
  return listed ?? (refused === 'internal' ? undefined : 1);
}

/** True if the operation answers with the HTTP status code alone. */
export const hasEmptyBody = (id: OperationId): boolean => operationRows[id].reply === 'empty';

export function assertDone(id: OperationId, answer: OperationResponse, because = ''): void {
  const context = `${id} ${because}: ${answer.http} ${answer.text}`;
  assert.equal(answer.http, 200, context);
  if (hasEmptyBody(id)) return assert.equal(answer.text, '', context);
  assert.equal(answer.body.status, hasStatus(id) ? 0 : undefined, context);
  assert.equal(answer.body.error, undefined, context);
}

export interface RefusalDetail {
  /** A specific code, where the outcome's is too general. */
  code?: string;
  field?: string;
  because?: string;
}

export function assertRefused(
  id: OperationId,
  answer: OperationResponse,
  refused: RefusalKind,
  detail: RefusalDetail = {},
): void {
  const context = `${id} ${detail.because ?? ''} should be refused as ${refused}: ${answer.http} ${answer.text}`;
  assert.equal(answer.http, httpOf[refused], context);
  if (hasEmptyBody(id)) return assert.equal(answer.text, '', context);
  const { status, error, ...others } = answer.body;
  assert.deepEqual(others, {}, context);
  assert.equal(status, statusFor(id, refused), context);
  assert.equal(error?.code, detail.code ?? codeOf[refused], context);
  assert.match(error?.message ?? '', /^\S[^\n]*[.!]$/, context);
  if (detail.field !== undefined) assert.equal(error?.field, detail.field, context);
  assert.deepEqual(Object.keys(answer.body), status === undefined ? ['error'] : ['status', 'error'], context);
  const keys = error?.field === undefined ? ['code', 'message'] : ['code', 'message', 'field'];
  assert.deepEqual(Object.keys(error), keys, context);
}

/** The code of a refusal in the audit log. */
export const codeFor = (refused: RefusalKind): string => codeOf[refused];
