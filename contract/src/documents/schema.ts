/** The JSON Schema of a row's input and output. The derived documents and the command line use it. */
import * as z from 'zod';

export interface JsonSchema {
  $ref?: string;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';
  description?: string;
  format?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema | false;
  enum?: string[];
  const?: number | string;
  default?: unknown;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  /** Logs and the audit log omit this field. */
  'x-secret'?: boolean;
}

/** The schema from the caller's point of view: fields with a default are optional, and replies may gain fields. */
export function schemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => simplify(jsonSchema),
  });
  return rest as JsonSchema;
}

/** Shortens the schema without changing its meaning: a format replaces its pattern, int64 replaces the bounds of a double. */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.type === 'integer') schema.format = 'int64';
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema['secret'] !== true) return;
  delete schema['secret'];
  schema['x-secret'] = true;
}

/** A field, named by its dotted path from the top: `permanent_url.enable`. */
export interface Field {
  name: string;
  schema: JsonSchema;
  required: boolean;
}

/** The fields of an object. Nested fields follow the field that contains them. */
export function fieldsOf(schema: JsonSchema, prefix = ''): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
    const name = `${prefix}${key}`;
    const field = { name, schema: inner, required: schema.required?.includes(key) ?? false };
    return [field, ...fieldsOf(inner, `${name}.`)];
  });
}
