/** Loads the webhooks of the account. */
import { get, type OutputOf } from '../../api.ts';
import { useResource } from '../../resource.ts';
import type { Resource } from '../../resource-types.ts';

type Webhooks = OutputOf<'v1/team/webhook/list'>;
export type Webhook = Webhooks['data'][number];

export const useWebhooks = (): Resource<Webhooks> =>
  useResource('webhooks', (options) => get('v1/team/webhook/list', {}, options), ['team']);
