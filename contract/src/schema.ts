/** The JSON Schema of what rows take and give: what every derived document and the command line read. */
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
  maxItems?: number;
  /** Marked in its row: kept out of logs and of the audit log. */
  'x-secret'?: boolean;
}

/** As a caller sees it: what has a default may be left out, and replies may grow fields. */
export function schemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => simplify(jsonSchema),
  });
  return rest as JsonSchema;
}

/** Says the same in fewer words: formats instead of their patterns, int64 instead of the bounds of a double. */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.type === 'integer') schema.format = 'int64';
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema['secret'] !== true) return;
  delete schema['secret'];
  schema['x-secret'] = true;
}

/** A field below an object, named with dots from the top: `permanent_url.enable`. */
export interface Field {
  name: string;
  schema: JsonSchema;
  required: boolean;
}

/** The fields of an object; those of objects inside follow the one that holds them. */
export function fieldsOf(schema: JsonSchema, prefix = ''): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
    const name = `${prefix}${key}`;
    const field = { name, schema: inner, required: schema.required?.includes(key) ?? false };
    return [field, ...fieldsOf(inner, `${name}.`)];
  });
}
