/** Permanent access: groups of devices. One function per row of contract/src/v1/groups.ts. */
import { chain } from '@drawbridge/contract/async/maybe-promise';
import type { groups as table } from '@drawbridge/contract/v1/groups';
import type { Handlers } from './handler.ts';

export const groupHandlers: Handlers<typeof table> = {
  'groups/list': ({ actor, granted: [scope] }, { store }) =>
    chain(store.groups.list(actor.accountId, scope), (found) => ({
      data: found.map(({ id, name }) => ({ id, name })),
    })),

  'groups/create': async ({ actor, input, change }) =>
    change('groups/create', { accountId: actor.accountId, ...input }),

  'groups/edit': async ({ granted: [group], input, change }) =>
    change('groups/edit', { accountId: group.accountId, ...input }),

  'groups/remove': async ({ granted: [group], change }) =>
    change('groups/remove', { accountId: group.accountId, id: group.id }),

  'groups/agent/insert': async ({ actor, granted: [group, agent], change }) =>
    change('agents/move', {
      accountId: actor.accountId,
      by: actor.memberId,
      id: agent.id,
      groupId: group.id,
    }),

  'groups/agent/remove': async ({ actor, granted: [agent], change }) =>
    change('agents/move', { accountId: actor.accountId, by: actor.memberId, id: agent.id, groupId: null }),
};
