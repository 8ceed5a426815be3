/** Field schemas shared by rows. A field that appears in several rows has one definition. */
import * as z from 'zod';

const clean = /^[^\p{Cc}]*$/u;
const cleanLines = /^(?:[^\p{Cc}]|[\n\r\t])*$/u;
const length = (text: string): number => [...text].length;

const text = (min: number, max: number, allowed: RegExp) =>
  z
    .string()
    .trim()
    .refine((value) => value.isWellFormed() && allowed.test(value), 'must not contain control characters')
    .refine(
      (value) => length(value) >= min,
      min === 1 ? 'must not be empty' : `must have at least ${min} characters`,
    )
    .refine((value) => length(value) <= max, `must have at most ${max} characters`)
    .meta({ minLength: min, maxLength: max });

/** Bidirectional marks. With them a text can be made to look like another. */
const turning = /[\u202a-\u202e\u2066-\u2069]/;

export const withoutTurning = (schema: ReturnType<typeof text>) =>
  schema.refine(
    (value) => !turning.test(value),
    'must not contain characters that change the direction of text',
  );

/** Why somebody does something. People at the device read it, so it cannot look like another text. */
export const reason = withoutTurning(text(1, 500, clean));
export const id = z.int('must be a whole number from 1 to 9007199254740991').min(1);
export const number = z.int();
export const unixtime = z.int().min(0).meta({ description: 'Unix timestamp in whole seconds' });
export const name = text(1, 128, clean);
export const clientName = text(0, 128, clean);
export const brandName = text(0, 64, clean);
export const description = text(0, 1024, cleanLines);
export const notes = text(0, 10_000, cleanLines);
export const search = z.string().max(256);
export const flag = z.boolean();

export const email = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u, 'must be an e-mail address')
  .refine((value) => value.isWellFormed(), 'must be an e-mail address');

/** An id that the reference defines as a string, `group_id` of agents/list; empty for no filter, like an empty search. */
export const idText = z
  .string()
  .regex(/^([1-9][0-9]{0,15})?$/, 'must be the id of a group')
  .refine((value) => Number.isSafeInteger(Number(value)), 'must be the id of a group');

export const page = {
  offset: z.int().min(0).default(0).describe('How many to skip'),
  limit: z.int().min(1).max(100).default(20).describe('How many to return at the most'),
};

/** What a group or a device says about one-time URLs; the nearest that does not inherit decides. */
export const onetimePolicy = z.enum(['inherit', 'allow', 'forbid']);

/** Marks a field as secret: logs and the audit log omit it. */
export const secret = <S extends z.ZodType>(schema: S): S => schema.meta({ secret: true });
