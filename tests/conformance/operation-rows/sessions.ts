/** Test rows: running connections. */
import type { sessions } from '@drawbridge/contract/v1/sessions';
import { nothing, bySession, withName } from './requests.ts';
import type { FurtherRow, RowsOf } from './row.ts';
import { needsDevice, everyone } from './rules.ts';

export const sessionsRows: RowsOf<typeof sessions, FurtherRow> = {
  'sessions/list': {
    signature: 'GET query plain agent_id support_id offset limit',
    request: nothing,
    outcome: everyone,
    names: { agent_id: { filter: 'agent' }, support_id: { filter: 'invitation' } },
  },
  'sessions/close': {
    signature: 'POST body numbered id',
    request: bySession,
    outcome: needsDevice('agent_connect'),
    names: { id: 'session' },
  },
  'sessions/note': {
    signature: 'POST body numbered id note',
    request: withName('note', bySession),
    outcome: needsDevice('agent_connect'),
    names: { id: 'session' },
  },
};
