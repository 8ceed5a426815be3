/** Settings of groups. One function per row of contract/src/v1/group-settings.ts. */
import { fault } from '@drawbridge/contract/faults';
import type { groupSettings as table } from '@drawbridge/contract/v1/group-settings';
import type { Handlers } from './handler.ts';

export const groupSettingsHandlers: Handlers<typeof table> = {
  'groups/settings': async ({ granted: [group] }, { store }) => {
    const settings = await store.groups.settings(group.accountId, group.id);
    if (!settings) return fault('not_found');
    return { data: { confirm: settings.confirm, onetime_url: settings.onetime } };
  },

  'groups/settings/update': async ({ granted: [group], input, change }) =>
    change('groups/settings', {
      accountId: group.accountId,
      id: group.id,
      ...(input.confirm !== undefined && { confirm: input.confirm }),
      ...(input.onetime_url !== undefined && { onetime: input.onetime_url }),
    }),
};
