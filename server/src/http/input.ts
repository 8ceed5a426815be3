/** From the text of a request to the typed input of its row, or to a fault that names the field. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import { carriedIn, type Operation } from '@drawbridge/contract/operation';
import { readAs } from '@drawbridge/contract/read';
import { z } from 'zod';
import { parseQuery } from './query.ts';
import { parseStrictJson } from './strict-json.ts';

export interface Carried {
  /** The query string, as it came. */
  query: string;
  body: Buffer | undefined;
}

type Input = Record<string, unknown>;
type Kind = 'number' | 'boolean' | 'text';

/** A function that reads the input of one row; what can be known of the row is found out once. */
export function inputReader(row: Operation): (carried: Carried) => { input: Input } | Fault<'invalid'> {
  const kinds = new Map(Object.entries(row.input.shape).map(([name, schema]) => [name, kindOf(schema)]));
  const read = carriedIn(row) === 'query' ? (carried: Carried) => readQuery(carried.query, kinds) : readBody;
  return (carried) => {
    const raw = read(carried);
    if ('fault' in raw) return raw;
    const { data: input, issue } = readAs(row.input, raw.input);
    return input ? { input } : invalidField(issue);
  };
}

function kindOf(schema: z.core.$ZodType): Kind {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return kindOf(schema.unwrap());
  if (schema instanceof z.ZodNumber) return 'number';
  return schema instanceof z.ZodBoolean ? 'boolean' : 'text';
}

function readQuery(text: string, kinds: ReadonlyMap<string, Kind>): { input: Input } | Fault<'invalid'> {
  const query = parseQuery(text);
  if ('error' in query)
    return fault('invalid', { message: query.error, ...('field' in query && { field: query.field }) });
  const input: Input = {};
  for (const [name, kind] of kinds) {
    const value = query.values[name];
    if (value !== undefined) input[name] = fromText(value, kind);
  }
  return { input };
}

/** Query strings carry text; the schema says what the text stands for. What stands for nothing stays text and is refused. */
function fromText(text: string, kind: Kind): unknown {
  if (kind === 'number') return /^(0|-?[1-9][0-9]{0,15})$/.test(text) ? Number(text) : text;
  if (kind === 'boolean')
    return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text;
  return text;
}

function readBody({ body }: Carried): { input: Input } | Fault<'invalid'> {
  if (!body || body.length === 0) return { input: {} };
  const parsed = parseStrictJson(body);
  if ('error' in parsed)
    return fault('invalid', {
      message: parsed.error,
      ...(parsed.field !== undefined && { field: parsed.field }),
    });
  const { value } = parsed;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fault('invalid', { message: 'The body must be a JSON object.' });
  return { input: value as Input };
}

function invalidField(issue: z.core.$ZodIssue): Fault<'invalid'> {
  const field = issue.path.map(String).join('.');
  const missing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
  const sentence = missing ? `${field} is missing.` : `${field || 'The request'}: ${issue.message}.`;
  return fault('invalid', { message: sentence, ...(field !== '' && { field }) });
}
