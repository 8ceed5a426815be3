/** Test rows: devices. */
import type { agents } from '@drawbridge/contract/v1/agents';
import { nothing, byAgentId, byAgent, withName } from './requests.ts';
import type { RowsOf } from './row.ts';
import { needs, needsDevice, everyone, anyOnDevice } from './rules.ts';

export const agentsRows: RowsOf<typeof agents> = {
  'agents/list': {
    request: nothing,
    outcome: everyone,
    names: { group_id: { filter: 'group' } },
  },
  'agents/info': {
    request: byAgentId,
    outcome: anyOnDevice,
    names: { agent_id: 'agent' },
  },
  'agents/update': {
    request: withName('name', byAgent),
    outcome: needsDevice('agent_change_settings'),
    names: { id: 'agent' },
  },
  'agents/connect': {
    request: byAgentId,
    outcome: needsDevice('agent_connect'),
    names: { agent_id: 'agent', device_id: 'device' },
  },
  'agents/reboot': {
    request: byAgent,
    outcome: needsDevice('agent_reboot'),
    names: { id: 'agent' },
  },
  'agents/wake': {
    request: async (it, service) => (await it.target(), byAgent(it, service)),
    outcome: needsDevice('agent_wake_on_lan'),
    names: { id: 'agent' },
  },
  'agents/logout': {
    request: byAgent,
    outcome: needsDevice('agent_logout'),
    names: { id: 'agent' },
  },
  'agents/merge': {
    request: async (it) => ({
      agent_id: (await it.agent()).id,
      target_agent_id: (await it.target()).id,
    }),
    outcome: needs((held) => held.device('agent_logout') && held.target('agent_change_settings')),
    names: { agent_id: 'agent', device_id: 'device', target_agent_id: 'agent', target_device_id: 'device' },
  },
};
