/** Generates the API manual, docs/api.md, from a table of operations. */
import { exampleOf, type Example } from './example.ts';
import { formatJson } from '../format-json.ts';
import {
  areaOf,
  fieldMeanings,
  describeNeeds,
  describeStatuses,
  permissionTable,
  rulesOf,
} from './describe.ts';
import { introduction } from './manual-intro.ts';
import { inputLocation, type Operation, type Table } from '../operation.ts';
import { type Field, fieldsOf, type JsonSchema, schemaOf } from './schema.ts';
import { nameIn, type Shapes, shapesOf } from './shapes.ts';

/** A request that was sent to a server, with its reply; the reply is absent if it is empty or a file. */
interface ManualExample {
  params: Example;
  reply?: object;
}

export interface Examples {
  /** The reply to a request that was refused. */
  refused: object;
  operations: Partial<Record<string, ManualExample>>;
}

export function manual(table: Table, examples: Examples): string {
  const shapes = shapesOf(table);
  const rows = Object.entries(table);
  const areas = [...new Set(rows.map(([id]) => areaOf(id)))];
  return [
    introduction(formatJson(examples.refused)),
    '## All operations',
    index(rows),
    ...areas.flatMap((area) => [
      `## ${area}`,
      ...rows
        .filter(([id]) => areaOf(id) === area)
        .flatMap(([id, row]) => section(id, row, shapes, examples.operations[id])),
    ]),
    '## Shapes',
    'What replies are made of. A name with a question mark may be absent.',
    ...Object.entries(shapes.shapes).flatMap(([name, shape]) => shapeSection(name, shape)),
    '## Permissions',
    'The type of a role fixes which permissions it may carry.',
    ...permissionTable.flatMap(({ type, permissions }) => [
      `### Roles of type ${type}`,
      permissionLines(permissions),
    ]),
  ]
    .join('\n\n')
    .concat('\n');
}

const code = (text: string): string => `\`${text}\``;
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
const link = (heading: string): string => `[${heading}](#${anchor(heading)})`;

function grid(head: string[], lines: string[][]): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  const line = (cells: string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...lines.map(line)].join('\n');
}

const index = (rows: [string, Operation][]): string =>
  grid(
    ['Operation', 'Method', 'Does', 'Needs', 'Numbers in `status`'],
    rows.map(([id, row]) => [link(id), row.method, row.says, describeNeeds(row), describeStatuses(row)]),
  );

function section(
  id: string,
  row: Operation,
  shapes: Shapes,
  example: ManualExample = { params: exampleOf(row) },
): string[] {
  return [
    `### ${id}`,
    `${code(`${row.method} /v1/${id}`)}: ${row.says}`,
    parameters(row),
    ...(row.body === 'bytes'
      ? ['The body is the file itself, whatever its `Content-Type`, up to the size that the server allows.']
      : []),
    ...rulesOf(row).map((rule) => `Rule: ${rule}.`),
    ...(row.systems === undefined ? [] : [`Systems: ${row.systems}`]),
    `Needs ${describeNeeds(row)}.`,
    row.status.ok === null ? 'The reply has no `status`.' : `\`status\`: ${describeStatuses(row)}.`,
    ['```sh', curl(id, row, example.params), '```'].join('\n'),
    replyInWords(id, row, shapes),
    ...(example.reply ? [['```json', formatJson(example.reply), '```'].join('\n')] : []),
  ];
}

function replyInWords(id: string, row: Operation, shapes: Shapes): string {
  if (row.silent) return 'The reply is empty, on success and on failure: the HTTP code is the answer.';
  if (row.media)
    return `The reply is a file of type \`${row.media}\` with its name in \`Content-Disposition\`, written while it leaves.`;
  if (row.answers === 'bytes')
    return 'The reply is the file, as `application/octet-stream` with its name in `Content-Disposition`; `Range` is honoured.';
  return `Reply: ${shapeInWords(shapes.replyOf(id))}`;
}

