/** A request to an operation before authentication and parsing. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Fault } from '@drawbridge/contract/faults';
import type { IncomingBody } from '../../handlers/handler.ts';
import { clientOfRequest, type Networks } from '../connection/client-address.ts';
import type { RawInput } from './input.ts';
import { legacyKey } from './legacy.ts';
import { parseQuery } from './query.ts';

export interface RawRequest extends RawInput {
  method: string;
  headers: IncomingHttpHeaders;
  apiKey: string | undefined;
  address: string;
  /** True if the request uses the older form of the API; the response then uses it too. */
  legacy: boolean;
  /** Why the body could not be read. The caller is told only after authentication. */
  refused?: Fault | undefined;
  /** The body, if the row takes a file. Only the handler reads it, after all rights were checked. */
  incoming?: IncomingBody | undefined;
}

export function toRawRequest(
  request: IncomingMessage,
  body: Buffer | undefined,
  { legacyApi, trustedProxies }: { legacyApi: boolean; trustedProxies: Networks },
): RawRequest {
  const { url = '', headers, method = '' } = request;
  const mark = url.indexOf('?');
  const query = mark < 0 ? '' : url.slice(mark + 1);
  const key = headers['x-api-key'];
  const oldKey = legacyApi && key === undefined ? legacyKey(parseQuery(query)) : undefined;
  return {
    method,
    headers,
    apiKey: oldKey ?? (typeof key === 'string' ? key : undefined),
    address: clientOfRequest(request, trustedProxies).address,
    legacy: oldKey !== undefined,
    query,
    body,
  };
}
