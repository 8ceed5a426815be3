/** Reads the typed input of a row from the query or the body, or returns a fault that names the field. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import { inputLocation, type Operation } from '@drawbridge/contract/operation';
import { parseAs } from '@drawbridge/contract/parse';
import { z } from 'zod';
import { parseQuery } from './query.ts';
import { parseStrictJson } from './strict-json.ts';

export interface RawInput {
  /** The query string as received. */
  query: string;
  body: Buffer | undefined;
}

type Input = Record<string, unknown>;
type Kind = 'number' | 'boolean' | 'text';

/** Returns a function that reads the input of one row; the row is examined only once. */
export function createInputReader(
  row: Operation,
): (rawInput: RawInput) => { input: Input } | Fault<'invalid'> {
  const kinds = new Map(Object.entries(row.input.shape).map(([name, schema]) => [name, kindOf(schema)]));
  const read =
    inputLocation(row) === 'query' ? (rawInput: RawInput) => readQuery(rawInput.query, kinds) : readBody;
  return (rawInput) => {
    const raw = read(rawInput);
    if ('fault' in raw) return raw;
    const { data: input, issue } = parseAs(row.input, raw.input);
    return input ? { input } : invalidField(issue, raw.input);
  };
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
    const value = query.values[name];
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
    return fault('invalid', { message: 'The body must be a JSON object.' });
  return { input: value as Input };
}

function invalidField(issue: z.core.$ZodIssue, input: Input): Fault<'invalid'> {
  const field = issue.path.map(String).join('.');
  return fault('invalid', { message: `${sentenceOf(issue, field, input)}.`, ...(field !== '' && { field }) });
}

/** Messages of our own schemas continue the sentence that begins with the field's name; those of the validator are never shown. */
function sentenceOf(issue: z.core.$ZodIssue, field: string, input: Input): string {
  const name = field || 'The request';
  if (issue.code === 'custom' && !isPredicate(issue.message)) return issue.message;
  if (issue.code !== 'custom' && isAbsent(issue.path, input)) return `${name} is missing`;
  return `${name} ${isPredicate(issue.message) ? issue.message : predicateOf(issue)}`;
}

const isPredicate = (message: string): boolean => /^(must|needs) /.test(message);

const isAbsent = (path: readonly PropertyKey[], input: Input): boolean =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], input) ===
  undefined;

const expected: Record<string, string> = {
  int: 'a whole number',
  number: 'a whole number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const units: Record<string, string> = { string: ' characters', array: ' items', record: ' entries' };

function predicateOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `must be ${expected[issue.expected] ?? 'of another type'}`;
  if (issue.code === 'invalid_value')
    return `must be one of ${issue.values.map((value) => (value === '' ? '""' : String(value))).join(', ')}`;
  if (issue.code === 'too_small') return `must ${bound('at least', issue.minimum, issue.origin)}`;
  if (issue.code === 'too_big') return `must ${bound('at most', issue.maximum, issue.origin)}`;
  return 'is not valid';
}

const bound = (word: string, limit: number | bigint, origin: string): string =>
  units[origin] === undefined ? `be ${word} ${limit}` : `have ${word} ${limit}${units[origin]}`;
