/** A value that each schema accepts, so that an error in one place is reached and not hidden by another. */
import { z } from 'zod';

/** Texts of which one fits any text of the contract. */
const texts = [
  'text',
  '1',
  'a@b.example',
  '02:00:00:00:00:01',
  '10.0.0.1',
  'https://a.example',
  'ldaps://a.example',
  'openid',
  '#1f6feb',
  ...[22, 43, 86].map((length) => 'A'.repeat(length)),
  '0'.repeat(64),
  '1.2.3',
];

/** One value of the schema; several if it is a union. */
export function samplesOf(schema: z.core.$ZodType): unknown[] {
  if (schema instanceof z.ZodDiscriminatedUnion) return schema.options.flatMap(samplesOf);
  return [sampleOf(schema)];
}

export function sampleOf(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodObject) return objectOf(schema);
  if (schema instanceof z.ZodArray) return [sampleOf(schema.element)];
  if (schema instanceof z.ZodRecord) return { text: sampleOf(schema.valueType) };
  if (schema instanceof z.ZodUnion) return sampleOf(schema.options[0]!);
  if (schema instanceof z.ZodPipe) return sampleOf(schema.in);
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodLiteral) return [...schema.values][0];
  if (schema instanceof z.ZodBoolean) return true;
  if (schema instanceof z.ZodUnknown) return {};
  if (schema instanceof z.ZodNumber) return Math.min(Math.max(schema.minValue ?? 1, 1), schema.maxValue ?? 1);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return sampleOf(schema.unwrap());
  const fitting = texts.find((text) => (schema as z.ZodType).safeParse(text).success);
  if (fitting === undefined)
    throw new Error(`no sample fits ${JSON.stringify(z.toJSONSchema(schema as z.ZodType))}`);
  return fitting;
}

const objectOf = ({ shape }: z.ZodObject): Record<string, unknown> =>
  Object.fromEntries(Object.entries(shape).map(([key, inner]) => [key, sampleOf(inner)]));
