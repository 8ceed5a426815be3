/** Parses the options of a command, or returns a sentence that names the wrong one. */
import {
  usageError,
  type AdminCommand,
  type Failure,
  type ParsedArguments,
  type CommandOption,
} from './command.ts';

/** Options of every command. */
export const commonOptions: Readonly<Record<string, CommandOption>> = {
  json: { says: 'Print one JSON object.' },
  help: { says: 'Show this help.' },
};

/** Dashes inside a name are underscores: `--recording-mb` is `--recording_mb`. */
function optionIn(word: string): { name: string; text: string | undefined } | undefined {
  if (word === '-h') return { name: 'help', text: undefined };
  const [, name, text] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
  return name === undefined ? undefined : { name: name.replaceAll('-', '_'), text };
}

export function parseArguments(words: readonly string[], command: AdminCommand): ParsedArguments | Failure {
  const known = { ...command.options, ...commonOptions };
  const options: Record<string, string> = {};
  const operands: string[] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const option = optionIn(word);
    if (!option) {
      operands.push(word);
      continue;
    }
    const { name } = option;
    if (!Object.hasOwn(known, name)) return usageError(unknownOption(name, command));
    if (Object.hasOwn(options, name)) return usageError(`--${name} is given twice.`);
    const value = valueOf(name, known[name]!, option.text, rest);
    if (typeof value !== 'string') return value;
    options[name] = value;
  }
  return complete(command, options, operands);
}

const unknownOption = (name: string, { name: command, options }: AdminCommand): string =>
  `${command} has no option --${name}; it takes ${[...Object.keys(options), 'json'].map((each) => `--${each}`).join(', ')}.`;

function valueOf(
  name: string,
  { takes }: CommandOption,
  text: string | undefined,
  rest: string[],
): string | Failure {
  if (takes === undefined) return text === undefined ? 'true' : usageError(`--${name} takes no value.`);
  const value = text ?? (rest[0]?.startsWith('--') ? undefined : rest.shift());
  return value === undefined || value === '' ? usageError(`--${name} needs a value.`) : value;
}

/** With `--help`, nothing else is required. */
function complete(
  command: AdminCommand,
  options: Record<string, string>,
  operands: string[],
): ParsedArguments | Failure {
  const args = { options, operand: operands[0] ?? '' };
  if (options['help'] !== undefined) return args;
  const stray = operands[command.operand === undefined ? 0 : 1];
  if (stray !== undefined) return usageError(`${command.name} does not take ${stray}.`);
  if (command.operand !== undefined && args.operand === '')
    return usageError(`${command.name} needs ${command.operand}.`);
  const missing = Object.keys(command.options).find(
    (name) => command.options[name]!.required && options[name] === undefined,
  );
  return missing === undefined ? args : usageError(`${command.name} needs --${missing}.`);
}
