/** Removes the fields that a row marks as secret from its input, before the input is written to the audit log. */
import type { Operation } from '@drawbridge/contract/operation';
import * as z from 'zod';

type Input = Record<string, unknown>;

const unwrapped = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? unwrapped(schema.unwrap()) : schema;

const isSecret = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodType &&
  (schema.meta()?.['secret'] === true || (unwrapped(schema) !== schema && isSecret(unwrapped(schema))));

/** Whether a field of this row's input is secret, at any depth. */
export const hasSecrets = (row: Operation): boolean => hasSecretField(row.input);

const hasSecretField = (schema: z.ZodObject): boolean =>
  Object.values(schema.shape).some((each) => {
    const inner = unwrapped(each);
    return isSecret(each) || (inner instanceof z.ZodObject && hasSecretField(inner));
  });

/** Returns a function that removes the secret fields from an input of this row. */
export function createRedactor(row: Operation): (input: Input) => Input {
  return redactorFor(row.input);
}

function redactorFor(schema: z.ZodObject): (input: Input) => Input {
  const fields = Object.entries(schema.shape).map(([name, each]) => {
    const inner = unwrapped(each);
    const nested = inner instanceof z.ZodObject ? redactorFor(inner) : undefined;
    return { name, secret: isSecret(each), nested };
  });
  if (fields.every((field) => !field.secret && !field.nested)) return (input) => input;
  return (input) =>
    Object.fromEntries(
      fields.flatMap(({ name, secret, nested }) => {
        const value = input[name];
        if (secret || value === undefined) return [];
        return [[name, nested ? nested(value as Input) : value]];
      }),
    );
}
