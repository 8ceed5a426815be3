/** Test rows: how devices join an account. */
import type { enrolment } from '@drawbridge/contract/v1/enrolment';
import { nothing, byAgent } from './requests.ts';
import type { FurtherRow, RowsOf } from './row.ts';
import { needsUserAdmin, devicesIn } from './rules.ts';

export const enrolmentRows: RowsOf<typeof enrolment, FurtherRow> = {
  'agents/enroll/create': {
    signature: 'POST body numbered group_id uses expires',
    request: nothing,
    outcome: devicesIn,
    names: { group_id: 'group' },
  },
  'agents/enroll/list': { signature: 'GET query plain', request: nothing, outcome: devicesIn },
  'agents/enroll/revoke': {
    signature: 'POST body numbered id',
    request: async (it) => ({ id: await it.token() }),
    outcome: devicesIn,
    names: { id: 'token' },
  },
  'agents/pending': { signature: 'GET query plain', request: nothing, outcome: devicesIn },
  'agents/approve': {
    signature: 'POST body numbered id',
    request: byAgent,
    outcome: devicesIn,
    names: { id: 'agent' },
  },
  'account/info': { signature: 'GET query plain', request: nothing, outcome: needsUserAdmin },
  'account/update': {
    signature: 'POST body numbered approve_devices record onetime_url',
    request: async () => ({ approve_devices: true, record: false, onetime_url: 'forbid' }),
    outcome: needsUserAdmin,
  },
};
