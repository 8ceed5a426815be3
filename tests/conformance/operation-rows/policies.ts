/** Test rows: policies of devices. */
import type { policies } from '@drawbridge/contract/v1/policies';
import { nothing, byAgentId, byGroup } from './requests.ts';
import type { FurtherRow, RowsOf } from './row.ts';
import { changesGroup, needsDevice, needsUserAdmin } from './rules.ts';

const settings =
  'confirm notice recording clipboard files terminal sound printing direct idle_timeout onetime_url update_channel' as const;
const values = { confirm: 'always', files: 'from_device', idle_timeout: '15m', terminal: 'inherit' } as const;

export const policyRows: RowsOf<typeof policies, FurtherRow> = {
  'agents/policy': {
    signature: 'GET query plain agent_id',
    request: byAgentId,
    outcome: needsDevice('agent_change_settings'),
    names: { agent_id: 'agent' },
  },
  'agents/policy/update': {
    signature: `POST body numbered agent_id ${settings}`,
    request: async (it) => ({ agent_id: (await it.agent()).id, ...values }),
    outcome: needsDevice('agent_change_settings'),
    names: { agent_id: 'agent' },
    freshSignIn: true,
  },
  'groups/policy': {
    signature: 'GET query plain id',
    request: byGroup,
    outcome: changesGroup,
    names: { id: 'group' },
  },
  'groups/policy/update': {
    signature: `POST body numbered id ${settings}`,
    request: async (it) => ({ id: await it.group(), ...values }),
    outcome: changesGroup,
    names: { id: 'group' },
    freshSignIn: true,
  },
  'account/policy': { signature: 'GET query plain', request: nothing, outcome: needsUserAdmin },
  'account/policy/update': {
    signature: `POST body numbered ${settings}`,
    request: async () => values,
    outcome: needsUserAdmin,
    freshSignIn: true,
  },
};
