/** Test rows: access for a while. */
import type { accessRequests } from '@drawbridge/contract/v1/access-requests';
import { must } from '../../../kit/server/account.ts';
import { uniqueText } from '../../resources.ts';
import { nothing } from '../requests.ts';
import type { FurtherRow, MakeRequest, RowsOf } from '../row.ts';
import { everyone, needsUserAdmin, type Rule } from '../rules.ts';

/** Those who see nothing of the device are told that it does not exist. */
const seesDevice: Rule = (held) => (held.anyOnDevice ? 'done' : 'not_found');
/** The request belongs to another member: only those who decide see it. */
const foreignRequest: Rule = (held) => (held.team('team_user_admin') ? 'done' : 'not_found');

const wanted: MakeRequest = async (it, { server: { store } }) => {
  const role = { name: `role ${uniqueText()}`, type: 'agent', description: '' } as const;
  const permissions = ['agent_chat'] as const;
  const { id } = await must(store, 'roles/create', { accountId: it.account.id, ...role, permissions });
  return { role_id: id, agent_id: (await it.agent()).id, reason: 'The printer is stuck', minutes: 60 };
};
const inEmergency: MakeRequest = async (it, service) => {
  const { id: accountId, owner } = it.account;
  await must(service.server.store, 'requests/settings', { accountId, by: owner.id, emergency: true });
  return wanted(it, service);
};
const byRequest: MakeRequest = async (it) => ({ id: await it.request() });
const signature = 'POST body numbered role_id agent_id group_id reason minutes';
const names = { role_id: 'role', agent_id: 'agent', group_id: 'group' } as const;

export const accessRequestsRows: RowsOf<typeof accessRequests, FurtherRow> = {
  'team/access/request/create': { signature, request: wanted, outcome: seesDevice, names },
  'team/access/request/list': {
    signature: 'GET query plain state own offset limit',
    request: nothing,
    outcome: everyone,
  },
  'team/access/request/options': { signature: 'GET query plain', request: nothing, outcome: everyone },
  'team/access/request/approve': {
    signature: 'POST body numbered id minutes',
    request: byRequest,
    outcome: needsUserAdmin,
    names: { id: 'request' },
    freshSignIn: true,
  },
  'team/access/request/deny': {
    signature: 'POST body numbered id reason',
    request: async (it, service) => ({ ...(await byRequest(it, service)), reason: 'Not today' }),
    outcome: needsUserAdmin,
    names: { id: 'request' },
  },
  'team/access/request/cancel': {
    signature: 'POST body numbered id',
    request: byRequest,
    outcome: foreignRequest,
    names: { id: 'request' },
  },
  'team/access/emergency': { signature, request: inEmergency, outcome: seesDevice, names, freshSignIn: true },
  'team/access/request/settings': {
    signature: 'POST body numbered max_minutes emergency',
    request: async () => ({ max_minutes: 60 }),
    outcome: needsUserAdmin,
    freshSignIn: true,
  },
};
