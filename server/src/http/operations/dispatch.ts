/** The steps of every request to an operation: authenticate, count, parse, authorize, handle, audit. */
import { toErrorBody, fault, isFault, type Fault } from '@drawbridge/contract/faults';
import type { Operation } from '@drawbridge/contract/operation';
import type { Handler, HandlerContext, KeptJson } from '../../handlers/handler.ts';
import { isOutage } from '../../store/outages.ts';
import type { Store } from '../../store/store.ts';
import type { RawRequest } from './raw-request.ts';
import { createRequestAudit } from './auditing.ts';
import type { AuthenticatedCaller, AuthScheme } from './auth-scheme.ts';
import { createInputReader } from './input.ts';
import type { KeptAnswers } from './kept-answers.ts';
import { grantNeeds } from './needs.ts';
import { chargeQuota, type QuotaUse } from './quota.ts';
import { createRedactor } from './redact.ts';
import { sectionsOf } from './rendered.ts';

/** The outcome of a request, before it becomes a response. */
export interface OperationOutcome {
  result: object | Fault;
  caller?: AuthenticatedCaller | undefined;
  quota?: QuotaUse | undefined;
}

export interface DispatchDeps {
  store: Store;
  /** Called on every use of a key, so that "last used" can be stored from time to time. */
  onKeyUsed(accountId: number, keyId: number, now: number): void;
  /** Called with exceptions: they are bugs, not refusals. */
  onBug(operation: string, error: unknown): void;
  /** The answers of the operations with an ETag. */
  keptAnswers: KeptAnswers;
}

/** One operation as it is served: the row, its handler, and how its callers authenticate. */
export interface ServedOperation {
  /** The name in audit log, access log and metrics. */
  name: string;
  row: Operation;
  handler: Handler<Operation>;
  context: HandlerContext;
  scheme: AuthScheme;
}

/** A served operation with what is derived from its row once. */
interface PreparedOperation extends ServedOperation {
  deps: DispatchDeps;
  read: ReturnType<typeof createInputReader>;
  redact: ReturnType<typeof createRedactor>;
}

/** Returns a function that carries out one operation of a table. */
export function createDispatcher(
  served: ServedOperation,
  deps: DispatchDeps,
): (rawRequest: RawRequest) => Promise<OperationOutcome> {
  const { row } = served;
  const operation = { ...served, deps, read: createInputReader(row), redact: createRedactor(row) };
  return (rawRequest) => dispatch(operation, rawRequest);
}

async function dispatch(operation: PreparedOperation, rawRequest: RawRequest): Promise<OperationOutcome> {
  const { name, scheme, context, deps } = operation;
  try {
    const now = context.now();
    const caller = await scheme.authenticate(rawRequest, now);
    const refused = scheme.refusal(rawRequest, caller, now);
    const counted = caller && scheme.countsTowardsQuota && !refused;
    const quota = counted ? await chargeQuota(caller, deps.store, now) : undefined;
    const exceeded = quota?.exceeded ? fault('plan_exceeded', quota.because) : undefined;
    const result = await run(operation, rawRequest, caller, refused ?? exceeded);
    if (!refused && caller?.keyId !== undefined) deps.onKeyUsed(caller.actor.accountId, caller.keyId, now);
    return { result, caller, quota };
  } catch (error) {
    deps.onBug(name, error);
    return { result: toFault(error) };
  }
}

/** What the caller is told about an exception. */
export const toFault = (error: unknown): Fault => fault(isOutage(error) ? 'unavailable' : 'internal');

async function run(
  operation: PreparedOperation,
  rawRequest: RawRequest,
  caller: AuthenticatedCaller | undefined,
  refused: Fault | undefined,
): Promise<object | Fault> {
  const { name, row, scheme, context, deps } = operation;
  const { address, incoming } = rawRequest;
  let known: Record<string, unknown> = {};
  const reads = row.method === 'GET';
  const subject = { operation: name, reads, address, input: () => operation.redact(known) };
  const { identify, change, close } = createRequestAudit(deps.store, subject, caller?.actor);
  const refuse = async (refusal: Fault): Promise<Fault> => (await close(refusal), refusal);
  // Not awaited: the response time must not reveal whether the caller named somebody who exists.
  const closeLater = (result: object | Fault): typeof result => {
    close(result).catch((error: unknown) => deps.onBug(name, error));
    return result;
  };

  if (refused) return refused.fault === 'unauthenticated' ? closeLater(refused) : refuse(refused);
  const parsed = rawRequest.refused ?? operation.read(rawRequest);
  if (isFault(parsed)) return refuse(parsed);
  const { input } = parsed;
  known = input;
  const granted = caller ? await grantNeeds(row.needs, caller.actor, input, deps.store) : [];
  if (isFault(granted)) return refuse(granted);
  const identifying = caller ? undefined : { identify };
  const extension = scheme.extend(rawRequest, caller);
  const request = { ...caller, ...extension, input, incoming, granted, change, ...identifying };
  const handle = () => operation.handler(request as never, context);
  const result = await (caller && row.etag && !rawRequest.legacy
    ? handleKept(operation, caller, input, handle)
    : handle());
  if (!caller) return closeLater(result);
  await close(result);
  return result;
}

/** Sends a kept answer again, or carries out the operation. All rights have been checked before. */
async function handleKept(
  { name, row, context, deps }: PreparedOperation,
  { actor: { accountId, memberId }, rightsVersion }: AuthenticatedCaller,
  input: object,
  handle: () => Promise<object | Fault>,
): Promise<{ kept: object } | Fault> {
  // Read before the list: a change in between makes the kept list newer than its version, never older.
  const version = { rights: rightsVersion, list: await deps.store.agents.listVersion(accountId) };
  const key = { accountId, memberId, version, request: JSON.stringify([name, input]) };
  const kept = await deps.keptAnswers.get(key, context.now(), async () => {
    const result = (await handle()) as KeptJson<Operation> | Fault;
    if (isFault(result)) return result;
    const { rendered, validUntil } = result;
    return { sections: sectionsOf(row, rendered), validUntil };
  });
  return isFault(kept) ? kept : { kept };
}

/** The code of a refusal, for the metrics. */
export const refusalCode = (outcome: OperationOutcome | undefined): string | undefined =>
  outcome && isFault(outcome.result) ? toErrorBody(outcome.result).code : undefined;
