/** Reads the typed input of a row from the query or the body, or returns a fault that names the field. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import { inputLocation, type Operation } from '@drawbridge/contract/operation';
import { parseAs } from '@drawbridge/contract/parse';
import * as z from 'zod';
import { parseQuery } from './query.ts';
import { hasSecrets } from './redact.ts';
import { parseStrictJson } from './strict-json.ts';

export interface RawInput {
  /** The query string as received. */
  query: string;
  body: Buffer | undefined;
  /** True if the query may contain a key. */
  legacy?: boolean;
}

type Input = Record<string, unknown>;
type Kind = 'number' | 'boolean' | 'text';

type ReadInput = (rawInput: RawInput) => { input: Input } | Fault<'invalid'>;

/** Returns a function that reads the input of one row; the row is examined only once. */
export function createInputReader(row: Operation): ReadInput {
  const kinds = new Map(Object.entries(row.input.shape).map(([name, schema]) => [name, kindOf(schema)]));
  const readRaw =
    inputLocation(row) === 'query' ? (rawInput: RawInput) => readQuery(rawInput.query, kinds) : readBody;
  const read: ReadInput = (rawInput) => {
    const raw = readRaw(rawInput);
    if ('fault' in raw) return raw;
    const { data: input, problem } = parseAs(row.input, raw.input);
    return input ? { input } : refuse(problem);
  };
  return row.method === 'GET' && !hasSecrets(row) ? rememberQueries(read) : read;
}

/** The most queries that are remembered for each row, and the most characters of one. */
const [maxQueries, maxQueryLength] = [256, 512];

/** Clients send the same few queries again and again. Their inputs are frozen, because requests share them. */
function rememberQueries(read: ReadInput): ReadInput {
  const known = new Map<string, { input: Input }>();
  return (rawInput) => {
    const { query, legacy } = rawInput;
    const found = known.get(query);
    if (found) return found;
    const parsed = read(rawInput);
    if (isFault(parsed) || legacy || query.length > maxQueryLength) return parsed;
    if (known.size >= maxQueries) known.clear();
    const shared = { input: freeze(parsed.input) };
    known.set(query, shared);
    return shared;
  };
}

/** Freezes a value with everything in it. */
function freeze<Value extends object>(value: Value): Value {
  for (const inner of Object.values(value) as unknown[])
    if (typeof inner === 'object' && inner !== null) freeze(inner);
  return Object.freeze(value);
}

function kindOf(schema: z.core.$ZodType): Kind {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return kindOf(schema.unwrap());
  if (schema instanceof z.ZodNumber) return 'number';
  return schema instanceof z.ZodBoolean ? 'boolean' : 'text';
}

function readQuery(text: string, kinds: ReadonlyMap<string, Kind>): { input: Input } | Fault<'invalid'> {
  const query = parseQuery(text);
  if (isFault(query)) return query;
  const input: Input = {};
  for (const [name, kind] of kinds) {
    const value = query.values.get(name);
    if (value !== undefined) input[name] = fromText(value, kind);
  }
  return { input };
}

/** Converts text of the query to the type in the schema. Text that cannot be converted stays text, and the schema refuses it. */
function fromText(text: string, kind: Kind): unknown {
  if (kind === 'number') return /^(0|-?[1-9][0-9]{0,15})$/.test(text) ? Number(text) : text;
  if (kind === 'boolean')
    return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text;
  return text;
}

function readBody({ body }: RawInput): { input: Input } | Fault<'invalid'> {
  if (!body || body.length === 0) return { input: {} };
  const parsed = parseStrictJson(body);
  if (isFault(parsed)) return parsed;
  const { value } = parsed;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse({ message: 'The body must be a JSON object.' });
  return { input: value as Input };
}

const refuse = ({ message, field }: { message: string; field?: string | undefined }): Fault<'invalid'> =>
  fault('invalid', { message, ...(field !== undefined && field !== '' && { field }) });
