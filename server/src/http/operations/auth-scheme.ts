/** How callers authenticate, and the scheme of the API: a key, which may expire and be limited to networks. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import { chain, type MaybePromise } from '@drawbridge/contract/async/maybe-promise';
import { isUsable, type KeyHolder } from '../../domain/people/members.ts';
import type { CallerContext, HandlerContext } from '../../handlers/handler.ts';
import type { RawRequest } from './raw-request.ts';
import { isInNetworks, parseNetworks } from '../connection/client-address.ts';

/** A caller that an auth scheme has identified. */
export interface AuthenticatedCaller extends CallerContext {
  /** Set if the caller used an API key. */
  keyId?: number;
  /** The version of the account's rights on which the caller's rights are based. */
  rightsVersion: number;
}

/** How callers of a table authenticate, and what rejects them before the input is read. */
export interface AuthScheme {
  /** Returns undefined for anonymous callers. */
  authenticate(rawRequest: RawRequest, now: number): MaybePromise<AuthenticatedCaller | undefined>;
  /** Returns a fault to reject the request. Anonymous callers proceed only if this returns undefined. */
  refusal(rawRequest: RawRequest, caller: AuthenticatedCaller | undefined, now: number): Fault | undefined;
  /** Returns what handlers of this scheme receive in addition, such as the browser of the person. */
  extend(rawRequest: RawRequest, caller: AuthenticatedCaller | undefined): object;
  /** Whether requests count towards the plan's limit. */
  countsTowardsQuota: boolean;
}

const parsed = new WeakMap<readonly string[], ReturnType<typeof parseNetworks>>();

/** Networks are parsed once per loaded key. */
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

const toCaller = (holder: KeyHolder): KeyCaller => {
  const { actor, ownerEmail, plan, keyId, rightsVersion } = holder;
  return { actor, ownerEmail, plan, key: holder, rightsVersion, keyId, holder };
};

/** Remembers the digest of the last key of each connection, because most connections use only one. */
function createDigestCache(digestOf: HandlerContext['digestOf']) {
  const known = new WeakMap<object, { apiKey: string; digest: string }>();
  return (connection: object, apiKey: string): string => {
    const last = known.get(connection);
    if (last?.apiKey === apiKey) return last.digest;
    const digest = digestOf(apiKey);
    known.set(connection, { apiKey, digest });
    return digest;
  };
}

/** Programs send a key with every request. */
export function apiKeyScheme({ store, digestOf }: Pick<HandlerContext, 'store' | 'digestOf'>): AuthScheme {
  const digestOn = createDigestCache(digestOf);
  return {
    // A missing key is looked up like any other, so that its refusal takes the same time.
    authenticate: ({ connection, apiKey = '' }) =>
      chain(store.actors.byKey(digestOn(connection, apiKey)), (holder) => holder && toCaller(holder)),
    refusal({ address }, caller, now) {
      const holder = (caller as KeyCaller | undefined)?.holder;
      const usable = holder && isUsable(holder, now) && mayCallFrom(address, holder);
      return usable ? undefined : fault('unauthenticated');
    },
    extend: () => ({}),
    countsTowardsQuota: true,
  };
}
