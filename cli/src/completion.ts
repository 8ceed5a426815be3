/** The words and flags that can follow on a command line, from the table of commands. The completion scripts are generated from it. */
import { fieldMeanings } from '@drawbridge/contract/documents/describe';
import { fieldsOf, schemaOf } from '@drawbridge/contract/documents/schema';
import { globalOptions } from './command-line.ts';
import { type ApiCommand, apiCommands, cliCommands, type LocalCommand, serverCommands } from './commands.ts';
import { deviceAlias } from './params.ts';
import { fileFlagsOf } from './transfer.ts';

/** A word that can come next, and its meaning. */
export interface Candidate {
  word: string;
  says: string;
}

/** `values`: the words that it accepts, the name of a file, any text, or nothing. */
interface CompletedFlag extends Candidate {
  values: string[] | 'file' | 'text' | 'none';
}

interface CompletedCommand {
  name: string;
  says: string;
  /** Words that can follow its name; `file` for the name of a file. */
  operands: string[] | 'file';
  flags: CompletedFlag[];
}

export interface CompletionTable {
  /** By the words so far. */
  next: Map<string, Candidate[]>;
  /** The words so far whose next word is the name of a file. */
  fileOperands: string[];
  /** The values of flags, by command and flag: `team role create --type`. */
  values: Map<string, string[]>;
  /** Flags whose value is the name of a file. */
  fileFlags: string[];
  /** Flags without a value. */
  bareFlags: string[];
}

const valuesOf = (takes: string | undefined): CompletedFlag['values'] => {
  if (takes === undefined) return 'none';
  if (takes === 'FILE') return 'file';
  return takes.includes('|') ? takes.split('|') : 'text';
};

const globalFlags: CompletedFlag[] = Object.entries(globalOptions).map(([name, { takes, says }]) => ({
  word: `--${name}`,
  says,
  values: valuesOf(takes),
}));

function apiCommand({ name, row }: ApiCommand): CompletedCommand {
  const device = deviceAlias(row);
  const fields = fieldsOf(schemaOf(row.input)).filter(({ schema }) => schema.type !== 'object');
  const flags = fields.flatMap(({ name: field, schema }): CompletedFlag[] => {
    const says = schema.description ?? fieldMeanings[field] ?? '';
    const values = schema.type === 'boolean' ? 'none' : (schema.enum ?? schema.items?.enum ?? 'text');
    const names = device?.name === field ? [field, device.alias] : [field];
    return names.map((each) => ({ word: `--${each}`, says, values }));
  });
  const files = fileFlagsOf(row).map(({ name: flag, says }): CompletedFlag => ({
    word: `--${flag}`,
    says,
    values: 'file',
  }));
  return { name, says: row.says, operands: [], flags: [...flags, ...files, ...globalFlags] };
}

/** Reads the flags from the usage: `--email E [--force]`. */
function localCommand({ name, takes, says }: LocalCommand, common: CompletedFlag[]): CompletedCommand {
  const flags = [...takes.matchAll(/(--[a-z][a-z-]*)(?: ([^\s[\]-][^\s\]]*))?/g)].map(
    ([, word, value]): CompletedFlag => ({
      word: word!,
      says: common.find((flag) => flag.word === word)?.says ?? '',
      values: valuesOf(value),
    }),
  );
  const [operand = ''] = takes.split(' ');
  const operands = operand === 'FILE' ? 'file' : operand.includes('|') ? operand.split('|') : [];
  const more = common.filter(({ word }) => flags.every((flag) => flag.word !== word));
  return { name, says, operands, flags: [...flags, ...more] };
}

const outputFlags = globalFlags.filter(({ word }) => word === '--json' || word === '--help');

const allCommands = (): CompletedCommand[] => [
  ...apiCommands.map(apiCommand),
  ...cliCommands.map((command) => localCommand(command, globalFlags)),
  ...serverCommands.map((command) => localCommand(command, outputFlags)),
];

export function completionTable(): CompletionTable {
  const commands = allCommands();
  const flags = commands.flatMap(({ flags: each }) => each);
  const flagsWith = (values: 'file' | 'none'): string[] => [
    ...new Set(flags.filter((flag) => flag.values === values).map(({ word }) => word)),
  ];
  return {
    next: nextWords(commands),
    fileOperands: commands.filter(({ operands }) => operands === 'file').map(({ name }) => name),
    values: new Map(
      commands.flatMap(({ name, flags: own }) =>
        own.flatMap(({ word, values }) =>
          Array.isArray(values) ? [[`${name} ${word}`, values] as const] : [],
        ),
      ),
    ),
    fileFlags: flagsWith('file'),
    bareFlags: flagsWith('none'),
  };
}

/** An area is described by the commands in it. */
function nextWords(commands: CompletedCommand[]): Map<string, Candidate[]> {
  const next = new Map<string, Map<string, string>>();
  const add = (path: string, word: string, says: string): void =>
    void next.set(path, (next.get(path) ?? new Map<string, string>()).set(word, says));
  for (const { name, says } of commands) {
    const words = name.split(' ');
    for (const [at, word] of words.entries()) {
      const path = words.slice(0, at).join(' ');
      if (at === words.length - 1) add(path, word, says);
      else if (!next.get(path)?.has(word)) add(path, word, `Commands that begin with ${word}`);
    }
  }
  for (const { name, operands, flags } of commands) {
    for (const word of operands === 'file' ? [] : operands) add(name, word, '');
    for (const { word, says } of flags) add(name, word, says);
  }
  for (const { word, says } of globalFlags) add('', word, says);
  return new Map(
    [...next].map(([path, words]) => [path, [...words].map(([word, says]) => ({ word, says }))]),
  );
}
