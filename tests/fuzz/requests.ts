/** Makes requests out of the table: mostly right, then wrong in one or several ways that have hurt somebody before. */
import { carriedIn, type Operation } from '@drawbridge/contract/operation';
import { type JsonSchema, schemaOf } from '@drawbridge/contract/schema';
import { v1, type OperationId } from '@drawbridge/contract/v1/index';
import { bodies, headers, jsonNumbers, keys, otherTypes, queryNumbers, texts } from './corpus.ts';
import type { Dice } from './dice.ts';
import type { Kind, Town } from './town.ts';

/** A request that is right as HTTP, whatever it says. */
export interface Made {
  /** The row it is for; undefined where it goes nowhere. */
  id: OperationId | undefined;
  method: string;
  target: string;
  headers: [string, string][];
  body: Buffer | undefined;
}

const ids = Object.keys(v1) as OperationId[];
const inputs = new Map(ids.map((id) => [id, schemaOf(v1[id].input)]));

/** Which things a parameter names, by its name and its row. */
function kindOf(id: string, name: string): Kind | undefined {
  if (name === 'email') return 'email';
  if (name === 'connection_id' || name === 'support_id') return 'connection';
  const [, named] = /(?:^|_)(agent|device|group|role|department)_id$/.exec(name) ?? [];
  if (named) return named as Kind;
  if (name !== 'id') return undefined;
  const [, area] = /^(agent|group|team\/role|team\/department|key)/.exec(id) ?? [];
  return area?.replace('team/', '') as Kind | undefined;
}

/** What a request is made from. */
interface Making {
  id: OperationId;
  town: Town;
  dice: Dice;
}

/** A value that fits, as JSON text. */
function fitting(making: Making, name: string, schema: JsonSchema): string {
  const { id, town, dice } = making;
  const kind = kindOf(id, name);
  if (kind) return JSON.stringify(dice.pick(town.things[kind]));
  if (schema.enum) return JSON.stringify(dice.pick(schema.enum));
  if (schema.type === 'integer' || schema.type === 'number') return String(dice.whole(0, 100));
  if (schema.type === 'boolean') return String(dice.oneIn(2));
  if (schema.type === 'array') return `[${schema.items ? fitting(making, `${name}[]`, schema.items) : ''}]`;
  if (schema.type === 'object') return objectOf(making, schema);
  return JSON.stringify(dice.pick(['Ann', 'web', 'passw0rd', 'office-7', 'Größe', '10.0.0.0/8']));
}

/** A value as JSON text: once in seven it is one that should not pass. */
function valueOf(making: Making, name: string, schema: JsonSchema): string {
  const { dice } = making;
  if (!dice.oneIn(7)) return fitting(making, name, schema);
  return dice.pick([
    () => dice.pick(jsonNumbers),
    () => JSON.stringify(dice.pick(texts)),
    () => dice.pick(otherTypes),
    () => String(dice.whole(1, 400)),
  ])();
}

function objectOf(making: Making, schema: JsonSchema): string {
  const { dice } = making;
  const fields = Object.entries(schema.properties ?? {})
    .filter(() => !dice.oneIn(9))
    .map(([name, inner]) => `${JSON.stringify(name)}:${valueOf(making, name, inner)}`);
  if (dice.oneIn(8)) fields.push(`${JSON.stringify(dice.pick(keys))}:${dice.pick(otherTypes)}`);
  if (dice.oneIn(12) && fields.length > 0) fields.push(dice.pick(fields));
  return `{${fields.join(',')}}`;
}

function bodyOf(making: Making): Buffer {
  const { id, dice } = making;
  if (dice.oneIn(10)) return Buffer.from(dice.pick(bodies) as string);
  return Buffer.from(objectOf(making, inputs.get(id)!));
}

/** What stands in a query is text, which JSON texts mostly are already. */
const bare = (json: string): string => json.replace(/^"(.*)"$/s, '$1');

/** Only bytes that may stand in a request's first line; what must be escaped is, as a client would do it. */
const escaped = (text: string): string =>
  [...Buffer.from(text.replaceAll(/\\u[0-9a-f]{4}|\\./g, (escape) => String(JSON.parse(`"${escape}"`))))]
    .map((byte) => (/[\w.~-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : toHex(byte)))
    .join('');
const toHex = (byte: number): string => `%${byte.toString(16).padStart(2, '0')}`;

function queryOf(making: Making): string {
  const { id, dice } = making;
  const pairs = Object.entries(inputs.get(id)!.properties ?? {})
    .filter(() => !dice.oneIn(9))
    .map(([name, schema]) => {
      if (dice.oneIn(9)) return `${name}=${dice.pick(queryNumbers).replaceAll(/[^!-~]/g, escaped)}`;
      return `${name}=${escaped(bare(valueOf(making, name, schema)))}`;
    });
  const [some = 'a=1'] = pairs;
  if (dice.oneIn(10)) pairs.push(some);
  if (dice.oneIn(10)) pairs.push(dice.pick(oddPairs), `${dice.pick(keys)}=1`);
  if (dice.oneIn(60)) pairs.push(...Array.from({ length: 101 }, (_, at) => `p${at}=${at}`));
  return pairs.join(dice.oneIn(20) ? '&&;' : '&');
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

function headersOf(town: Town, dice: Dice): [string, string][] {
  const key = dice.oneIn(3) ? dice.pick(town.keys) : town.ownerKey;
  const extra: [string, string][] = dice.oneIn(3) ? [[...dice.pick(headers)]] : [];
  if (dice.oneIn(9)) extra.push([...dice.pick(headers)]);
  return [['Host', 'localhost'], ['X-Api-Key', key], ...extra];
}

export function makeRequest(town: Town, dice: Dice): Made {
  const lost = dice.oneIn(25);
  const id = dice.pick(ids);
  const making = { id, town, dice };
  const row: Operation = v1[id];
  const method = dice.oneIn(12) ? dice.pick(methods) : row.method;
  const inQuery = carriedIn(row) === 'query';
  const query = inQuery || dice.oneIn(10) ? queryOf(making) : '';
  const body = inQuery && !dice.oneIn(10) ? undefined : bodyOf(making);
  const path = lost ? dice.pick([...oddTargets, ...oddPaths]) : `/v1/${id}`;
  return {
    id: lost ? undefined : id,
    method,
    target: query === '' ? path : `${path}?${query}`,
    headers: headersOf(town, dice),
    body,
  };
}

/** The bytes of a request, its body in one piece or in chunks. */
export function toBytes({ method, target, headers: given, body }: Made, dice: Dice): Buffer {
  const chunked = body !== undefined && dice.oneIn(6);
  const framing =
    body === undefined ? [] : [chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`];
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...given.map(([name, value]) => `${name}: ${value}`),
    ...framing,
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  if (body === undefined) return head;
  return Buffer.concat(chunked ? [head, ...chunksOf(body, dice)] : [head, body]);
}

function chunksOf(body: Buffer, dice: Dice): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const end = Math.min(body.length, at + dice.whole(1, Math.max(1, body.length)));
    parts.push(Buffer.from(`${(end - at).toString(16)}\r\n`), body.subarray(at, end), Buffer.from('\r\n'));
    at = end;
  }
  return [...parts, Buffer.from('0\r\n\r\n')];
}
