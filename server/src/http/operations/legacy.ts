/** The older form of the API, for scripts that send their key in the query. It is off by default. */
import type { IncomingMessage } from 'node:http';
import { isFault, type Fault } from '@drawbridge/contract/faults';
import type { Operation } from '@drawbridge/contract/operation';
import type { AddressRange } from '../../domain/networks.ts';
import { queryOf } from './query.ts';
import { joinValue, type RenderedFields } from './rendered.ts';

export interface LegacyForm {
  /** The network in which the location database lists an address. */
  rangeOf(address: string): AddressRange | undefined;
}

/** The keys in the query of a request that has none in its header: with at least one, the request is in the older form. */
export const legacyKeysOf = ({ url, headers }: Pick<IncomingMessage, 'url' | 'headers'>): string[] =>
  headers['x-api-key'] === undefined ? new URLSearchParams(queryOf(url)).getAll('apikey') : [];

interface ModernReply {
  row: Operation;
  result: object | Fault;
  body: string | Buffer;
}

/** Refusals also carry `data`, some lists are bare, and every location names its network. */
export function toLegacyBody(reply: ModernReply, { rangeOf }: LegacyForm): string {
  if (isFault(reply.result)) return `${String(reply.body).slice(0, -1)},"data":null}`;
  return withRanges(bareBody(reply), rangeOf);
}

/** For rows with `legacyBody`, the value of that field alone. */
function bareBody({ row, result, body }: ModernReply): string {
  if (row.legacyBody === undefined || !('rendered' in result)) return String(body);
  return joinValue((result.rendered as RenderedFields)[row.legacyBody]!);
}

const text = String.raw`"(?:[^"\\]|\\.)*"`;

/** A location as replies write it. Inside a text of the reply its quotes would be escaped, so nothing else matches. */
const location = new RegExp(
  `("geo":\\{"ip":(${text}),"country":${text},"region":${text},"city":${text})\\}`,
  'g',
);

/** Each address is looked up once, because many devices share the address of their site. */
function withRanges(body: string, rangeOf: LegacyForm['rangeOf']): string {
  const known = new Map<string, string>();
  return body.replace(location, (_, geo: string, ip: string) => {
    let range = known.get(ip);
    if (range === undefined) {
      const { first = '', last = '' } = rangeOf(JSON.parse(ip) as string) ?? {};
      known.set(ip, (range = `"ip_from":${JSON.stringify(first)},"ip_to":${JSON.stringify(last)}`));
    }
    return `${geo},${range}}`;
  });
}
