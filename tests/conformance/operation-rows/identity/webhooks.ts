/** Test rows: webhooks. */
import type { webhooks } from '@drawbridge/contract/v1/webhooks';
import { unreachableProvider } from '../../resources.ts';
import { byWebhook, nothing, withName } from '../requests.ts';
import type { FurtherRow, MakeRequest, RowsOf } from '../row.ts';
import { needsUserAdmin } from '../rules.ts';

const names = { id: 'webhook' } as const;

const wholeWebhook: MakeRequest = async (it, service) => ({
  ...(await withName('name')(it, service)),
  url: unreachableProvider,
});

export const webhooksRows: RowsOf<typeof webhooks, FurtherRow> = {
  'team/webhook/list': { signature: 'GET query plain', request: nothing, outcome: needsUserAdmin },
  'team/webhook/create': {
    signature: 'POST body numbered name url ca_cert events enabled',
    request: wholeWebhook,
    outcome: needsUserAdmin,
    freshSignIn: true,
  },
  'team/webhook/update': {
    signature: 'POST body numbered id name url ca_cert events enabled',
    request: withName('name', byWebhook),
    outcome: needsUserAdmin,
    names,
    freshSignIn: true,
  },
  'team/webhook/renew': {
    signature: 'POST body numbered id',
    request: byWebhook,
    outcome: needsUserAdmin,
    names,
    freshSignIn: true,
  },
  'team/webhook/remove': {
    signature: 'POST body numbered id',
    request: byWebhook,
    outcome: needsUserAdmin,
    names,
    freshSignIn: true,
  },
  'team/webhook/test': {
    signature: 'POST body numbered id',
    request: byWebhook,
    outcome: needsUserAdmin,
    names,
  },
};
