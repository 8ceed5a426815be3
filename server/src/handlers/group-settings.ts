/** Settings of groups. One function per row of contract/src/v1/group-settings.ts. */
import { fault } from '@drawbridge/contract/faults';
import type { groupSettings as table } from '@drawbridge/contract/v1/group-settings';
import { effectivePolicy } from '../domain/devices/policies.ts';
import type { Handlers } from './handler.ts';

export const groupSettingsHandlers: Handlers<typeof table> = {
  'groups/settings': async ({ granted: [group] }, { store }) => {
    const policies = await store.groups.policy(group.accountId, group.id);
    if (!policies) return fault('not_found');
    const { confirm } = effectivePolicy(policies);
    return { data: { confirm, onetime_url: policies.group.onetime_url ?? 'inherit' } };
  },

  'groups/settings/update': async ({ granted: [{ accountId, id }], input, change }) =>
    change('groups/policy', {
      accountId,
      id,
      policy: { confirm: input.confirm, onetime_url: input.onetime_url },
    }),
};
