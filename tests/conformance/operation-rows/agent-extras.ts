/** Test rows: locks, favorites, programs, duplicates, settings and notes of devices. */
import type { agentExtras } from '@drawbridge/contract/v1/agent-extras';
import { nothing, byAgentId, byAgent, withName } from './requests.ts';
import type { FurtherRow, RowsOf } from './row.ts';
import { needsDevice, everyone, anyOnDevice } from './rules.ts';

export const agentExtrasRows: RowsOf<typeof agentExtras, FurtherRow> = {
  'agents/lock': {
    signature: 'POST body numbered id',
    request: byAgent,
    outcome: needsDevice('agent_lock_screen'),
    names: { id: 'agent' },
  },
  'agents/favorite': {
    signature: 'POST body numbered id favorite',
    request: async (it) => ({ id: (await it.agent()).id, favorite: true }),
    outcome: anyOnDevice,
    names: { id: 'agent' },
  },
  'agents/software': {
    signature: 'GET query plain agent_id',
    request: byAgentId,
    outcome: needsDevice('agent_program_list'),
    names: { agent_id: 'agent' },
  },
  'agents/duplicates': { signature: 'GET query plain', request: nothing, outcome: everyone },
  'agents/copied/clear': {
    signature: 'POST body numbered id',
    request: byAgent,
    outcome: needsDevice('agent_change_settings'),
    names: { id: 'agent' },
  },
  'agents/settings': {
    signature: 'GET query plain agent_id',
    request: byAgentId,
    outcome: needsDevice('agent_change_settings'),
    names: { agent_id: 'agent' },
  },
  'agents/settings/update': {
    signature: 'POST body numbered agent_id onetime_url',
    request: async (it) => ({ agent_id: (await it.agent()).id, onetime_url: 'forbid' }),
    outcome: needsDevice('agent_change_settings'),
    names: { agent_id: 'agent' },
  },
  'agents/notes': {
    signature: 'GET query plain agent_id',
    request: byAgentId,
    outcome: anyOnDevice,
    names: { agent_id: 'agent' },
  },
  'agents/notes/update': {
    signature: 'POST body numbered agent_id notes before',
    request: withName('notes', byAgentId),
    outcome: needsDevice('agent_change_settings'),
    names: { agent_id: 'agent' },
  },
};
