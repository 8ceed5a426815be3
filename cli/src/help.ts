/** Generates the help texts from the rows. */
import type { Operation } from '@drawbridge/contract/operation';
import {
  fieldMeanings,
  describeNeeds,
  describeStatuses,
  rulesOf,
} from '@drawbridge/contract/documents/describe';
import { type Field, fieldsOf, type JsonSchema, schemaOf } from '@drawbridge/contract/documents/schema';
import {
  type ApiCommand,
  apiCommands,
  commandsWithPrefix,
  serverCommands,
  type LocalCommand,
  cliCommands,
} from './commands.ts';
import { globalOptions } from './command-line.ts';
import { deviceAlias } from './params.ts';
import { fileFlagsOf } from './transfer.ts';

const alignColumns = (lines: [string, string][]): string[] => {
  const width = Math.max(...lines.map(([left]) => left.length));
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd());
};

const operationLines = (some: ApiCommand[]): string[] =>
  alignColumns(some.map(({ name, row }) => [name, row.says]));
const localCommandLines = (some: LocalCommand[]): string[] =>
  alignColumns(some.map(({ name, takes, says }) => [`${name} ${takes}`.trim(), says]));

const optionLines = (): string[] =>
  alignColumns(
    Object.entries(globalOptions).map(([name, { takes, says }]) => [
      `--${name}${takes === undefined ? '' : ` ${takes}`}`,
      says,
    ]),
  );

const paragraphs = (...parts: string[][]): string => parts.map((lines) => lines.join('\n')).join('\n\n');

export const generalHelp = (): string =>
  paragraphs(
    ['Usage: drawbridge <area> <verb> [--parameter value …]', '       drawbridge <area> [<verb>] --help'],
    ['API operations:', ...operationLines(apiCommands)],
    ['Servers and keys:', ...localCommandLines(cliCommands)],
    ['On the machine of the server or of a device:', ...localCommandLines(serverCommands)],
    ['Options:', ...optionLines()],
    ['Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 no connection.'],
  );

export function areaHelp(words: string[]): string {
  const { operations, machine } = commandsWithPrefix(words);
  return paragraphs(
    [`Usage: drawbridge ${words.join(' ')} <verb> [--parameter value …]`],
    ...(operations.length > 0 ? [['API operations:', ...operationLines(operations)]] : []),
    ...(machine.length > 0
      ? [['On the machine of the server or of a device:', ...localCommandLines(machine)]]
      : []),
    ['Run drawbridge --help to list all commands.'],
  );
}

export const localCommandHelp = ({ name, takes, says }: LocalCommand): string =>
  paragraphs([`Usage: drawbridge ${name} ${takes}`.trimEnd()], [says], ['Options:', ...optionLines()]);

export function apiCommandHelp({ name, row }: ApiCommand): string {
  const fields = fieldsOf(schemaOf(row.input)).filter(({ schema }) => schema.type !== 'object');
  const files = fileFlagsOf(row).map(({ name: flag, says }): [string, string] => [`--${flag} FILE`, says]);
  const parameters = [
    ...fields.map((field): [string, string] => [flagOf(field), meaningOf(field, row)]),
    ...files.map(([flag, says]): [string, string] => [flag, `${says} (required)`]),
  ];
  const usage = [...fields.map(toUsage), ...files.map(([flag]) => ` ${flag}`)].join('');
  return paragraphs(
    [`Usage: drawbridge ${name}${usage}`],
    [row.says],
    ...(parameters.length > 0 ? [['Parameters:', ...alignColumns(parameters)]] : []),
    [
      ...rulesOf(row).map((rule) => `Rule: ${rule}.`),
      ...(row.systems === undefined ? [] : [row.systems.replaceAll('`', '')]),
      `Needs ${describeNeeds(row)}.`.replaceAll('`', ''),
      ...(row.status.ok === null ? [] : [`Status: ${describeStatuses(row)}.`]),
    ],
    ['Run drawbridge --help to list the options that every command takes.'],
  );
}

const toUsage = (field: Field): string => (field.required ? ` ${flagOf(field)}` : ` [${flagOf(field)}]`);
const flagOf = ({ name, schema }: Field): string => `--${name}${kindOf(schema)}`;

function kindOf(schema: JsonSchema): string {
  if (schema.type === 'boolean') return '';
  if (schema.type === 'integer') return ' NUMBER';
  if (schema.enum) return ` ${schema.enum.join('|')}`;
  return schema.type === 'array' ? ' TEXT,…' : ' TEXT';
}

function meaningOf({ name, schema, required }: Field, row: Operation): string {
  const device = deviceAlias(row);
  const notes = [
    ...(required ? ['required'] : []),
    ...(device?.name === name ? [`or --${device.alias}`] : []),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ];
  return [schema.description ?? fieldMeanings[name] ?? '', notes.length > 0 ? `(${notes.join(', ')})` : '']
    .join(' ')
    .trim();
}
