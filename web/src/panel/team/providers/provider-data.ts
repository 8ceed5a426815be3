/** Loads the identity providers of the account. */
import { get, type OutputOf } from '../../api.ts';
import { useResource } from '../../resource.ts';
import type { Resource } from '../../resource-types.ts';

type Providers = OutputOf<'v1/team/provider/list'>;
export type Provider = Providers['data'][number];

export const useProviders = (): Resource<Providers> =>
  useResource('providers', (options) => get('v1/team/provider/list', {}, options), ['team']);

export const providerHref = (id: number): string => `/panel/team/providers/${id}`;
