/** Parses a command line into the words of the command, the options of this program, and the flags of the operation. */
import { parseArgs } from 'node:util';
import { type CliFailure, isCliFailure, usageFailure } from './failure.ts';
import { suggestion } from './suggest.ts';

/** Options of every command. No row may have a parameter of the same name. */
export const globalOptions = {
  server: { takes: 'URL', says: 'Address of the server (or DRAWBRIDGE_SERVER)' },
  key: { takes: 'KEY', says: 'API key (or DRAWBRIDGE_API_KEY); - reads it from standard input' },
  profile: { takes: 'NAME', says: 'Use the server and key saved under this name (or DRAWBRIDGE_PROFILE)' },
  ca: { takes: 'FILE', says: 'Trust the certificates in this file (or DRAWBRIDGE_CA)' },
  fingerprint: {
    takes: 'SHA256',
    says: 'Trust exactly the certificate with this fingerprint, or with this public key (sha256//…)',
  },
  params: { takes: 'JSON', says: 'All parameters as one JSON object; - reads it from standard input' },
  columns: { takes: 'NAMES', says: 'Show these columns only, in this order, such as id,name' },
  json: { takes: undefined, says: 'Print the reply as one JSON object' },
  help: { takes: undefined, says: 'Show help' },
  version: { takes: undefined, says: 'Show the version' },
} as const;

type GlobalOptionName = keyof typeof globalOptions;
const isGlobalOption = (name: string): name is GlobalOptionName => Object.hasOwn(globalOptions, name);

export type GlobalOptions = Partial<Record<GlobalOptionName, string>>;

/** A flag as given. The operation's schema decides later whether its text is valid. */
export interface FlagValue {
  name: string;
  text: string;
}

export interface CommandLine {
  words: string[];
  options: GlobalOptions;
  flags: FlagValue[];
}

/** The flags of an operation, and whether each takes a value. */
export type KnownFlags = Map<string, 'boolean' | 'value'>;

/** `isInline` tells whether the text follows an equals sign. */
type Token =
  | { kind: 'word'; text: string }
  | { kind: 'flag'; name: string; text: string | undefined; isInline: boolean };

/** Dashes inside a name are underscores: `--client-name` is `--client_name`. */
const withUnderscores = (arg: string): string =>
  arg.replace(/^--[^=]+/, (name) => `--${name.slice(2).replaceAll('-', '_')}`);

/** Not strict, so that this file can word the messages. `-h` is the only short option; other single dashes are words. */
function tokenize(argv: string[], known: KnownFlags): Token[] {
  const names = [...Object.keys(globalOptions), ...known.keys()];
  const takesValue = (name: string): boolean =>
    isGlobalOption(name) ? globalOptions[name].takes !== undefined : known.get(name) === 'value';
  const options = Object.fromEntries(
    names.map((name) => [name, { type: takesValue(name) ? 'string' : 'boolean' } as const]),
  );
  const { tokens } = parseArgs({
    args: argv.map(withUnderscores),
    options: { ...options, help: { type: 'boolean', short: 'h' } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens.flatMap((token, at): Token[] => {
    const arg = argv[token.index]!;
    if (token.kind === 'option' && (arg === '-h' || arg.startsWith('--')))
      return [{ kind: 'flag', name: token.name, text: token.value, isInline: token.inlineValue === true }];
    // parseArgs makes one token of each letter after a single dash.
    return tokens[at - 1]?.index === token.index ? [] : [{ kind: 'word', text: arg }];
  });
}

/** The words of the command. Options of this program can precede them or stand between them. */
export function commandWordsIn(argv: string[]): string[] {
  const words: string[] = [];
  for (const token of tokenize(argv, new Map())) {
    if (token.kind === 'word') words.push(token.text);
    else if (!isGlobalOption(token.name)) break;
  }
  return words;
}

export function parseCommandLine(
  argv: string[],
  known: KnownFlags,
  command: string,
): CommandLine | CliFailure {
  const line: CommandLine = { words: [], options: {}, flags: [] };
  const rest = tokenize(argv, known);
  for (let token = rest.shift(); token !== undefined; token = rest.shift()) {
    if (token.kind === 'word') {
      line.words.push(token.text);
      continue;
    }
    const read = isGlobalOption(token.name)
      ? readOption(token.name, token)
      : readFlag(token, rest, known, command);
    if (isCliFailure(read)) return read;
    if (!isGlobalOption(read.name)) line.flags.push(read);
    else if (read.name in line.options) return usageFailure(`--${read.name} is given twice.`);
    else line.options[read.name] = read.text;
  }
  return line;
}

type Flag = Extract<Token, { kind: 'flag' }>;

function readOption(name: GlobalOptionName, flag: Flag): FlagValue | CliFailure {
  if (globalOptions[name].takes !== undefined) return readValue(flag);
  return flag.text === undefined ? { name, text: 'true' } : usageFailure(`--${name} takes no value.`);
}

function readFlag(flag: Flag, rest: Token[], known: KnownFlags, command: string): FlagValue | CliFailure {
  const { name, text } = flag;
  const kind = known.get(name);
  if (kind === 'value') return readValue(flag);
  if (kind === 'boolean') return { name, text: text ?? takeBooleanLiteral(rest) };
  const positive = name.replace(/^no_/, '');
  if (text === undefined && known.get(positive) === 'boolean') return { name: positive, text: 'false' };
  const all = [...known.keys(), ...Object.keys(globalOptions)];
  return usageFailure(`${command} has no --${name}.${suggestion(name, all, '--')}`);
}

/** A boolean can be followed by its value. Any other word is not part of the flag. */
function takeBooleanLiteral(rest: Token[]): string {
  const [next] = rest;
  if (next?.kind !== 'word' || !/^(true|false|1|0)$/.test(next.text)) return 'true';
  rest.shift();
  return next.text;
}

/** A value that starts with two dashes needs an equals sign; otherwise it is the next flag. */
const readValue = ({ name, text, isInline }: Flag): FlagValue | CliFailure =>
  text === undefined || (!isInline && text.startsWith('--'))
    ? usageFailure(`--${name} needs a value.`)
    : { name, text };
