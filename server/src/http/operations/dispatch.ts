/** The steps of every request to an operation: authenticate, count, parse, authorize, handle, audit. */
import { toErrorBody, fault, isFault, type Fault } from '@drawbridge/contract/faults';
import { rescue, chain, type MaybePromise } from '@drawbridge/contract/async/maybe-promise';
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
): (rawRequest: RawRequest) => MaybePromise<OperationOutcome> {
  const { row } = served;
  const operation = { ...served, deps, read: createInputReader(row), redact: createRedactor(row) };
  return (rawRequest) =>
    rescue(
      () => dispatch(operation, rawRequest),
      (error) => {
        deps.onBug(served.name, error);
        return { result: toFault(error) };
      },
    );
}

/** Each step waits only for what is not there yet: reads of the embedded database and caches are there at once. */
function dispatch(operation: PreparedOperation, rawRequest: RawRequest): MaybePromise<OperationOutcome> {
  const now = operation.context.now();
  return chain(operation.scheme.authenticate(rawRequest, now), (caller) => {
    const refused = operation.scheme.refusal(rawRequest, caller, now);
    if (caller === undefined || refused)
      return chain(run(operation, rawRequest, caller, refused), (result) => ({ result, caller }));
    const charged = operation.scheme.countsTowardsQuota
      ? chargeQuota(caller, operation.deps.store, now)
      : undefined;
    return chain(charged, (quota) => runCharged(operation, rawRequest, caller, { quota, now }));
  });
}

function runCharged(
  operation: PreparedOperation,
  rawRequest: RawRequest,
  caller: AuthenticatedCaller,
  { quota, now }: { quota: QuotaUse | undefined; now: number },
): MaybePromise<OperationOutcome> {
  const exceeded = quota?.exceeded ? fault('plan_exceeded', quota.because) : undefined;
  return chain(run(operation, rawRequest, caller, exceeded), (result) => {
    if (caller.keyId !== undefined) operation.deps.onKeyUsed(caller.actor.accountId, caller.keyId, now);
    return { result, caller, quota };
  });
}

/** What the caller is told about an exception. */
export const toFault = (error: unknown): Fault => fault(isOutage(error) ? 'unavailable' : 'internal');

function run(
  operation: PreparedOperation,
  rawRequest: RawRequest,
  caller: AuthenticatedCaller | undefined,
  refused: Fault | undefined,
): MaybePromise<object | Fault> {
  const { name, row, deps } = operation;
  const { address } = rawRequest;
  let known: Record<string, unknown> = {};
  const reads = row.method === 'GET';
  const subject = { operation: name, reads, address, input: () => operation.redact(known) };
  const audit = createRequestAudit(deps.store, subject, caller?.actor);
  const close = (result: object | Fault): MaybePromise<typeof result> =>
    chain(audit.close(result), () => result);
  // Not awaited: the response time must not reveal whether the caller named somebody who exists.
  const closeLater = (result: object | Fault): typeof result => {
    void rescue(
      () => audit.close(result),
      (error) => deps.onBug(name, error),
    );
    return result;
  };

  if (refused) return refused.fault === 'unauthenticated' ? closeLater(refused) : close(refused);
  const parsed = rawRequest.refused ?? operation.read(rawRequest);
  if (isFault(parsed)) return close(parsed);
  known = parsed.input;
  const granted = caller ? grantNeeds(row.needs, caller.actor, known, deps.store) : [];
  return chain(granted, (grants) =>
    isFault(grants)
      ? close(grants)
      : chain(
          handle(operation, rawRequest, caller, { input: known, granted: grants, audit }),
          caller ? close : closeLater,
        ),
  );
}

interface GrantedRequest {
  input: Record<string, unknown>;
  granted: readonly unknown[];
  audit: ReturnType<typeof createRequestAudit>;
}

function handle(
  operation: PreparedOperation,
  rawRequest: RawRequest,
  caller: AuthenticatedCaller | undefined,
  { input, granted, audit: { identify, change } }: GrantedRequest,
): MaybePromise<object | Fault> {
  const { row, scheme, context, handler } = operation;
  const { incoming, legacy } = rawRequest;
  const identifying = caller ? undefined : { identify };
  const extension = scheme.extend(rawRequest, caller);
  const request = { ...caller, ...extension, input, incoming, granted, change, ...identifying };
  const answer = () => handler(request as never, context);
  return caller && row.etag && !legacy ? handleKept(operation, caller, input, answer) : answer();
}

/** The texts of inputs that requests share. */
const inputTexts = new WeakMap<object, string>();

function textOf(input: object): string {
  const text = inputTexts.get(input) ?? JSON.stringify(input);
  if (Object.isFrozen(input)) inputTexts.set(input, text);
  return text;
}

/** Sends a kept answer again, or carries out the operation. All rights have been checked before. */
function handleKept(
  { name, row, context, deps }: PreparedOperation,
  { actor: { accountId, memberId }, rightsVersion }: AuthenticatedCaller,
  input: object,
  answer: () => MaybePromise<object | Fault>,
): MaybePromise<{ kept: object } | Fault> {
  const build = async () => {
    const result = (await answer()) as KeptJson<Operation> | Fault;
    if (isFault(result)) return result;
    const { rendered, validUntil } = result;
    return { sections: sectionsOf(row, rendered), validUntil };
  };
  // Read before the list: a change in between makes the kept list newer than its version, never older.
  return chain(deps.store.agents.listVersion(accountId), (list) => {
    const version = { rights: rightsVersion, list };
    const key = { accountId, memberId, version, request: `${name} ${textOf(input)}` };
    const kept = deps.keptAnswers.get(key, context.now(), build);
    return chain(kept, (found) => (isFault(found) ? found : { kept: found }));
  });
}

/** The code of a refusal, for the metrics. */
export const refusalCode = (outcome: OperationOutcome | undefined): string | undefined =>
  outcome && isFault(outcome.result) ? toErrorBody(outcome.result).code : undefined;
