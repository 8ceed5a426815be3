/** What identity providers send: the token, the query and the body, each within limits. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import { list } from '@drawbridge/contract/list';
import { parseAs } from '@drawbridge/contract/parse';
import * as z from 'zod';
import { readProjection } from '../domain/scim/projection.ts';
import type { ScimDefinition, ScimValues } from '../domain/scim/attributes.ts';
import { maxFilterLength, parseFilter, type ScimFilter } from '../domain/scim/filter.ts';
import type { PatchOperation } from '../domain/scim/patch.ts';
import { invalidValue, isScimObject } from '../domain/scim/values.ts';
import { parseQuery } from '../http/operations/query.ts';
import { parseStrictJson } from '../http/operations/strict-json.ts';
import type { PageRequest } from '../http/route.ts';

/** Enough for 5,000 members in one request. */
const maxBodyBytes = 1_024 * 1_024;
const maxOperations = 1_000;
const defaultCount = 100;
const maxCount = 200;
const maxPathLength = maxFilterLength + 256;

const invalidSyntax = (message: string): Fault<'invalid'> =>
  fault('invalid', { code: 'invalid_syntax', message });

/** The token of the request; empty if there is none. */
export const bearerOf = ({ headers }: PageRequest): string =>
  /^Bearer ([\w-]{1,128})$/i.exec(headers.authorization ?? '')?.[1] ?? '';

export async function readScimBody(
  request: PageRequest,
): Promise<ScimValues | Fault<'invalid'> | 'too_large'> {
  const { incoming } = request;
  if (!incoming || (incoming.length ?? 0) > maxBodyBytes) return 'too_large';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of incoming.bytes) {
    size += chunk.length;
    if (size > maxBodyBytes) return 'too_large';
    chunks.push(chunk);
  }
  const parsed = parseStrictJson(Buffer.concat(chunks, size));
  if (isFault(parsed)) return invalidSyntax(parsed.message ?? 'The text is not valid JSON.');
  return isScimObject(parsed.value) ? parsed.value : invalidSyntax('The body must be an object.');
}

const operationSchema = z.object({
  op: z
    .string()
    .max(16)
    .transform((op) => op.toLowerCase())
    .pipe(z.enum(['add', 'replace', 'remove'])),
  path: z.string().max(maxPathLength).nullish(),
  value: z.unknown().optional(),
});
const operations = list(operationSchema, { max: maxOperations, min: 1 });
const patchSchema = z.object({ Operations: operations });

export function readOperations(body: ScimValues): PatchOperation[] | Fault<'invalid'> {
  const given = body['Operations'] ?? body['operations'];
  const { data, problem } = parseAs(patchSchema, { Operations: given });
  if (problem) return invalidSyntax(problem.message);
  return data.Operations.map(({ op, path, value }) => ({ op, path: path ?? undefined, value }));
}

export interface ListRequest {
  startIndex: number;
  count: number;
  filter: ScimFilter | undefined;
  projection: ReturnType<typeof readProjection>;
}

/** Reads only what it knows: `sortBy` and others are ignored, as RFC 7644 says. */
export function readListRequest(definition: ScimDefinition, query: string): ListRequest | Fault<'invalid'> {
  const parsed = parseQuery(query);
  if (isFault(parsed)) return invalidSyntax(parsed.message ?? 'The query cannot be read.');
  const { values } = parsed;
  const startIndex = readNumber('startIndex', values.get('startIndex'), 1);
  const count = readNumber('count', values.get('count'), defaultCount);
  if (isFault(startIndex)) return startIndex;
  if (isFault(count)) return count;
  const source = values.get('filter');
  const filter = source === undefined ? undefined : parseFilter(definition, source);
  if (filter && isFault(filter)) return filter;
  return {
    startIndex: Math.max(startIndex, 1),
    count: Math.min(Math.max(count, 0), maxCount),
    filter,
    projection: readProjection(definition, {
      attributes: values.get('attributes') ?? '',
      excluded: values.get('excludedAttributes') ?? '',
    }),
  };
}

function readNumber(field: string, source: string | undefined, otherwise: number): number | Fault<'invalid'> {
  if (source === undefined) return otherwise;
  return /^-?\d{1,9}$/.test(source)
    ? Number(source)
    : invalidValue(field, `${field} must be a whole number.`);
}

/** The id in the path; 0, which nobody has, for anything else. */
export const pathIdOf = ({ params }: PageRequest): number => {
  const id = /^[1-9]\d{0,15}$/.test(params['id'] ?? '') ? Number(params['id']) : 0;
  return Number.isSafeInteger(id) ? id : 0;
};
