/** Test rows: members. */
import type { members } from '@drawbridge/contract/v1/members';
import { uniqueText } from '../resources.ts';
import { nothing, byEmail } from './requests.ts';
import type { FurtherRow, RowsOf } from './row.ts';
import { needsUserAdmin } from './rules.ts';

export const membersRows: RowsOf<typeof members, FurtherRow> = {
  'team/member/list': {
    signature: 'GET query plain search offset limit',
    request: nothing,
    outcome: needsUserAdmin,
  },
  'team/member/invite': {
    signature: 'POST body numbered email',
    request: async () => ({ email: `new-${uniqueText()}@example.com` }),
    outcome: needsUserAdmin,
    names: { email: 'new' },
  },
  'team/member/remove': {
    signature: 'POST body numbered email',
    request: byEmail,
    outcome: needsUserAdmin,
    names: { email: 'email' },
  },
  'team/access/effective': {
    signature: 'GET query numbered email agent_id',
    unnumbered: 'internal',
    request: async (it) => ({
      email: (await it.colleague()).email,
      agent_id: (await it.agent()).id,
    }),
    outcome: needsUserAdmin,
    names: { email: 'email', agent_id: 'agent' },
  },
};
