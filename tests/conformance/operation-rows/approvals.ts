/** Test rows: the second person on devices with four eyes. */
import type { approvals } from '@drawbridge/contract/v1/approvals';
import { signedExample } from '../waiting-session.ts';
import { byAgentId } from './requests.ts';
import type { FurtherRow, RowsOf } from './row.ts';
import { anyOnDevice } from './rules.ts';

export const approvalsRows: RowsOf<typeof approvals, FurtherRow> = {
  'agents/approval/list': {
    signature: 'GET query plain agent_id',
    request: byAgentId,
    outcome: anyOnDevice,
    openWithoutParameters: true,
    names: { agent_id: 'agent' },
  },
  'agents/approval/sign': {
    signature: 'POST body numbered agent_id approval',
    request: async (it) => ({ agent_id: (await it.agent()).id, approval: signedExample }),
    outcome: anyOnDevice,
    names: { agent_id: 'agent' },
  },
};
