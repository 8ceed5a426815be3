/** Parses all input from outside. The schema must bound the work, and parsing stops at the first issue. */
import type * as z from 'zod';
import { isBounded } from './list.ts';

export type ParseResult<Schema extends z.ZodType> =
  | { data: z.output<Schema>; issue?: never }
  | { data?: never; issue: z.core.$ZodIssue };

const stopEarly: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true };
const checkedSchemas = new WeakSet<z.ZodType>();

export function parseAs<Schema extends z.ZodType>(schema: Schema, value: unknown): ParseResult<Schema> {
  if (!checkedSchemas.has(schema)) {
    if (!isBounded(schema))
      throw new Error('a schema for what comes from outside holds a list without a limit');
    checkedSchemas.add(schema);
  }
  const result = schema.safeParse(value, stopEarly);
  return result.success ? { data: result.data } : { issue: result.error.issues[0]! };
}