function parameters(row: Operation): string {
  const fields = fieldsOf(schemaOf(row.input));
  if (fields.length === 0) return 'No parameters.';
  const place =
    inputLocation(row) === 'query' ? 'Parameters, in the query string:' : 'Parameters, in a JSON body:';
  const lines = fields.map((field) => [
    code(field.name),
    kindInWords(field.schema),
    presence(field),
    meaning(field),
  ]);
  return `${place}\n\n${grid(['Name', 'Type', 'Required', 'Meaning'], lines)}`;
}

const meaning = ({ name, schema }: Field): string => schema.description ?? fieldMeanings[name] ?? '';

function presence({ required, schema }: Field): string {
  if (required) return 'yes';
  return schema.default === undefined ? 'no' : `no, default ${code(JSON.stringify(schema.default))}`;
}

/** `number from 1 to 100`, `string of 1 to 128 characters`, `array of string`. */
function kindInWords(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return link(nameIn(schema.$ref));
  if (schema.const !== undefined) return code(String(schema.const));
  if (schema.enum)
    return `one of ${schema.enum.map((value) => code(value === '' ? '""' : value)).join(', ')}`;
  if (schema.anyOf) return [...new Set(schema.anyOf.map(kindInWords))].join(' or ');
  if (schema.type === 'array') return `array of ${kindInWords(schema.items ?? {})}`;
  const { minimum: low, maximum: high, minLength: least, maxLength: most } = schema;
  if (schema.type === 'integer') return `number${low === undefined ? '' : range(low, high)}`;
  if (schema.type === 'string' && most !== undefined) return `string of ${least ?? 0} to ${most} characters`;
  return schema.type ?? 'any';
}

const range = (low: number, high?: number): string =>
  ` from ${low}${high === undefined ? '' : ` to ${high}`}`;

/** A shape on one line, such as `{ status: 0, data: array of Agent }`. Names link to the shape's section. */
function shapeInWords(schema: JsonSchema): string {
  if (schema.type === 'array') return `array of ${shapeInWords(schema.items ?? {})}`;
  if (schema.type !== 'object' || schema.properties === undefined) return kindInWords(schema);
  const fields = Object.entries(schema.properties).map(([key, inner]) => {
    const mark = schema.required?.includes(key) ? '' : '?';
    return `${key}${mark}: ${shapeInWords(inner)}`;
  });
  return `{ ${fields.join(', ')} }`;
}

function shapeSection(name: string, shape: JsonSchema): string[] {
  const [base, own] = shape.allOf ?? [];
  const fields = Object.entries((own ?? shape).properties ?? {});
  const required = (own ?? shape).required ?? [];
  const lines = fields.map(([key, inner]) => [
    code(required.includes(key) ? key : `${key}?`),
    shapeInWords(inner),
    inner.description ?? '',
  ]);
  const more = base?.$ref === undefined ? [] : [`All of ${link(nameIn(base.$ref))}, and:`];
  return [`### ${name}`, ...more, grid(['Field', 'Type', 'Meaning'], lines)];
}

function curl(id: string, row: Operation, example: Example): string {
  const key = '-H "X-Api-Key: $KEY"';
  const address = `"$SERVER/v1/${id}`;
  if (inputLocation(row) === 'body') {
    return `curl ${key} -H 'Content-Type: application/json' ${address}" -d '${JSON.stringify(example)}'`;
  }
  const query = new URLSearchParams(
    Object.entries(example).map(([name, value]) => [name, String(value)]),
  ).toString();
  const method = row.method === 'POST' ? '-X POST ' : '';
  const file = row.body === 'bytes' ? ' -T FILE' : row.answers === 'bytes' ? ' -o FILE' : '';
  return `curl ${method}${key} ${address}${query && `?${query}`}"${file}`;
}

const permissionLines = (permissions: [string, string][]): string =>
  grid(
    ['Permission', 'Allows'],
    permissions.map(([name, says]) => [code(name), says]),
  );
