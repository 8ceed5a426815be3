/** Test rows: settings of groups. */
import type { groupSettings } from '@drawbridge/contract/v1/group-settings';
import { byGroup } from './requests.ts';
import type { FurtherRow, RowsOf } from './row.ts';
import { changesGroup } from './rules.ts';

export const groupSettingsRows: RowsOf<typeof groupSettings, FurtherRow> = {
  'groups/settings': {
    signature: 'GET query plain id',
    request: byGroup,
    outcome: changesGroup,
    names: { id: 'group' },
  },
  'groups/settings/update': {
    signature: 'POST body numbered id confirm onetime_url',
    request: async (it) => ({ id: await it.group(), confirm: 'ask', onetime_url: 'forbid' }),
    outcome: changesGroup,
    names: { id: 'group' },
    freshSignIn: true,
  },
};
