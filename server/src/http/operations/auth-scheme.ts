/** Who asks: by the key a request carries, and whether it may be used now and from there. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import { isUsable, type KeyHolder } from '../../domain/members.ts';
import type { CallerContext, HandlerContext } from '../../handlers/handler.ts';
import type { RawRequest } from './raw-request.ts';
import { isInNetworks, parseNetworks } from '../connection/client-address.ts';

/** Somebody who is known, by whichever auth scheme. */
export interface AuthenticatedCaller extends CallerContext {
  /** The key they came with, where they did. */
  keyId?: number;
}

/** How callers of a table show who they are, and what is held against them before anything of a request is read. */
export interface AuthScheme {
  /** Undefined where nothing says who it is. */
  authenticate(rawRequest: RawRequest, now: number): Promise<AuthenticatedCaller | undefined>;
  /** Why this is refused, whatever rights there are; who is undefined goes on only where this says nothing. */
  refusal(rawRequest: RawRequest, caller: AuthenticatedCaller | undefined, now: number): Fault | undefined;
  /** What a request carries beside its input: who is known to this scheme alone, and from where they ask. */
  extend(rawRequest: RawRequest, caller: AuthenticatedCaller | undefined): object;
  /** Whether requests count towards the plan's limit. */
  countsTowardsQuota: boolean;
}

const parsed = new WeakMap<readonly string[], ReturnType<typeof parseNetworks>>();

/** Whether the address lies in one of the networks; they are parsed once per loaded key. */
function isInList(address: string, list: readonly string[]): boolean {
  const known = parsed.get(list) ?? parseNetworks(list);
  parsed.set(list, known);
  return 'networks' in known && isInNetworks(address, known.networks);
}

const mayCallFrom = (address: string, { networks }: KeyHolder): boolean =>
  networks.length === 0 || isInList(address, networks);

interface KeyCaller extends AuthenticatedCaller {
  holder: KeyHolder;
}

/** Programs: they show a key with every request. */
export const apiKeyScheme = ({
  store,
  digestOf,
}: Pick<HandlerContext, 'store' | 'digestOf'>): AuthScheme => ({
  // A missing key is looked up like any other, so that it takes the same time to refuse.
  async authenticate({ apiKey = '' }): Promise<KeyCaller | undefined> {
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
  extend: () => ({}),
  countsTowardsQuota: true,
});
