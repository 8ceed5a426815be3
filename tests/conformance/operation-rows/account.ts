/** Test rows: the plan and the audit log. */
import type { account } from '@drawbridge/contract/v1/account';
import { nothing } from './requests.ts';
import type { FurtherRow, RowsOf } from './row.ts';
import { needsTeam } from './rules.ts';

export const accountRows: RowsOf<typeof account, FurtherRow> = {
  'plan/info': { signature: 'GET query plain', request: nothing, outcome: needsTeam('team_billing_admin') },
  'audit/list': {
    signature: 'GET query plain operation email date_from date_to offset limit',
    request: nothing,
    outcome: needsTeam('team_security_log_admin'),
    names: { email: { filter: 'email' } },
  },
  'audit/verify': {
    signature: 'GET query plain',
    request: nothing,
    outcome: needsTeam('team_security_log_admin'),
  },
};
