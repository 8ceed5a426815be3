/**
 * Generates requests from the table: mostly right, then wrong in one or several ways that have caused trouble
 * before.
 */
import { inputLocation, type Operation } from '@drawbridge/contract/operation';
import { csrfHeader, panel, panelPrefix, panelV1Prefix } from '@drawbridge/contract/panel/index';
import { schemaOf, type JsonSchema } from '@drawbridge/contract/documents/schema';
import { v1 } from '@drawbridge/contract/v1/index';
import { cookieName } from '@drawbridge/server/panel/sign-in/cookie';
import { malformedBodies, oddHeaders, oddKeys, queryNumbers } from './corpus.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { FuzzFixture } from './fixture.ts';
import { objectOf, valueOf, type GenerationContext } from './values.ts';

/** A request that is valid HTTP, whatever its content. */
export interface GeneratedRequest {
  /** The row it is for; undefined if it is for none. */
  row: Operation | undefined;
  id: string;
  /** The panel client that made it; undefined if it is not for the panel. */
  by?: number;
  method: string;
  target: string;
  headers: [string, string][];
  body: Buffer | undefined;
}

/** A row as it is served. */
interface Served {
  id: string;
  row: Operation;
  path: string;
  input: JsonSchema;
}

const servedUnder = (prefix: string, rows: Record<string, Operation>): Served[] =>
  Object.entries(rows).map(([id, row]) => ({ id, row, path: prefix + id, input: schemaOf(row.input) }));
const api = servedUnder('/v1/', v1);
const ofPanel = [...servedUnder(panelPrefix, panel), ...servedUnder(panelV1Prefix, v1)];

export function makeBody(making: GenerationContext, input: JsonSchema): Buffer {
  const { random } = making;
  if (random.oneIn(10)) return Buffer.from(random.pick(malformedBodies) as string);
  return Buffer.from(objectOf(making, input));
}

/** A query carries text, which JSON texts mostly are already. */
const bare = (json: string): string => json.replace(/^"(.*)"$/s, '$1');

/** Only bytes that are allowed in a request line; the rest is escaped, as a client would do it. */
const escaped = (text: string): string =>
  [...Buffer.from(text.replaceAll(/\\u[0-9a-f]{4}|\\./g, (escape) => String(JSON.parse(`"${escape}"`))))]
    .map((byte) => (/[\w.~-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : toHex(byte)))
    .join('');
const toHex = (byte: number): string => `%${byte.toString(16).padStart(2, '0')}`;

function queryOf(making: GenerationContext, input: JsonSchema): string {
  const { random } = making;
  const pairs = Object.entries(input.properties ?? {})
    .filter(() => !random.oneIn(9))
    .map(([name, schema]) => {
      if (random.oneIn(9)) return `${name}=${random.pick(queryNumbers).replaceAll(/[^!-~]/g, escaped)}`;
      return `${name}=${escaped(bare(valueOf(making, name, schema)))}`;
    });
  const [some = 'a=1'] = pairs;
  if (random.oneIn(10)) pairs.push(some);
  if (random.oneIn(10)) pairs.push(random.pick(oddPairs), `${random.pick(oddKeys)}=1`);
  if (random.oneIn(60)) pairs.push(...Array.from({ length: 101 }, (_, at) => `p${at}=${at}`));
  return pairs.join(random.oneIn(20) ? '&&;' : '&');
}

const oddPairs = [
  '%',
  '%zz=1',
  '%ff=%fe',
  '%c0%af=1',
  'id[]=1',
  'id[a]=1',
  'id.x=1',
  '=',
  '==',
  '&',
  '?',
  '#',
  'id',
  '+=+',
];
const oddTargets = [
  '/',
  '//',
  '/v1',
  '/v1/',
  '/v2/agents/list',
  '/v1/agents',
  '/v1/agents/list/',
  '/v1//agents/list',
];
const oddPaths = [
  '/v1/agents/%6cist',
  '/V1/agents/list',
  '/v1/agents/list;x',
  '/v1/../v1/agents/list',
  '/%',
  '/.env',
  '*',
];
const methods = ['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'QUERY'];

/** Sometimes one or two headers that change how a request is read. */
export function moreHeaders(random: SeededRandom): [string, string][] {
  const more: [string, string][] = random.oneIn(3) ? [[...random.pick(oddHeaders)]] : [];
  if (random.oneIn(9)) more.push([...random.pick(oddHeaders)]);
  return more;
}

function requestFor(
  { id, row, path, input }: Served,
  fixture: FuzzFixture,
  random: SeededRandom,
): Omit<GeneratedRequest, 'headers'> {
  const making = { id, fixture, random };
  const method = random.oneIn(12) ? random.pick(methods) : row.method;
  const inQuery = inputLocation(row) === 'query';
  const query = inQuery || random.oneIn(10) ? queryOf(making, input) : '';
  const body = inQuery && !random.oneIn(10) ? undefined : makeBody(making, input);
  return { id, row, method, target: query === '' ? path : `${path}?${query}`, body };
}

/** For the API, with a member's key; some go to unknown paths. */
export function makeRequest(fixture: FuzzFixture, random: SeededRandom): GeneratedRequest {
  const served = random.pick(api);
  const lost = random.oneIn(25) ? { path: random.pick([...oddTargets, ...oddPaths]) } : {};
  const made = requestFor({ ...served, ...lost }, fixture, random);
  const key = random.oneIn(3) ? random.pick(fixture.keys) : fixture.ownerKey;
  const all: [string, string][] = [['Host', 'localhost'], ['X-Api-Key', key], ...moreHeaders(random)];
  return { ...made, ...('path' in lost && { row: undefined }), headers: all };
}

/** For the panel, mostly as a page of a signed-in person makes it. */
export function makePanelRequest(fixture: FuzzFixture, random: SeededRandom): GeneratedRequest {
  const by = random.whole(0, fixture.people.length - 1);
  const { cookie, csrf } = fixture.people[by]!;
  const made = requestFor(random.pick(ofPanel), fixture, random);
  const own: [string, string][] = [
    ['Cookie', `${cookieName}=${cookie}`],
    ['Origin', fixture.origin],
    ['Sec-Fetch-Site', 'same-origin'],
    [csrfHeader, csrf],
  ];
  const kept = own.filter(() => !random.oneIn(30));
  return { ...made, by, headers: [['Host', 'localhost'], ...kept, ...moreHeaders(random)] };
}

/** The bytes of a request, its body in one piece or in chunks. */
export function toBytes(
  { method, target, headers: given, body }: GeneratedRequest,
  random: SeededRandom,
): Buffer {
  const chunked = body !== undefined && random.oneIn(6);
  const framing =
    body === undefined ? [] : [chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`];
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...given.map(([name, value]) => `${name}: ${value}`),
    ...framing,
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  if (body === undefined) return head;
  return Buffer.concat(chunked ? [head, ...chunksOf(body, random)] : [head, body]);
}

function chunksOf(body: Buffer, random: SeededRandom): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const end = Math.min(body.length, at + random.whole(1, Math.max(1, body.length)));
    parts.push(Buffer.from(`${(end - at).toString(16)}\r\n`), body.subarray(at, end), Buffer.from('\r\n'));
    at = end;
  }
  return [...parts, Buffer.from('0\r\n\r\n')];
}
