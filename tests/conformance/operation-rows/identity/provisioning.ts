/** Test rows: tokens of identity providers. */
import type { provisioning } from '@drawbridge/contract/v1/provisioning';
import { byScimToken, nothing, withName } from '../requests.ts';
import type { FurtherRow, RowsOf } from '../row.ts';
import { needsUserAdmin } from '../rules.ts';

export const provisioningRows: RowsOf<typeof provisioning, FurtherRow> = {
  'team/scim/token/list': { signature: 'GET query plain', request: nothing, outcome: needsUserAdmin },
  'team/scim/token/create': {
    signature: 'POST body numbered name expires',
    request: withName('name'),
    outcome: needsUserAdmin,
    freshSignIn: true,
  },
  'team/scim/token/remove': {
    signature: 'POST body numbered id',
    request: byScimToken,
    outcome: needsUserAdmin,
    names: { id: 'scimToken' },
    freshSignIn: true,
  },
};
