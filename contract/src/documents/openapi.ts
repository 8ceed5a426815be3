/** Generates the OpenAPI 3.1 document of a table of operations. */
import { areaOf, describeNeeds, type Outcome, refusalsOf, rulesOf } from './describe.ts';
import { exampleOf } from './example.ts';
import { inputLocation, type Operation, type Table } from '../operation.ts';
import { type JsonSchema, schemaOf } from './schema.ts';
import { refTo, type Shapes, shapesOf } from './shapes.ts';

/** Types only the parts of the standard that this file writes; the rest is plain data. */
export interface OpenApi {
  openapi: '3.1.0';
  info: Record<string, unknown>;
  servers: { url: string }[];
  security: Record<string, string[]>[];
  tags: { name: string }[];
  paths: Record<string, Record<string, unknown>>;
  components: { securitySchemes: Record<string, unknown>; schemas: Record<string, JsonSchema> };
}

export function openapi(table: Table, about: { version: string }): OpenApi {
  const rows = Object.entries(table);
  const shapes = shapesOf(table);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Drawbridge API',
      version: about.version,
      description: introduction,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: [...new Set(rows.map(([id]) => areaOf(id)))].map((name) => ({ name })),
    paths: Object.fromEntries(
      rows.map(([id, row]) => [`/v1/${id}`, { [row.method.toLowerCase()]: operation(id, row, shapes) }]),
    ),
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } },
      schemas: { Error: errorSchema, ...shapes.shapes },
    },
  };
}

const introduction = [
  'Remote access and device management over HTTPS. Every request carries an API key in the header `X-Api-Key`.',
  'Integers go up to 9007199254740991 (2^53 - 1); times are Unix timestamps in whole seconds.',
  'A reply may gain fields within /v1; it does not lose any.',
].join('\n\n');

const errorSchema: JsonSchema = {
  type: 'object',
  description: 'A refusal. Nothing was changed.',
  properties: {
    status: { type: 'integer', description: 'Only for operations that answer with a status' },
    error: {
      type: 'object',
      properties: {
        code: { type: 'string', description: 'Stable, in snake_case' },
        message: { type: 'string', description: 'A sentence a person can act on' },
        field: { type: 'string', description: 'The parameter that is to blame' },
      },
      required: ['code', 'message'],
    },
  },
  required: ['error'],
};

function operation(id: string, row: Operation, shapes: Shapes): Record<string, unknown> {
  const rules = rulesOf(row).map((rule) => `Rule: ${rule}.`);
  const systems = row.systems === undefined ? [] : [row.systems];
  return {
    operationId: id,
    tags: [areaOf(id)],
    summary: row.says,
    description: [`Needs ${describeNeeds(row)}.`, ...rules, ...systems].join('\n\n'),
    ...input(row),
    responses: { 200: success(id, row, shapes), ...refusals(row) },
    'x-needs': row.needs,
    'x-status': row.status,
  };
}

function input(row: Operation): Record<string, unknown> {
  const schema = schemaOf(row.input);
  if (inputLocation(row) === 'query') {
    const parameters = Object.entries(schema.properties ?? {}).map(([name, inner]) =>
      parameter(name, inner, schema),
    );
    return {
      ...(parameters.length > 0 && { parameters }),
      ...(row.body === 'bytes' && { requestBody: bytes }),
    };
  }
  const content = { 'application/json': { schema, example: exampleOf(row) } };
  return { requestBody: { required: true, content } };
}

/** OpenAPI 3.1 describes binary content by a media type without a schema. */
const bytes = { required: true, content: { 'application/octet-stream': {} } };

function parameter(name: string, inner: JsonSchema, owner: JsonSchema): Record<string, unknown> {
  const { description, ...schema } = inner;
  return {
    name,
    in: 'query',
    required: owner.required?.includes(name) ?? false,
    ...(description !== undefined && { description }),
    schema,
  };
}

function success(id: string, row: Operation, { replyOf }: Shapes): Record<string, unknown> {
  if (row.silent) return { description: 'Done. The body is empty.' };
  if (row.answers === 'bytes')
    return { description: 'The file.', content: row.media ? { [row.media]: {} } : bytes.content };
  return { description: 'Done.', content: { 'application/json': { schema: replyOf(id) } } };
}

function refusals(row: Operation): Record<string, unknown> {
  const outcomes = refusalsOf(row);
  const codes = [...new Set([...outcomes.map(({ http }) => http), 404])].toSorted((a, b) => a - b);
  return Object.fromEntries(
    codes.map((http) => [
      http,
      refusal(
        outcomes.filter((outcome) => outcome.http === http),
        row.silent,
      ),
    ]),
  );
}

/** No outcome has HTTP status 404, because an unknown path or method is rejected before any operation runs. */
function refusal(outcomes: Outcome[], silent = false): Record<string, unknown> {
  const words = outcomes.map(({ code, status }) =>
    status === undefined ? code : `${code} (status ${status})`,
  );
  const description = words.length > 0 ? `Refused: ${words.join(', ')}.` : 'Unknown URL or method.';
  if (silent && outcomes.length > 0) return { description: `${description} The body is empty.` };
  return { description, content: { 'application/json': { schema: refTo('Error') } } };
}
