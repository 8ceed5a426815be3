/** Who asks: by the key a request carries, and whether it may be used now and from there. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import { isUsable, type KeyHolder } from '../domain/members.ts';
import type { CallerContext, HandlerContext } from '../handlers/handler.ts';
import type { Asked } from './asked.ts';
import { isWithin, parseNetworks } from './client-address.ts';

/** Somebody who is known, whichever way they showed who they are. */
export interface Caller extends CallerContext {
  /** The key they came with, where they did. */
  keyId?: number;
}

/** How callers of a table show who they are, and what is held against them before anything of a request is read. */
export interface Way {
  /** Undefined where nothing says who it is. */
  find(asked: Asked, now: number): Promise<Caller | undefined>;
  /** Why this is refused, whatever rights there are; who is undefined goes on only where this says nothing. */
  refusal(asked: Asked, caller: Caller | undefined, now: number): Fault | undefined;
  /** What a request carries beside its input: who is known to this way alone, and from where they ask. */
  lend(asked: Asked, caller: Caller | undefined): object;
  /** Whether requests count towards the plan's limit. */
  counts: boolean;
}

const parsed = new WeakMap<readonly string[], ReturnType<typeof parseNetworks>>();

/** Whether the address lies in one of the networks; they are parsed once per loaded key. */
function isAmong(address: string, list: readonly string[]): boolean {
  const known = parsed.get(list) ?? parseNetworks(list);
  parsed.set(list, known);
  return 'networks' in known && isWithin(address, known.networks);
}

const mayCallFrom = (address: string, { networks }: KeyHolder): boolean =>
  networks.length === 0 || isAmong(address, networks);

interface KeyCaller extends Caller {
  holder: KeyHolder;
}

/** Programs: they show a key with every request. */
export const byKey = ({ store, digestOf }: Pick<HandlerContext, 'store' | 'digestOf'>): Way => ({
  // A missing key is looked up like any other, so that it takes the same time to refuse.
  async find({ apiKey = '' }): Promise<KeyCaller | undefined> {
    const holder = await store.actors.byKey(digestOf(apiKey));
    if (!holder) return undefined;
    const { actor, ownerEmail, plan, keyId } = holder;
    return { actor, ownerEmail, plan, key: holder, keyId, holder };
  },
  refusal({ address }, caller, now) {
    const holder = (caller as KeyCaller | undefined)?.holder;
    const usable = holder && isUsable(holder, now) && mayCallFrom(address, holder);
    return usable ? undefined : fault('unauthenticated');
  },
  lend: () => ({}),
  counts: true,
});
