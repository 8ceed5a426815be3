/** Test rows: updates of agents. */
import type { updates } from '@drawbridge/contract/v1/updates';
import { byAgent, nothing } from './requests.ts';
import type { FurtherRow, RowsOf } from './row.ts';
import { devicesIn, needsDevice } from './rules.ts';

export const updatesRows: RowsOf<typeof updates, FurtherRow> = {
  'agents/updates/status': { signature: 'GET query plain', request: nothing, outcome: devicesIn },
  'agents/updates/settings': { signature: 'GET query plain', request: nothing, outcome: devicesIn },
  'agents/updates/settings/update': {
    signature: 'POST body numbered enabled window_start window_end groups canary failure_percent per_minute',
    request: async (it) => ({
      enabled: true,
      window_start: 22,
      window_end: 5,
      groups: [await it.group()],
      canary: 3,
      failure_percent: 10,
      per_minute: 20,
    }),
    outcome: devicesIn,
  },
  'agents/updates/pause': { signature: 'POST body numbered', request: nothing, outcome: devicesIn },
  'agents/updates/resume': { signature: 'POST body numbered', request: nothing, outcome: devicesIn },
  'agents/updates/devices': {
    signature: 'GET query plain state offset limit',
    request: nothing,
    outcome: devicesIn,
  },
  'agents/updates/info': {
    signature: 'GET query plain id',
    request: byAgent,
    outcome: needsDevice('agent_change_settings'),
    names: { id: 'agent' },
  },
  'agents/updates/pin': {
    signature: 'POST body numbered id pin',
    request: async (it, service) => ({ ...(await byAgent(it, service)), pin: '1.4.2' }),
    outcome: needsDevice('agent_change_settings'),
    names: { id: 'agent' },
  },
};
