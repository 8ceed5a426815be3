/** The help texts, derived from the rows. */
import { fieldMeanings, describeNeeds, describeStatuses, rulesOf } from '@drawbridge/contract/describe';
import { type Field, fieldsOf, type JsonSchema, schemaOf } from '@drawbridge/contract/schema';
import {
  type Command,
  commands,
  commandsBelow,
  machineCommands,
  type OtherCommand,
  ownCommands,
} from './commands.ts';
import { globalOptions } from './command-line.ts';
import { transfersOf } from './transfer.ts';

const listed = (lines: [string, string][]): string[] => {
  const width = Math.max(...lines.map(([left]) => left.length));
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd());
};

const operationLines = (some: Command[]): string[] => listed(some.map(({ name, row }) => [name, row.says]));
const otherLines = (some: OtherCommand[]): string[] =>
  listed(some.map(({ name, takes, says }) => [`${name} ${takes}`.trim(), says]));

const optionLines = (): string[] =>
  listed(
    Object.entries(globalOptions).map(([name, { takes, says }]) => [
      `--${name}${takes === undefined ? '' : ` ${takes}`}`,
      says,
    ]),
  );

const paragraphs = (...parts: string[][]): string => parts.map((lines) => lines.join('\n')).join('\n\n');

export const generalHelp = (): string =>
  paragraphs(
    ['Usage: drawbridge <area> <verb> [--parameter value …]', '       drawbridge <area> [<verb>] --help'],
    ['API operations:', ...operationLines(commands)],
    ['Servers and keys:', ...otherLines(ownCommands)],
    ['On the server machine:', ...otherLines(machineCommands)],
    ['Options:', ...optionLines()],
    ['Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 no connection.'],
  );

export function areaHelp(words: string[]): string {
  const { operations, machine } = commandsBelow(words);
  return paragraphs(
    [`Usage: drawbridge ${words.join(' ')} <verb> [--parameter value …]`],
    ...(operations.length > 0 ? [['API operations:', ...operationLines(operations)]] : []),
    ...(machine.length > 0 ? [['On the server machine:', ...otherLines(machine)]] : []),
    ['Run drawbridge --help to list all commands.'],
  );
}

export const ownHelp = ({ name, takes, says }: OtherCommand): string =>
  paragraphs([`Usage: drawbridge ${name} ${takes}`.trimEnd()], [says], ['Options:', ...optionLines()]);

export function commandHelp({ name, row }: Command): string {
  const fields = fieldsOf(schemaOf(row.input)).filter(({ schema }) => schema.type !== 'object');
  const files = transfersOf(row).map(({ name: flag, says }): [string, string] => [`--${flag} FILE`, says]);
  const parameters = [
    ...fields.map((field): [string, string] => [flagOf(field), meaningOf(field)]),
    ...files.map(([flag, says]): [string, string] => [flag, `${says} (required)`]),
  ];
  const usage = [...fields.map(inUsage), ...files.map(([flag]) => ` ${flag}`)].join('');
  return paragraphs(
    [`Usage: drawbridge ${name}${usage}`],
    [row.says],
    ...(parameters.length > 0 ? [['Parameters:', ...listed(parameters)]] : []),
    [
      ...rulesOf(row).map((rule) => `Rule: ${rule}.`),
      `Needs ${describeNeeds(row)}.`.replaceAll('`', ''),
      ...(row.status.ok === null ? [] : [`Status: ${describeStatuses(row)}.`]),
    ],
    ['Run drawbridge --help to list the options that every command takes.'],
  );
}

const inUsage = (field: Field): string => (field.required ? ` ${flagOf(field)}` : ` [${flagOf(field)}]`);
const flagOf = ({ name, schema }: Field): string => `--${name}${kindOf(schema)}`;

function kindOf(schema: JsonSchema): string {
  if (schema.type === 'boolean') return '';
  if (schema.type === 'integer') return ' NUMBER';
  if (schema.enum) return ` ${schema.enum.join('|')}`;
  return schema.type === 'array' ? ' TEXT,…' : ' TEXT';
}

function meaningOf({ name, schema, required }: Field): string {
  const notes = [
    ...(required ? ['required'] : []),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ];
  return [schema.description ?? fieldMeanings[name] ?? '', notes.length > 0 ? `(${notes.join(', ')})` : '']
    .join(' ')
    .trim();
}
