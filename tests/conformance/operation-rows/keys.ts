/** Test rows: API keys. */
import type { keys } from '@drawbridge/contract/v1/keys';
import { nothing, named } from './requests.ts';
import type { FurtherRow, RowsOf } from './row.ts';
import { team, foreignKey } from './rules.ts';

export const keysRows: RowsOf<typeof keys, FurtherRow> = {
  'keys/list': { signature: 'GET query plain', request: nothing, outcome: team('team_api_key') },
  'keys/create': {
    signature: 'POST body numbered name expires networks',
    request: named('name'),
    outcome: team('team_api_key'),
    freshSignIn: true,
  },
  'keys/revoke': {
    signature: 'POST body numbered id',
    request: async (it) => ({ id: await it.key() }),
    outcome: foreignKey,
    names: { id: 'key' },
    freshSignIn: true,
  },
};
