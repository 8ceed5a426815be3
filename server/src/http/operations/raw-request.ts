/** A request to an operation before authentication and parsing. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Fault } from '@drawbridge/contract/faults';
import type { IncomingBody } from '../../handlers/handler.ts';
import type { Exchange } from '../exchange.ts';
import type { RawInput } from './input.ts';
import { legacyKeysOf, type LegacyForm } from './legacy.ts';
import { queryOf } from './query.ts';

export interface RawRequest extends RawInput {
  method: string;
  headers: IncomingHttpHeaders;
  /** Identifies the connection: most clients send all requests of one with the same key. */
  connection: object;
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
  { request, address, body }: Exchange,
  legacy: LegacyForm | undefined,
  refused: Fault | undefined,
  incoming: IncomingBody | undefined,
): RawRequest {
  const { url, headers, method = '', socket } = request;
  const key = headers['x-api-key'];
  const legacyKeys = legacy ? legacyKeysOf(request) : [];
  return {
    method,
    headers,
    connection: socket,
    apiKey: legacyKeys.length === 1 ? legacyKeys[0] : typeof key === 'string' ? key : undefined,
    address,
    legacy: legacyKeys.length > 0,
    query: queryOf(url),
    body,
    refused,
    incoming,
  };
}
