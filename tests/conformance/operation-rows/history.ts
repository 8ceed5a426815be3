/** Test rows: past connections. */
import type { history } from '@drawbridge/contract/v1/history';
import { nothing } from './requests.ts';
import type { FurtherRow, RowsOf } from './row.ts';
import { needsDevice, everyone } from './rules.ts';

export const historyRows: RowsOf<typeof history, FurtherRow> = {
  'history/list': {
    signature: 'GET query plain kind agent_id support_id date_from date_to video email offset limit',
    request: nothing,
    outcome: everyone,
    names: {
      agent_id: { filter: 'agent' },
      support_id: { filter: 'invitation' },
      email: { filter: 'email' },
    },
  },
  'history/export': {
    signature: 'GET query plain kind agent_id support_id date_from date_to video email',
    request: nothing,
    outcome: everyone,
    names: {
      agent_id: { filter: 'agent' },
      support_id: { filter: 'invitation' },
      email: { filter: 'email' },
    },
    reply: 'text/csv; charset=utf-8',
  },
  'history/video/remove': {
    signature: 'POST body numbered id',
    request: async (it) => ({ id: await it.recorded() }),
    outcome: needsDevice('agent_remove_video'),
    names: { id: 'session' },
  },
};
