/** Parses all input from outside. The schema must bound the work, and parsing stops at the first problem. */
import type * as z from 'zod';
import { predicateOf } from './issue-text.ts';
import { isBounded } from './list.ts';

/** Why input was refused. The validator's own issue is not passed on, so that nobody is shown its phrases. */
interface InputProblem {
  /** The dotted path of the field: `permanent_url.password`, `permission.0`. Empty if it concerns the whole input. */
  field: string;
  /** A sentence that says what is wrong, where, and what would be right. */
  message: string;
}

export type ParseResult<Schema extends z.ZodType> =
  | { data: z.output<Schema>; problem?: never }
  | { data?: never; problem: InputProblem };

const context: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true, error: predicateOf };
const checkedSchemas = new WeakSet<z.ZodType>();

export function parseAs<Schema extends z.ZodType>(schema: Schema, value: unknown): ParseResult<Schema> {
  if (!checkedSchemas.has(schema)) {
    if (!isBounded(schema))
      throw new Error('a schema for what comes from outside holds a list without a limit');
    checkedSchemas.add(schema);
  }
  const result = schema.safeParse(value, context);
  return result.success ? { data: result.data } : { problem: toProblem(result.error.issues[0]!, value) };
}

function toProblem({ code, path, message }: z.core.$ZodIssue, value: unknown): InputProblem {
  const field = path.map(String).join('.');
  const subject = field || 'The request';
  if (code !== 'custom' && isAbsent(path, value)) return { field, message: `${subject} is missing.` };
  return { field, message: isPredicate(message) ? `${subject} ${message}.` : `${message}.` };
}

/** Rules between fields are whole sentences; all other messages continue a sentence that begins with the field. */
const isPredicate = (message: string): boolean => message.startsWith('must ');

const isAbsent = (path: readonly PropertyKey[], value: unknown): boolean =>
  path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value) ===
  undefined;
