/** Generates example parameters for an operation from its row. Each example is valid input for that row. */
import type { Operation } from '../operation.ts';
import { type JsonSchema, schemaOf } from './schema.ts';

export type Example = Record<string, unknown>;

/** Values that are more readable than those derived from the type alone. */
const samples: Record<string, unknown> = {
  device_id: 123456789,
  target_agent_id: 13,
  search: 'web',
  ids: '12,13',
  group_id: '5',
  client_name: 'Ann',
  email: 'ann@example.com',
  name: 'Front desk',
  pin: '1.4.2',
  url: 'ldaps://directory.example.com',
  issuer: 'https://id.example.com',
  client_id: 'drawbridge',
  group: 'staff',
  bind_dn: 'cn=reader,dc=example,dc=com',
  base: 'dc=example,dc=com',
  operation: 'agents/reboot',
  date_from: 1790000000,
  permission: ['agent_connect', 'agent_control'],
};

/** Values of fields that have a name in common with others, and another format. */
const otherSamples: Record<string, unknown> = { url: 'https://hooks.example.com/drawbridge' };

/** Includes the required fields, the fields that rules between fields require, and one optional field if that is at most one field. */
export function exampleOf(row: Operation): Example {
  const schema = schemaOf(row.input);
  const fields = Object.entries(schema.properties ?? {});
  const required = fields.filter(([key]) => schema.required?.includes(key));
  const example = Object.fromEntries(required.map(([key, inner]) => [key, sample(key, inner)]));
  const valid = applyRules(row, schema, example);
  const extra = fields.find(([key]) => !(key in valid));
  if (required.length > 1 || valid !== example || extra === undefined) return valid;
  return { ...valid, [extra[0]]: sample(...extra) };
}

function applyRules(row: Operation, schema: JsonSchema, example: Example): Example {
  const problems = row.input.safeParse(example).error?.issues ?? [];
  const missing = problems.map(({ path }) => String(path[0])).filter((key) => !(key in example));
  if (missing.length === 0) return example;
  const added = missing.map((key) => [key, sample(key, schema.properties?.[key] ?? {})]);
  return { ...example, ...Object.fromEntries(added) };
}

function sample(key: string, schema: JsonSchema): unknown {
  const fitting = samples[key];
  const found = [fitting, otherSamples[key]].find((value) => value !== undefined && isOf(schema, value));
  if (found !== undefined) return found;
  if (schema.anyOf?.[0]) return sample(key, schema.anyOf[0]);
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'integer' && typeof fitting === 'string') return Number(fitting);
  if (schema.type === 'boolean') return true;
  if (schema.type === 'integer') return 12;
  if (schema.type === 'array')
    return schema.default ?? (schema.minItems === undefined ? [] : [sample('', schema.items ?? {})]);
  if (schema.type === 'string') return schema.default ?? 'text';
  const [first] = Object.entries(schema.properties ?? {});
  return first ? { [first[0]]: sample(...first) } : {};
}

const isOf = ({ type, pattern }: JsonSchema, value: unknown): boolean =>
  type === (Array.isArray(value) ? 'array' : typeof value === 'number' ? 'integer' : typeof value) &&
  (pattern === undefined || typeof value !== 'string' || new RegExp(pattern, 'u').test(value));
