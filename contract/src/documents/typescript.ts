/** Generates the TypeScript of the SDK: an interface for each operation's parameters and reply, and a table of routes. */
import { inputLocation, type Operation, type Table } from '../operation.ts';
import { type JsonSchema, schemaOf } from './schema.ts';
import { nameIn, type Shapes, shapesOf } from './shapes.ts';

export function typescript(table: Table): string {
  const shapes = shapesOf(table);
  const rows = Object.entries(table);
  return [
    '/** Every operation of the API. Derived from the contract by `npm run derive`: change the rows, not this file. */',
    ...Object.entries(shapes.shapes).map(([name, shape]) => namedShape(name, shape)),
    '/** The operation takes no parameters. */\nexport type NoParams = Record<string, never>;',
    ...rows.flatMap(([id, row]) => [params(id, row), reply(id, row, shapes)]),
    '/** A file to upload. A stream is sent while it is read, and needs a `fetch` that supports this. */\nexport type Bytes = Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;',
    operationsMap(rows),
    'export type OperationId = keyof Operations;',
    route,
    routes(rows),
  ]
    .join('\n\n')
    .concat('\n');
}

const route = `export interface OperationRoute {
  method: 'GET' | 'POST';
  in: 'query' | 'body';
  /** The HTTP status is the whole answer: the body is empty. */
  empty?: true;
  /** The body of the request is a file. */
  body?: 'bytes';
  /** The body of the reply is a file. */
  answers?: 'bytes';
}`;

/** `team/member/access/add` → `TeamMemberAccessAdd`. */
const typeName = (id: string): string =>
  id.replace(/(?:^|[/_])([a-z])/g, (_, letter: string) => letter.toUpperCase());

function namedShape(name: string, shape: JsonSchema): string {
  const [base, own] = shape.allOf ?? [];
  if (base?.$ref === undefined || own === undefined) return `export interface ${name} ${object(shape, 0)}`;
  return `export interface ${name} extends ${nameIn(base.$ref)} ${object(own, 0)}`;
}

function params(id: string, row: Operation): string {
  const schema = schemaOf(row.input);
  const name = `${typeName(id)}Params`;
  if (Object.keys(schema.properties ?? {}).length === 0) return `export type ${name} = NoParams;`;
  return `/** ${row.method} /v1/${id}: ${row.says} */\nexport interface ${name} ${object(schema, 0)}`;
}

function reply(id: string, row: Operation, { replyOf }: Shapes): string {
  const name = `${typeName(id)}Reply`;
  if (row.answers === 'bytes')
    return `/** The answer to ${id}: the file. */\nexport type ${name} = ReadableStream<Uint8Array<ArrayBuffer>>;`;
  const schema = replyOf(id);
  if (Object.keys(schema.properties ?? {}).length === 0)
    return `export type ${name} = Record<string, never>;`;
  return `/** The answer to ${id}. */\nexport interface ${name} ${object(schema, 0)}`;
}

function operationsMap(rows: [string, Operation][]): string {
  return [
    '/** The parameters and the reply of each operation. */',
    'export interface Operations {',
    ...rows.map(([id, { body }]) => {
      const takes = [`params: ${typeName(id)}Params;`, ...(body === 'bytes' ? ['bytes: Bytes;'] : [])];
      return entry(id, ...takes, `reply: ${typeName(id)}Reply;`);
    }),
    '}',
  ].join('\n');
}

/** Uses one line if the formatter would do so too. */
function entry(id: string, ...fields: string[]): string {
  const line = `  '${id}': { ${fields.join(' ').replace(/;$/, '')} };`;
  return line.length <= 110
    ? line
    : [`  '${id}': {`, ...fields.map((field) => `    ${field}`), '  };'].join('\n');
}

function routes(rows: [string, Operation][]): string {
  const lines = rows.map(([id, row]) => {
    const marks = [
      ...(row.silent ? ['empty: true'] : []),
      ...(row.body === 'bytes' ? ["body: 'bytes'"] : []),
      ...(row.answers === 'bytes' ? ["answers: 'bytes'"] : []),
    ];
    return `  '${id}': { ${[`method: '${row.method}'`, `in: '${inputLocation(row)}'`, ...marks].join(', ')} },`;
  });
  return [
    '/** The HTTP method of each operation, and where its parameters are sent. */',
    'export const routes: Record<OperationId, OperationRoute> = {',
    ...lines,
    '};',
  ].join('\n');
}

function object(schema: JsonSchema, depth: number): string {
  const indent = '  '.repeat(depth + 1);
  const lines = Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
    const mark = schema.required?.includes(key) ? '' : '?';
    const words = about(inner);
    return [...(words ? [`${indent}/** ${words} */`] : []), property(indent, `${key}${mark}:`, inner, depth)];
  });
  return ['{', ...lines, `${'  '.repeat(depth)}}`].join('\n');
}

/** Uses one line if the formatter would do so too. */
function property(indent: string, head: string, schema: JsonSchema, depth: number): string {
  const line = `${indent}${head} ${typeOf(schema, depth + 1)};`;
  const values = schema.enum ?? schema.items?.enum;
  if (!values || line.length <= 110) return line;
  const choices = values.map((value) => `${indent}  | '${value}'`);
  return schema.enum
    ? `${[indent + head, ...choices].join('\n')};`
    : [`${indent}${head} (`, ...choices, `${indent})[];`].join('\n');
}

function about(schema: JsonSchema): string {
  const words = [schema.description ?? ''];
  if (schema.default !== undefined) words.push(`default ${JSON.stringify(schema.default)}`);
  return words.filter((part) => part !== '').join('; ');
}

/** The type of a value, as TypeScript and the manual write it. */
function typeOf(schema: JsonSchema, depth = 0): string {
  if (schema.$ref !== undefined) return nameIn(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map((inner) => typeOf(inner, depth)))].join(' | ');
  if (schema.type === 'array') return arrayOf(schema.items ?? {}, depth);
  if (schema.type === 'object') return schema.properties ? object(schema, depth) : 'Record<string, unknown>';
  return schema.type === 'integer' ? 'number' : (schema.type ?? 'unknown');
}

function arrayOf(items: JsonSchema, depth: number): string {
  const inner = typeOf(items, depth);
  return items.enum || (items.anyOf && inner.includes(' | ')) ? `(${inner})[]` : `${inner}[]`;
}
