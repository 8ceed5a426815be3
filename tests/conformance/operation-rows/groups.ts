/** Test rows: groups. */
import type { groups } from '@drawbridge/contract/v1/groups';
import { nothing, byAgentId, byGroup, withName } from './requests.ts';
import type { RowsOf } from './row.ts';
import { needs, needsDevice, needsTeam, everyone, changesGroup } from './rules.ts';

export const groupsRows: RowsOf<typeof groups> = {
  'groups/list': { request: nothing, outcome: everyone },
  'groups/create': { request: withName('name'), outcome: needsTeam('team_permanent_access') },
  'groups/edit': {
    request: withName('name', byGroup),
    outcome: changesGroup,
    names: { id: 'group' },
  },
  'groups/remove': {
    request: byGroup,
    outcome: changesGroup,
    names: { id: 'group' },
  },
  'groups/agent/insert': {
    request: async (it) => ({ id: await it.group(), agent_id: (await it.agent()).id }),
    outcome: needs((held) => held.device('agent_change_settings') && held.group('agent_change_settings')),
    names: { id: 'group', agent_id: 'agent' },
  },
  'groups/agent/remove': {
    request: byAgentId,
    outcome: needsDevice('agent_change_settings'),
    names: { agent_id: 'agent' },
  },
};
