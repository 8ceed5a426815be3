/** Test rows: quick support. */
import type { support } from '@drawbridge/contract/v1/support';
import { nothing, byInvitation, withName } from './requests.ts';
import type { RowsOf } from './row.ts';
import { inviter, foreignInvitation } from './rules.ts';

export const supportOperationRows: RowsOf<typeof support> = {
  'support/list': { request: nothing, outcome: inviter },
  'support/info': {
    request: byInvitation,
    outcome: foreignInvitation(),
    names: { connection_id: 'invitation' },
  },
  'support/create': { request: withName('client_name'), outcome: inviter },
  'support/update': {
    request: withName('name', byInvitation),
    outcome: foreignInvitation(),
    names: { connection_id: 'invitation' },
    emptyName: true,
  },
  'support/connect': {
    request: byInvitation,
    outcome: foreignInvitation((held) => held.quick('agent_connect')),
    names: { connection_id: 'invitation' },
  },
  'support/close': {
    request: byInvitation,
    outcome: foreignInvitation(),
    names: { connection_id: 'invitation' },
    reply: 'empty',
  },
};
