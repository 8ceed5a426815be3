/** Converts the flags of a command into the parameters of its operation, with the types of the row's schema. */
import type { Operation } from '@drawbridge/contract/operation';
import { type Field, fieldsOf, type JsonSchema, schemaOf } from '@drawbridge/contract/documents/schema';
import { type CliFailure, isCliFailure, usageFailure } from './failure.ts';
import type { FlagValue, KnownFlags } from './command-line.ts';
import { fileFlagsOf } from './transfer.ts';

export type CommandParams = Record<string, unknown>;

export const flagsOf = (row: Operation): KnownFlags =>
  new Map([
    ...fieldsOf(schemaOf(row.input)).map(
      ({ name, schema }) => [name, schema.type === 'boolean' ? 'boolean' : 'value'] as const,
    ),
    ...fileFlagsOf(row).map(({ name }) => [name, 'value'] as const),
    ...[deviceAlias(row) ?? []].flat().map(({ alias }) => [alias, 'value'] as const),
  ]);

/** Operations call a device `id` or `agent_id`. Commands accept both where the other name means nothing else. */
export function deviceAlias({ needs, input }: Operation): { alias: string; name: string } | undefined {
  const isId = needs.some((need) => need.on === 'agent' && need.by.id === 'id');
  const device = isId ? { name: 'id', alias: 'agent_id' } : { name: 'agent_id', alias: 'id' };
  return device.name in input.shape && !(device.alias in input.shape) ? device : undefined;
}

/** `whole` is the object from --params; a flag overrides it. */
export function toParams(
  row: Operation,
  flags: FlagValue[],
  whole: CommandParams,
  command: string,
): CommandParams | CliFailure {
  const schema = schemaOf(row.input);
  const fields = fieldsOf(schema);
  const device = deviceAlias(row);
  const given = Map.groupBy(flags, ({ name }) => (name === device?.alias ? device.name : name));
  const params = structuredClone(whole);
  for (const [name, values] of given) {
    const field = fields.find((candidate) => candidate.name === name);
    const value = field && fieldValue(field, values);
    if (isCliFailure(value)) return value;
    setPath(params, name.split('.'), value);
  }
  const missing = (schema.required ?? []).filter((name) => !(name in params)).map((name) => `--${name}`);
  return missing.length > 0 ? usageFailure(`${command} needs ${missing.join(' and ')}.`) : params;
}

function fieldValue({ name, schema }: Field, flags: FlagValue[]): unknown {
  const texts = flags.map(({ text }) => text);
  if (schema.type === 'array') return parseList(name, schema.items ?? {}, texts);
  const [text, ...more] = texts;
  return more.length > 0
    ? usageFailure(`--${name} is given ${texts.length} times.`)
    : parseValue(name, schema, text ?? '');
}

/** A list is a repeated flag, values separated by commas, or both; an empty value is an empty list. */
function parseList(name: string, items: JsonSchema, texts: string[]): unknown[] | CliFailure {
  const parts = texts.flatMap((text) => text.split(',')).map((part) => part.trim());
  const values = parts.filter((part) => part !== '').map((part) => parseValue(name, items, part));
  return values.find(isCliFailure) ?? values;
}

function parseValue(name: string, schema: JsonSchema, text: string): unknown {
  if (schema.type === 'integer' || schema.type === 'number') return parseInteger(name, text);
  if (schema.type === 'boolean')
    return booleans[text] ?? usageFailure(`--${name} must be true or false, not ${quoted(text)}.`);
  if (schema.type === 'object') return parseJsonObject(`--${name}`, text);
  return text;
}

const booleans: Record<string, boolean> = { true: true, '1': true, false: false, '0': false };
const quoted = (text: string): string => JSON.stringify(text);

const parseInteger = (name: string, text: string): number | CliFailure =>
  /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text))
    ? Number(text)
    : usageFailure(`--${name} must be a whole number, not ${quoted(text)}.`);

/** Parses a JSON object. Rejects integers that a double cannot represent exactly, because they would change. */
export function parseJsonObject(flag: string, text: string): CommandParams | CliFailure {
  try {
    const value: unknown = JSON.parse(text, (_, inner: unknown) => {
      if (Number.isInteger(inner) && !Number.isSafeInteger(inner)) throw new RangeError();
      return inner;
    });
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as CommandParams;
  } catch (error) {
    if (error instanceof RangeError)
      return usageFailure(`${flag} contains a whole number beyond 9007199254740991.`);
  }
  return usageFailure(`${flag} must contain one JSON object.`);
}

function setPath(target: CommandParams, path: string[], value: unknown): void {
  const [first = '', ...rest] = path;
  if (rest.length === 0) {
    target[first] = value;
    return;
  }
  const inner = target[first];
  const branch = typeof inner === 'object' && inner !== null ? (inner as CommandParams) : {};
  target[first] = branch;
  setPath(branch, rest, value);
}
