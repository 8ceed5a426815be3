/** The path of every request: authenticate, count, parse, authorize, handle, write down, reply. */
import { toErrorBody, fault, isFault, type Fault } from '@drawbridge/contract/faults';
import type { Operation } from '@drawbridge/contract/operation';
import type { Handler, HandlerContext } from '../../handlers/handler.ts';
import type { Store } from '../../store/store.ts';
import type { RawRequest } from './raw-request.ts';
import { createRequestAudit } from './auditing.ts';
import type { AuthenticatedCaller, AuthScheme } from './auth-scheme.ts';
import { createInputReader } from './input.ts';
import { grantNeeds } from './needs.ts';
import { countRequest, type QuotaUse } from './quota.ts';
import { createRedactor } from './redact.ts';

/** How a request ended, before it becomes bytes. */
export interface OperationOutcome {
  result: object | Fault;
  caller?: AuthenticatedCaller | undefined;
  quota?: QuotaUse | undefined;
}

export interface DispatchDeps {
  store: Store;
  /** Told of every use of a key, so that "last used" can be written down now and then. */
  onKeyUsed(accountId: number, keyId: number, now: number): void;
  /** Told of exceptions: bugs, not refusals. */
  onBug(operation: string, error: unknown): void;
}

/** One operation as it is served: the row, who does it, and how its callers are known. */
export interface ServedOperation {
  /** The name under which it is written down. */
  name: string;
  row: Operation;
  handler: Handler<Operation>;
  /** The context of the handler. */
  context: HandlerContext;
  scheme: AuthScheme;
}

/** A function that carries out one operation of a table. */
export function createDispatcher(
  { name, row, handler, context, scheme }: ServedOperation,
  deps: DispatchDeps,
) {
  const { store } = deps;
  const read = createInputReader(row);
  const redact = createRedactor(row);
  const reads = row.method === 'GET';

  async function run(
    rawRequest: RawRequest,
    caller: AuthenticatedCaller | undefined,
    refused: Fault | undefined,
  ): Promise<object | Fault> {
    let known: Record<string, unknown> = {};
    const { address, incoming } = rawRequest;
    const subject = { operation: name, reads, address, input: () => redact(known) };
    const { identify, change, close } = createRequestAudit(store, subject, caller?.actor);
    const refuse = async (refusal: Fault): Promise<Fault> => (await close(refusal), refusal);
    /** Not waited for: what is known must not be told from what is not by the time it takes. */
    const closeLater = (result: object | Fault): typeof result => {
      close(result).catch((error: unknown) => deps.onBug(name, error));
      return result;
    };

    if (refused) return refused.fault === 'unauthenticated' ? closeLater(refused) : refuse(refused);
    const parsed = rawRequest.refused ?? read(rawRequest);
    if (isFault(parsed)) return refuse(parsed);
    known = parsed.input;
    const granted = caller ? await grantNeeds(row.needs, caller.actor, parsed.input, store) : [];
    if (isFault(granted)) return refuse(granted);
    const request = {
      ...caller,
      ...scheme.extend(rawRequest, caller),
      input: parsed.input,
      incoming,
      granted,
    };
    const result = await handler({ ...request, change, ...(!caller && { identify }) } as never, context);
    if (!caller) return closeLater(result);
    await close(result);
    return result;
  }

  return async (rawRequest: RawRequest): Promise<OperationOutcome> => {
    try {
      const now = context.now();
      const caller = await scheme.authenticate(rawRequest, now);
      const refused = scheme.refusal(rawRequest, caller, now);
      const counted = caller && scheme.countsTowardsQuota && !refused;
      const quota = counted ? await countRequest(caller, store, now) : undefined;
      const exceeded = quota?.exceeded ? fault('plan_exceeded', quota.because) : undefined;
      const result = await run(rawRequest, caller, refused ?? exceeded);
      if (!refused && caller?.keyId !== undefined) deps.onKeyUsed(caller.actor.accountId, caller.keyId, now);
      return { result, caller, quota };
    } catch (error) {
      deps.onBug(name, error);
      return { result: fault('internal') };
    }
  };
}

/** The code of a refusal, for those who count them. */
export const refusalCode = (outcome: OperationOutcome | undefined): string | undefined =>
  outcome && isFault(outcome.result) ? toErrorBody(outcome.result).code : undefined;
