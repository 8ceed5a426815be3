/** Lists and dictionaries from outside: the size is checked before the elements, and the first invalid element ends the check. */
import * as z from 'zod';
import { ZodArray, ZodRecord } from 'zod';
import { $constructor, $ZodAsyncError, util } from 'zod/v4/core';

interface ListDef extends z.core.$ZodArrayDef {
  max: number;
  /** Elements beyond the limit are dropped unread; otherwise the list is rejected. */
  truncates: boolean;
}

interface DictionaryDef extends z.core.$ZodRecordDef {
  max: number;
}

type Run = z.core.$ZodType['_zod']['run'];

/** Zod's own array would check every element and collect an issue for each invalid one. */
const List = $constructor('DrawbridgeList', (schema: z.ZodArray, def: ListDef): void => {
  ZodArray.init(schema, def);
  const refuse = schema._zod.parse;
  const parse: Run = (payload, context) => {
    const given = payload.value;
    if (!Array.isArray(given)) return refuse(payload as z.core.ParsePayload<unknown[]>, context);
    if (given.length > def.max && !def.truncates) return tooBig(payload, 'array', def.max, schema);
    const items: readonly unknown[] = given.length > def.max ? given.slice(0, def.max) : given;
    const read: unknown[] = Array.from({ length: items.length });
    payload.value = read;
    for (let index = 0; index < items.length; index += 1) {
      const item = requireSync(def.element._zod.run({ value: items[index], issues: [] }, context));
      read[index] = item.value;
      if (item.issues.length > 0) return wrongAt(index, payload, item.issues);
    }
    return payload;
  };
  schema._zod.parse = parse as typeof schema._zod.parse;
});

const Dictionary = $constructor('DrawbridgeDictionary', (schema: z.ZodRecord, def: DictionaryDef): void => {
  ZodRecord.init(schema, def);
  const refuse = schema._zod.parse;
  const parse: Run = (payload, context) => {
    const given = payload.value;
    if (!util.isPlainObject(given))
      return refuse(payload as z.core.ParsePayload<Record<string, unknown>>, context);
    const entries = Object.entries(given);
    if (entries.length > def.max) return tooBig(payload, 'record', def.max, schema);
    const read: [string, unknown][] = [];
    for (const [name, inside] of entries) {
      const key = requireSync(def.keyType._zod.run({ value: name, issues: [] }, context));
      const value = requireSync(def.valueType._zod.run({ value: inside, issues: [] }, context));
      const issues = [...key.issues, ...value.issues];
      if (issues.length > 0) return wrongAt(name, payload, issues);
      read.push([String(key.value), value.value]);
    }
    // Not by assignment, so that a key like __proto__ stays plain data.
    payload.value = Object.fromEntries(read);
    return payload;
  };
  schema._zod.parse = parse as typeof schema._zod.parse;
});

type Payload = z.core.ParsePayload;
type Issues = Payload['issues'];

function tooBig(
  payload: Payload,
  origin: 'array' | 'record',
  maximum: number,
  inst: z.core.$ZodType,
): Payload {
  const { value: input } = payload;
  // The remaining checks must not run, because the value is still the unchecked input.
  payload.issues.push({ code: 'too_big', origin, maximum, inclusive: true, input, inst, continue: false });
  return payload;
}

function wrongAt(place: string | number, payload: Payload, issues: Issues): Payload {
  payload.issues.push(...util.prefixIssues(place, issues));
  return payload;
}

function requireSync(result: Payload | Promise<Payload>): Payload {
  if (result instanceof Promise) throw new $ZodAsyncError();
  return result;
}

interface ListLimits {
  max: number;
  min?: number;
}

/** A list of at most `max` elements. A longer one is rejected before any element is checked. */
export const list = <Element extends z.ZodType>(
  element: Element,
  { max, min }: ListLimits,
): z.ZodArray<Element> =>
  new List({
    type: 'array',
    element,
    checks: [...(min === undefined ? [] : [z.minLength(min)]), z.maxLength(max)],
    max,
    truncates: false,
  }) as unknown as z.ZodArray<Element>;

/** A list of which only the first `max` elements are read. */
export const truncatedList = <Element extends z.ZodType>(
  element: Element,
  max: number,
): z.ZodArray<Element> =>
  new List({ type: 'array', element, max, truncates: true }) as unknown as z.ZodArray<Element>;

/** A record with at most `max` entries. */
export const dictionary = <Value extends z.ZodType>(
  keyType: z.ZodString,
  valueType: Value,
  max: number,
): z.ZodRecord<z.ZodString, Value> =>
  new Dictionary({ type: 'record', keyType, valueType, max }) as unknown as z.ZodRecord<z.ZodString, Value>;

/** Whether every list and dictionary in the schema has a limit, so that parsing costs no more than the input's size justifies. */
export function isBounded(schema: z.core.$ZodType): boolean {
  if (schema instanceof List) return isBounded(schema.element);
  if (schema instanceof Dictionary) return isBounded(schema.valueType);
  if (schema instanceof z.ZodObject) return Object.values(schema.shape).every(isBounded);
  if (schema instanceof z.ZodUnion) return schema.options.every(isBounded);
  if (wrappers.some((kind) => schema instanceof kind)) return isBounded((schema as z.ZodOptional).unwrap());
  if (schema instanceof z.ZodPipe) return isBounded(schema.in) && isBounded(schema.out);
  return isFlat(schema);
}

const wrappers = [z.ZodOptional, z.ZodDefault, z.ZodNullable];
/** Schemas without inner schemas. */
const flat = [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodEnum, z.ZodLiteral, z.ZodUnknown, z.ZodTransform];
const flatFormat = z.ZodStringFormat;

const isFlat = (schema: z.core.$ZodType): boolean =>
  schema instanceof flatFormat || flat.some((kind) => schema instanceof kind);
