/** Parses filters of SCIM requests (RFC 7644, section 3.4.2.2), and the paths of patches, which contain filters. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import { attributeNamed, resolvePath, type AttributePath, type ScimDefinition } from './attributes.ts';

const comparisons = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
type Comparison = (typeof comparisons)[number];

export type ScimFilter =
  | { kind: 'and' | 'or'; parts: readonly ScimFilter[] }
  | { kind: 'not'; part: ScimFilter }
  | { kind: 'present'; path: AttributePath }
  | { kind: 'compare'; path: AttributePath; comparison: Comparison; value: string | number | boolean | null }
  /** True for a value of a list that matches the filter inside the brackets. */
  | { kind: 'some'; path: AttributePath; filter: ScimFilter };

export const maxFilterLength = 2_048;
const maxDepth = 8;
const maxTerms = 64;

const token =
  /\s*(?:(?<text>"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*")|(?<mark>[()[\]])|(?<word>[^\s"()[\]]+))/iuy;

/** Finds the attribute that a name in the filter stands for. */
type Resolve = (name: string) => AttributePath | undefined;

interface Reader {
  tokens: readonly string[];
  at: number;
  terms: number;
  /** The first problem; everything after it is unwound. */
  problem: string;
}

const invalidFilter = (message: string): Fault<'invalid'> =>
  fault('invalid', { code: 'invalid_filter', field: 'filter', message });

export function parseFilter(definition: ScimDefinition, source: string): ScimFilter | Fault<'invalid'> {
  const tokens = tokenize(source);
  if (typeof tokens === 'string') return invalidFilter(tokens);
  const reader: Reader = { tokens, at: 0, terms: 0, problem: '' };
  const filter = readOr(reader, (name) => resolvePath(definition, name), 0);
  if (filter && reader.at < tokens.length)
    refuse(reader, `The filter goes on after its end: ${shown(reader)}.`);
  return filter && reader.problem === '' ? filter : invalidFilter(reader.problem);
}

function tokenize(source: string): string[] | string {
  if (source.length > maxFilterLength) return `The filter is longer than ${maxFilterLength} characters.`;
  const tokens: string[] = [];
  token.lastIndex = 0;
  for (const end = source.trimEnd().length; token.lastIndex < end;) {
    const from = token.lastIndex;
    const found = token.exec(source);
    if (!found) return `The filter cannot be read at character ${from + 1}.`;
    tokens.push(found[0].trim());
  }
  return tokens.length === 0 ? 'The filter is empty.' : tokens;
}

const shown = ({ tokens, at }: Reader): string => (tokens[at] ?? 'the end').slice(0, 64);

function refuse(reader: Reader, problem: string): undefined {
  reader.problem ||= problem;
  return undefined;
}

const nextIs = (reader: Reader, word: string): boolean => reader.tokens[reader.at]?.toLowerCase() === word;

function skip(reader: Reader, word: string): boolean {
  if (!nextIs(reader, word)) return false;
  reader.at += 1;
  return true;
}

const readOr = (reader: Reader, resolve: Resolve, depth: number): ScimFilter | undefined =>
  readList(reader, 'or', () => readAnd(reader, resolve, depth));

const readAnd = (reader: Reader, resolve: Resolve, depth: number): ScimFilter | undefined =>
  readList(reader, 'and', () => readTerm(reader, resolve, depth));

function readList(
  reader: Reader,
  kind: 'and' | 'or',
  readPart: () => ScimFilter | undefined,
): ScimFilter | undefined {
  const parts: ScimFilter[] = [];
  do {
    const part = readPart();
    if (!part) return undefined;
    parts.push(part);
  } while (skip(reader, kind));
  return parts.length === 1 ? parts[0] : { kind, parts };
}

function readTerm(reader: Reader, resolve: Resolve, depth: number): ScimFilter | undefined {
  if (depth > maxDepth) return refuse(reader, `The filter is nested deeper than ${maxDepth} levels.`);
  if (++reader.terms > maxTerms) return refuse(reader, `The filter has more than ${maxTerms} conditions.`);
  if (nextIs(reader, 'not') && reader.tokens[reader.at + 1] === '(') {
    reader.at += 1;
    const part = readInside(reader, resolve, depth, ['(', ')']);
    return part && { kind: 'not', part };
  }
  if (nextIs(reader, '(')) return readInside(reader, resolve, depth, ['(', ')']);
  return readCondition(reader, resolve, depth);
}

function readInside(
  reader: Reader,
  resolve: Resolve,
  depth: number,
  [open, close]: readonly [string, string],
): ScimFilter | undefined {
  skip(reader, open);
  const inside = readOr(reader, resolve, depth + 1);
  if (inside && !skip(reader, close))
    return refuse(reader, `The filter lacks ${close} before ${shown(reader)}.`);
  return inside;
}

function readCondition(reader: Reader, resolve: Resolve, depth: number): ScimFilter | undefined {
  const name = reader.tokens[reader.at] ?? '';
  const path = resolve(name);
  if (!path) return refuse(reader, `The filter has no known attribute at ${shown(reader)}.`);
  reader.at += 1;
  if (nextIs(reader, '[')) {
    const filter = readInside(reader, resolveSub(path), depth, ['[', ']']);
    return filter && readPartOf(reader, path, filter);
  }
  return readOperator(reader, path);
}

/** Entra ID compares a part of the values in brackets: `emails[type eq "work"].value eq "ann@example.com"`. */
function readPartOf(reader: Reader, path: AttributePath, filter: ScimFilter): ScimFilter | undefined {
  const name = reader.tokens[reader.at] ?? '';
  if (!name.startsWith('.')) return { kind: 'some', path, filter };
  const part = resolveSub(path)(name.slice(1));
  if (!part) return refuse(reader, `The filter has no known attribute at ${shown(reader)}.`);
  reader.at += 1;
  const condition = readOperator(reader, part);
  return condition && { kind: 'some', path, filter: { kind: 'and', parts: [filter, condition] } };
}

function readOperator(reader: Reader, path: AttributePath): ScimFilter | undefined {
  if (skip(reader, 'pr')) return { kind: 'present', path };
  const comparison = comparisons.find((each) => nextIs(reader, each));
  if (!comparison) return refuse(reader, `The filter has no known operator at ${shown(reader)}.`);
  reader.at += 1;
  const value = readValue(reader.tokens[reader.at] ?? '');
  if (value === undefined) return refuse(reader, `The filter has no value at ${shown(reader)}.`);
  reader.at += 1;
  return { kind: 'compare', path, comparison, value };
}

/** Inside brackets, names are those of the parts of a value. */
const resolveSub =
  ({ attribute }: AttributePath): Resolve =>
  (name) => {
    const sub = attributeNamed(attribute.sub ?? [], name);
    return sub && { extension: undefined, attribute: sub, sub: undefined };
  };

function readValue(source: string): string | number | boolean | null | undefined {
  if (source.startsWith('"')) return JSON.parse(source) as string;
  const lower = source.toLowerCase();
  if (lower === 'true' || lower === 'false') return lower === 'true';
  if (lower === 'null') return null;
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(source) ? Number(source) : undefined;
}

/** Where a patch applies: an attribute, or those of its values that match a filter. */
export interface PatchPath extends AttributePath {
  filter: ScimFilter | undefined;
}

/** Reads `name`, `name.sub`, `name[filter]` and `name[filter].sub`, with or without a schema in front. */
export function parsePatchPath(definition: ScimDefinition, source: string): PatchPath | Fault<'invalid'> {
  const unknown = fault('invalid', {
    code: 'invalid_path',
    field: 'path',
    message: `There is no attribute ${source.slice(0, 128)}.`,
  });
  const open = source.indexOf('[');
  if (open < 0) {
    const path = resolvePath(definition, source.trim());
    return path ? { ...path, filter: undefined } : unknown;
  }
  const close = source.lastIndexOf(']');
  const path = resolvePath(definition, source.slice(0, open).trim() + source.slice(close + 1).trim());
  if (close < open || !path?.attribute.multiValued) return unknown;
  const filter = parseFilter(definition, source.slice(0, close + 1));
  if ('fault' in filter) return { ...filter, field: 'path' };
  return filter.kind === 'some' ? { ...path, filter: filter.filter } : unknown;
}
