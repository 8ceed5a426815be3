/** Reads a command line: the words of the command, the options of this program, and the flags of the operation. */
import { type CliFailure, isCliFailure, usageFailure } from './failure.ts';
import { suggestion } from './suggest.ts';

/** Options that any command takes. Rows must not have a parameter of the same name. */
export const globalOptions = {
  server: { takes: 'URL', says: 'Address of the server (or DRAWBRIDGE_SERVER)' },
  key: { takes: 'KEY', says: 'API key (or DRAWBRIDGE_API_KEY); - reads it from standard input' },
  profile: { takes: 'NAME', says: 'Use the server and key saved under this name (or DRAWBRIDGE_PROFILE)' },
  ca: { takes: 'FILE', says: 'Trust the certificates in this file (or DRAWBRIDGE_CA)' },
  fingerprint: { takes: 'SHA256', says: 'Trust exactly the certificate with this fingerprint' },
  params: { takes: 'JSON', says: 'All parameters as one JSON object; - reads it from standard input' },
  json: { takes: undefined, says: 'Print the reply as one JSON object' },
  help: { takes: undefined, says: 'Show help' },
  version: { takes: undefined, says: 'Show the version' },
} as const;

export type GlobalOptionName = keyof typeof globalOptions;
const isGlobalOption = (name: string): name is GlobalOptionName => Object.hasOwn(globalOptions, name);

export type GlobalOptions = Partial<Record<GlobalOptionName, string>>;

/** A flag as it was given; whether its text makes sense is for the operation's schema to say. */
export interface FlagValue {
  name: string;
  text: string;
}

export interface CommandLine {
  words: string[];
  options: GlobalOptions;
  flags: FlagValue[];
}

/** What is known of an operation's flags: whether they stand alone, as booleans do. */
export type KnownFlags = Map<string, 'boolean' | 'value'>;

interface Token {
  name: string;
  /** What follows an equals sign. */
  text: string | undefined;
}

/** Dashes inside a name are underscores: `--client-name` is `--client_name`. */
function parseFlagToken(token: string): Token | undefined {
  if (token === '-h') return { name: 'help', text: undefined };
  const [, name, text] = /^--([^=]+)(?:=(.*))?$/s.exec(token) ?? [];
  return name === undefined ? undefined : { name: name.replaceAll('-', '_'), text };
}

/** The words of the command; options of this program may stand before and between them. */
export function commandWordsIn(argv: string[]): string[] {
  const words: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const flag = parseFlagToken(argv[at] ?? '');
    if (flag === undefined) words.push(argv[at] ?? '');
    else if (!isGlobalOption(flag.name)) break;
    else if (globalOptions[flag.name].takes !== undefined && flag.text === undefined) at += 1;
  }
  return words;
}

export function parseCommandLine(
  argv: string[],
  known: KnownFlags,
  command: string,
): CommandLine | CliFailure {
  const line: CommandLine = { words: [], options: {}, flags: [] };
  const rest = [...argv];
  for (let token = rest.shift(); token !== undefined; token = rest.shift()) {
    const flag = parseFlagToken(token);
    if (flag === undefined) {
      line.words.push(token);
      continue;
    }
    const read = isGlobalOption(flag.name)
      ? readOption(flag.name, flag, rest)
      : readFlag(flag, rest, known, command);
    if (isCliFailure(read)) return read;
    if (!isGlobalOption(read.name)) line.flags.push(read);
    else if (read.name in line.options) return usageFailure(`--${read.name} is given twice.`);
    else line.options[read.name] = read.text;
  }
  return line;
}

function readOption(name: GlobalOptionName, { text }: Token, rest: string[]): FlagValue | CliFailure {
  if (globalOptions[name].takes === undefined) {
    return text === undefined ? { name, text: 'true' } : usageFailure(`--${name} takes no value.`);
  }
  return takeValue(name, text, rest);
}

function readFlag(
  { name, text }: Token,
  rest: string[],
  known: KnownFlags,
  command: string,
): FlagValue | CliFailure {
  const kind = known.get(name);
  if (kind === 'value') return takeValue(name, text, rest);
  if (kind === 'boolean') return { name, text: text ?? takeBooleanLiteral(rest) };
  const positive = name.replace(/^no_/, '');
  if (text === undefined && known.get(positive) === 'boolean') return { name: positive, text: 'false' };
  const all = [...known.keys(), ...Object.keys(globalOptions)];
  return usageFailure(`${command} has no --${name}.${suggestion(name, all, '--')}`);
}

/** A boolean may be followed by its value; anything else that follows is not its own. */
const takeBooleanLiteral = (rest: string[]): string =>
  /^(true|false|1|0)$/.test(rest[0] ?? '') ? (rest.shift() ?? 'true') : 'true';

function takeValue(name: string, text: string | undefined, rest: string[]): FlagValue | CliFailure {
  const value = text ?? (rest[0]?.startsWith('--') ? undefined : rest.shift());
  return value === undefined ? usageFailure(`--${name} needs a value.`) : { name, text: value };
}
