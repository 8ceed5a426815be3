/** Loads requests for access, and what can be asked for. */
import { get, type OutputOf } from '../api.ts';
import { useResource } from '../resource.ts';
import type { Resource } from '../resource-types.ts';

export type RequestOptions = OutputOf<'v1/team/access/request/options'>;
type RequestPage = OutputOf<'v1/team/access/request/list'>;
export type AccessRequest = RequestPage['data'][number];
export type AccessRequestState = AccessRequest['state'];

/** How many requests the page shows. */
const shownRequests = 100;

export const useRequests = (state: AccessRequestState | ''): Resource<RequestPage> =>
  useResource(
    `requests ${state}`,
    (options) =>
      get('v1/team/access/request/list', { limit: shownRequests, ...(state !== '' && { state }) }, options),
    ['team', 'me'],
  );

export const useRequestOptions = (): Resource<RequestOptions> =>
  useResource('request options', (options) => get('v1/team/access/request/options', {}, options), [
    'team',
    'me',
  ]);
