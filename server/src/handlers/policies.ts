/** Policies of devices. One function per row of contract/src/v1/policies.ts. */
import { fault } from '@drawbridge/contract/faults';
import type { policies as table } from '@drawbridge/contract/v1/policies';
import { enforcesPolicy, explainPolicy } from '../domain/devices/policies.ts';
import type { Handlers } from './handler.ts';

export const policyHandlers: Handlers<typeof table> = {
  'agents/policy': async ({ granted: [agent] }) => ({
    data: explainPolicy(agent.policies),
    enforced: enforcesPolicy(agent),
  }),

  'agents/policy/update': async ({ granted: [{ accountId, id }], input, change }) => {
    const { agent_id: _, ...policy } = input;
    return change('agents/policy', { accountId, id, policy });
  },

  'groups/policy': async ({ granted: [{ accountId, id }] }, { store }) => {
    const policies = await store.groups.policy(accountId, id);
    return policies ? { data: explainPolicy(policies) } : fault('not_found');
  },

  'groups/policy/update': async ({ granted: [{ accountId, id }], input, change }) => {
    const { id: _, ...policy } = input;
    return change('groups/policy', { accountId, id, policy });
  },

  'account/policy': async ({ actor: { accountId } }, { store }) => {
    const { policy } = await store.accounts.settings(accountId);
    return { data: explainPolicy({ account: policy }) };
  },

  'account/policy/update': async ({ actor: { accountId }, input, change }) =>
    change('accounts/settings', { accountId, policy: input }),
};
