/** What people read about input that a schema refuses, unless the schema has a message of its own. */
import type * as z from 'zod';

type Issue = z.core.$ZodRawIssue;
type Code = NonNullable<Issue['code']>;
type IssueOf<C extends Code> = Extract<Issue, { code: C }>;

const types: Record<string, string> = {
  int: 'a whole number',
  number: 'a whole number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const units: Record<string, string> = { string: 'character', array: 'item', record: 'entry' };
const plurals: Record<string, string> = { character: 'characters', item: 'items', entry: 'entries' };

function bound(word: 'least' | 'most', limit: number | bigint, origin: string): string {
  const unit = units[origin];
  if (unit === undefined) return `must be at ${word} ${limit}`;
  return `must have at ${word} ${limit} ${limit === 1 ? unit : plurals[unit]}`;
}

const tooShort = ({ minimum, origin }: IssueOf<'too_small'>): string =>
  origin === 'string' && minimum === 1 ? 'must not be empty' : bound('least', minimum, origin);

const shown = (value: z.core.util.Primitive): string => (value === '' ? '""' : String(value));

const notOneOf = ({ values }: IssueOf<'invalid_value'>): string =>
  values.length === 1 ? `must be ${shown(values[0])}` : `must be one of ${values.map(shown).join(', ')}`;

const malformed = (): string => 'must have another form';

/** One entry for each kind of issue, so that none is left to the validator's own text. */
const predicates: { [C in Code]: (issue: IssueOf<C>) => string } = {
  invalid_type: ({ expected }) => `must be ${types[expected] ?? 'of another type'}`,
  too_small: tooShort,
  too_big: ({ maximum, origin }) => bound('most', maximum, origin),
  invalid_value: notOneOf,
  not_multiple_of: ({ divisor }) => `must be a multiple of ${divisor}`,
  unrecognized_keys: ({ keys }) => `must not have the field ${keys.join(', ')}`,
  invalid_format: malformed,
  invalid_union: malformed,
  invalid_key: malformed,
  invalid_element: malformed,
  custom: malformed,
};

/** Continues a sentence that begins with the name of the field: "must be a whole number". */
export const predicateOf = (issue: Issue): string => predicates[issue.code as Code](issue as never);
