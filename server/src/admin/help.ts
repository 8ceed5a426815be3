/** The help texts, derived from the commands. */
import type { Command, Option } from './command.ts';
import { everywhere } from './line.ts';

const flagOf = (name: string, { takes }: Option): string =>
  takes === undefined ? `--${name}` : `--${name} ${takes}`;

const inUsage = ([name, option]: [string, Option]): string =>
  option.required ? flagOf(name, option) : `[${flagOf(name, option)}]`;

const listed = (lines: [string, string][]): string[] => {
  const width = Math.max(...lines.map(([left]) => left.length));
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
};

export function commandHelp(command: Command): string {
  const own = Object.entries(command.options);
  const all = [...own, ...Object.entries(everywhere)];
  const usage = ['Usage: drawbridge', command.name, command.operand ?? [], own.map(inUsage), '[--json]'];
  return [
    usage.flat(2).join(' '),
    '',
    command.says,
    '',
    ...listed(all.map(([name, option]) => [flagOf(name, option), option.says])),
  ].join('\n');
}

export const allHelp = (commands: readonly Command[]): string =>
  [
    'Commands to run on the server machine:',
    ...listed(commands.map(({ name, operand, says }) => [[name, operand ?? []].flat().join(' '), says])),
    '',
    'Each command has --help. The commands find the database through the settings of the server.',
  ].join('\n');
