/** What the edge knows of a request to an operation, before anything of it is believed. */
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
  /** Whether it is asked in the older form, and answered so. */
  legacy: boolean;
  /** Why the body could not be read; whether to say so is decided where everything else is. */
  refused?: Fault | undefined;
  /** The body, where the row takes a file: read only by whoever may add it. */
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
  const old = legacyApi && key === undefined ? legacyKey(parseQuery(query)) : undefined;
  return {
    method,
    headers,
    apiKey: old ?? (typeof key === 'string' ? key : undefined),
    address: clientOfRequest(request, trustedProxies).address,
    legacy: old !== undefined,
    query,
    body,
  };
}
