/** The path of every request: authenticate, count, parse, authorize, handle, write down, reply. */
import { errorOf, fault, isFault, type Fault } from '@drawbridge/contract/faults';
import type { Operation } from '@drawbridge/contract/operation';
import type { AuditLine } from '../domain/audit.ts';
import { fold } from '../domain/text.ts';
import type { Handler, House, Incoming } from '../handlers/handler.ts';
import type { ChangeInput, ChangeName } from '../store/changes.ts';
import type { Store } from '../store/store.ts';
import { findCaller, type Caller } from './callers.ts';
import { inputReader, type Carried } from './input.ts';
import { grant } from './needs.ts';
import { countRequest, type Counted } from './quota.ts';
import { secretless } from './secrets.ts';

/** What the edge knows of a request. */
export interface Asked extends Carried {
  apiKey: string | undefined;
  address: string;
  /** Why the body could not be read; whether to say so is decided where everything else is. */
  refused?: Fault | undefined;
  /** The body, where the row takes a file: read only by whoever may add it. */
  incoming?: Incoming | undefined;
}

/** How a request ended, before it becomes bytes. */
export interface Outcome {
  result: object | Fault;
  caller?: Caller | undefined;
  quota?: Counted | undefined;
}

export interface Services {
  house: House;
  store: Store;
  /** Told of every use of a key, so that "last used" can be written down now and then. */
  onKeyUsed(accountId: number, keyId: number, now: number): void;
  /** Told of exceptions: bugs, not refusals. */
  onBug(operation: string, error: unknown): void;
}

/** A function that carries out one operation of the table. */
export function dispatcher(id: string, row: Operation, handler: Handler<Operation>, services: Services) {
  const { house, store } = services;
  const read = inputReader(row);
  const withoutSecrets = secretless(row);

  /** The request's line in the audit log, written when it is needed, and whether a change has taken it along. */
  function auditing({ actor }: Caller['holder'], address: string) {
    const known = { input: {} };
    const line = (): AuditLine => ({
      accountId: actor.accountId,
      memberId: actor.memberId,
      email: fold(actor.email),
      address,
      operation: id,
      input: JSON.stringify(withoutSecrets(known.input)),
    });
    let taken = false;
    const change = <Name extends ChangeName>(name: Name, input: ChangeInput<Name>) => {
      if (taken) throw new Error(`${id} changes the store twice in one request`);
      taken = true;
      return store.change(name, input, line());
    };
    /** Refusals and changes elsewhere leave a line too; a read that went well does not. */
    const close = async (result: object | Fault): Promise<void> => {
      if (taken || (row.method === 'GET' && !isFault(result))) return;
      const outcome = isFault(result) ? errorOf(result).code : 'done';
      await store.change('audit/append', { accountId: actor.accountId, outcome }, line());
    };
    return { known, change, close };
  }

  async function run(asked: Asked, caller: Caller, quota: Counted | undefined): Promise<object | Fault> {
    const { actor, ownerEmail, plan } = caller.holder;
    const { known, change, close } = auditing(caller.holder, asked.address);
    const refuse = async (refusal: Fault): Promise<Fault> => (await close(refusal), refusal);

    if (!caller.usable) {
      // Not waited for: a key that was revoked must not be told from an unknown one by the time it takes.
      close(fault('unauthenticated')).catch((error: unknown) => services.onBug(id, error));
      return fault('unauthenticated');
    }
    if (quota?.exceeded) return refuse(fault('plan_exceeded', quota.because));
    const parsed = asked.refused ?? read(asked);
    if (isFault(parsed)) return refuse(parsed);
    known.input = parsed.input;
    const granted = await grant(row.needs, actor, parsed.input, store);
    if (isFault(granted)) return refuse(granted);
    const { incoming } = asked;
    const asker = { actor, ownerEmail, plan, key: caller.holder };
    const request = { ...asker, input: parsed.input, incoming, granted, change };
    const result = await handler(request as never, house);
    await close(result);
    return result;
  }

  return async (asked: Asked): Promise<Outcome> => {
    try {
      const now = house.now();
      const caller = await findCaller(asked, house, now);
      if (!caller) return { result: fault('unauthenticated') };
      const quota = caller.usable ? await countRequest(caller.holder, store, now) : undefined;
      const result = await run(asked, caller, quota);
      if (caller.usable) services.onKeyUsed(caller.holder.actor.accountId, caller.holder.keyId, now);
      return { result, caller, quota };
    } catch (error) {
      services.onBug(id, error);
      return { result: fault('internal') };
    }
  };
}

/** The code of a refusal, for those who count them. */
export const refusalCode = (outcome: Outcome | undefined): string | undefined =>
  outcome && isFault(outcome.result) ? errorOf(outcome.result).code : undefined;
