/** Test rows: API keys. */
import type { keys } from '@drawbridge/contract/v1/keys';
import { nothing, withName } from './requests.ts';
import type { FurtherRow, RowsOf } from './row.ts';
import { needsTeam, foreignKey } from './rules.ts';

export const keysRows: RowsOf<typeof keys, FurtherRow> = {
  'keys/list': { signature: 'GET query plain', request: nothing, outcome: needsTeam('team_api_key') },
  'keys/create': {
    signature: 'POST body numbered name expires networks',
    request: withName('name'),
    outcome: needsTeam('team_api_key'),
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
