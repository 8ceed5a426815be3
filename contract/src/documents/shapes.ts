/** The named shapes in replies, so that derived documents show `Agent` instead of its 22 fields. */
import type { Operation, Table } from '../operation.ts';
import { type JsonSchema, schemaOf } from './schema.ts';

interface ShapeSource {
  /** The source of the shape: an operation and a path in its reply. */
  at: [operation: string, ...path: string[]];
  /** The named shape it adds fields to. */
  base?: string;
  /** True if unrelated objects have the same fields; the name is then used only at its source. */
  here?: true;
}

/** A shape that is not listed here is written out in place, so a new operation needs no entry. */
const shapeSources: Record<string, ShapeSource> = {
  Geo: { at: ['agents/list', 'data', '[]', 'geo'] },
  Connection: { at: ['support/info', 'data'] },
  Sessions: { at: ['agents/list', 'data', '[]', 'sessions'] },
  Agent: { at: ['agents/list', 'data', '[]'] },
  Hardware: { at: ['agents/info', 'data', 'hardware'] },
  AgentDetails: { at: ['agents/info', 'data'], base: 'Agent' },
  Group: { at: ['groups/list', 'data', '[]'], here: true },
  Role: { at: ['team/role/list', 'data', '[]'] },
  RoleDetails: { at: ['team/role/info', 'data'] },
  AccessEntry: { at: ['team/department/access/list', 'data', 'roles', '[]'] },
  MemberAccessEntry: { at: ['team/member/access/list', 'data', 'roles', '[]'], base: 'AccessEntry' },
  Department: { at: ['team/department/list', 'data', '[]'] },
  DepartmentDetails: { at: ['team/department/info', 'data'] },
  HistoryEntry: { at: ['history/list', 'data', '[]'] },
  Member: { at: ['team/member/list', 'data', '[]'] },
  EffectivePermission: { at: ['team/access/effective', 'data', 'permissions', '[]'] },
  ApiKey: { at: ['keys/list', 'data', '[]'] },
  Meter: { at: ['plan/info', 'data', 'computers'] },
  PeriodMeter: { at: ['plan/info', 'data', 'requests'], base: 'Meter' },
  AuditEntry: { at: ['audit/list', 'data', '[]'] },
};

export interface Shapes {
  /** Every named shape; nested ones are `$ref`s. */
  shapes: Record<string, JsonSchema>;
  /** The reply of a row with references to named shapes; `status` comes first if the row has one. */
  replyOf: (id: string) => JsonSchema;
}

export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
export const nameIn = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

export function shapesOf(table: Table): Shapes {
  const known = resolveShapes(table);
  const written = (shape: ResolvedShape): JsonSchema => withRefs(beyondBase(shape, known), known, shape.name);
  return {
    shapes: Object.fromEntries(known.map((shape) => [shape.name, written(shape)])),
    replyOf: (id) => {
      const row = table[id];
      if (row === undefined) throw new Error(`no row ${id}`);
      return withRefs(replySchema(row), known, undefined, [id]);
    },
  };
}

interface ResolvedShape extends ShapeSource {
  name: string;
  schema: JsonSchema;
  print: string;
}

function resolveShapes(table: Table): ResolvedShape[] {
  return Object.entries(shapeSources).flatMap(([name, entry]) => {
    const [operation, ...path] = entry.at;
    const row = table[operation];
    if (row === undefined) return [];
    const { description: _about, ...schema } = path.reduce(step, schemaOf(row.output));
    return [{ ...entry, name, schema, print: JSON.stringify(schema) }];
  });
}

function step(schema: JsonSchema, part: string): JsonSchema {
  const next = part === '[]' ? schema.items : schema.properties?.[part];
  if (next === undefined) throw new Error(`a named shape is no longer where shapes.ts looks for it: ${part}`);
  return next;
}

function replySchema(row: Operation): JsonSchema {
  const schema = schemaOf(row.output);
  if (row.status.ok === null) return schema;
  return {
    ...schema,
    properties: { status: { type: 'integer', const: row.status.ok }, ...schema.properties },
    required: ['status', ...(schema.required ?? [])],
  };
}

/** Replaces named shapes by references. `self` is the shape being written, which is not replaced. */
function withRefs(schema: JsonSchema, known: ResolvedShape[], self?: string, at: string[] = []): JsonSchema {
  const { description, ...plain } = schema;
  const print = JSON.stringify(plain);
  const match = known.find((shape) => shape.name !== self && shape.print === print && isAtSource(shape, at));
  if (match) return { ...refTo(match.name), ...(description !== undefined && { description }) };
  const inside = (inner: JsonSchema, part: string) => withRefs(inner, known, undefined, [...at, part]);
  return {
    ...schema,
    ...(schema.allOf && { allOf: schema.allOf.map((inner) => withRefs(inner, known, self, at)) }),
    ...(schema.items && { items: inside(schema.items, '[]') }),
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([key, inner]) => [key, inside(inner, key)]),
      ),
    }),
  };
}

const isAtSource = (shape: ShapeSource, at: string[]): boolean =>
  shape.here !== true || shape.at.join('/') === at.join('/');

/** Returns a shape with a base as a reference to the base plus its own fields. Throws if the shape no longer contains the base. */
function beyondBase(shape: ResolvedShape, known: ResolvedShape[]): JsonSchema {
  if (shape.base === undefined) return shape.schema;
  const base = known.find(({ name }) => name === shape.base)?.schema.properties ?? {};
  const entries = Object.entries(shape.schema.properties ?? {});
  const own = entries.filter(([key]) => !(key in base));
  const shared = entries.filter(([key]) => key in base);
  if (JSON.stringify(Object.fromEntries(shared)) !== JSON.stringify(base)) {
    throw new Error(`${shape.name} no longer holds all fields of ${shape.base}`);
  }
  const required = (shape.schema.required ?? []).filter((key) => !(key in base));
  const extra: JsonSchema = { type: 'object', properties: Object.fromEntries(own) };
  return { allOf: [refTo(shape.base), required.length > 0 ? { ...extra, required } : extra] };
}
