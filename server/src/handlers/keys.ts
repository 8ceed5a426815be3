/** API keys. One function per row of contract/src/v1/keys.ts. */
import { fault, isFault } from '@drawbridge/contract/faults';
import type { keys as table } from '@drawbridge/contract/v1/keys';
import type { Actor } from '../domain/people/access.ts';
import { isExpired, deriveKeyLimits, visiblePrefixLength } from '../domain/people/members.ts';
import type { Handlers } from './handler.ts';

/** Owners can see and revoke all keys, other members only their own. */
const keyScopeOf = (actor: Actor): number | 'all' => (actor.owner ? 'all' : actor.memberId);

export const keyHandlers: Handlers<typeof table> = {
  'keys/list': async ({ actor }, { store, now }) => {
    const found = await store.members.keys(actor.accountId, keyScopeOf(actor));
    return {
      data: found.map((key) => ({
        id: key.id,
        name: key.name,
        prefix: key.prefix,
        email: key.email,
        create_time: key.createTime,
        ...(key.expireTime !== null && { expires: key.expireTime }),
        ...(key.lastUsedTime !== null && { last_used: key.lastUsedTime }),
        networks: [...key.networks],
        expired: isExpired(key, now()),
      })),
    };
  },

  'keys/create': async ({ actor, key, input, change }, { random, digestOf, now }) => {
    if (input.expires !== undefined && input.expires <= now())
      return fault('invalid', { field: 'expires', message: 'expires must be in the future.' });
    const limits = deriveKeyLimits(key, { expireTime: input.expires ?? null, networks: input.networks });
    if (isFault(limits)) return limits;
    const secret = random.apiKey();
    const outcome = await change('keys/create', {
      accountId: actor.accountId,
      memberId: actor.memberId,
      key: {
        digest: digestOf(secret),
        prefix: secret.slice(0, visiblePrefixLength),
        name: input.name,
        ...limits,
      },
    });
    return isFault(outcome) ? outcome : { id: outcome.id, api_key: secret };
  },

  'keys/revoke': async ({ actor, input, change }) =>
    change('keys/revoke', { accountId: actor.accountId, memberId: keyScopeOf(actor), id: input.id }),
};
