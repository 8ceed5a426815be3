/** Team: tokens of identity providers. One function per row of contract/src/v1/provisioning.ts. */
import { fault, isFault } from '@drawbridge/contract/faults';
import type { provisioning as table } from '@drawbridge/contract/v1/provisioning';
import { findCreatorProblem } from '../../domain/scim/token.ts';
import { isExpired, visiblePrefixLength } from '../../domain/people/members.ts';
import { scimPrefix } from '../../domain/scim/attributes.ts';
import type { Handlers } from '../handler.ts';

export const provisioningHandlers: Handlers<typeof table> = {
  'team/scim/token/list': async ({ actor: { accountId } }, { store, now, publicUrl }) => {
    const found = await store.provisioning.tokens(accountId);
    return {
      base_url: publicUrl + scimPrefix,
      ...(await store.provisioning.counts(accountId)),
      data: found.map(({ actor, ...token }) => {
        const expired = isExpired(token, now());
        const problem = expired ? 'expired' : (findCreatorProblem(actor) ?? '');
        return {
          id: token.id,
          name: token.name,
          prefix: token.prefix,
          email: token.email,
          create_time: token.createTime,
          ...(token.expireTime !== null && { expires: token.expireTime }),
          ...(token.lastUsedTime !== null && { last_used: token.lastUsedTime }),
          expired,
          usable: problem === '',
          problem,
        };
      }),
    };
  },

  'team/scim/token/create': async ({ actor, input, change }, { random, digestOf, now, publicUrl }) => {
    if (input.expires !== undefined && input.expires <= now())
      return fault('invalid', { field: 'expires', message: 'expires must be in the future.' });
    const token = random.apiKey();
    const outcome = await change('scim/token-create', {
      accountId: actor.accountId,
      memberId: actor.memberId,
      token: {
        digest: digestOf(token),
        prefix: token.slice(0, visiblePrefixLength),
        name: input.name,
        expireTime: input.expires ?? null,
      },
    });
    return isFault(outcome) ? outcome : { id: outcome.id, base_url: publicUrl + scimPrefix, token };
  },

  'team/scim/token/remove': async ({ actor, input, change }) =>
    change('scim/token-remove', { accountId: actor.accountId, id: input.id }),
};
