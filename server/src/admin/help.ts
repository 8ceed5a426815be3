/** The help texts, derived from the commands. */
import type { AdminCommand, CommandOption } from './command.ts';
import { commonOptions } from './parse-arguments.ts';

const flagOf = (name: string, { takes }: CommandOption): string =>
  takes === undefined ? `--${name}` : `--${name} ${takes}`;

const inUsage = ([name, option]: [string, CommandOption]): string =>
  option.required ? flagOf(name, option) : `[${flagOf(name, option)}]`;

const listed = (lines: [string, string][]): string[] => {
  const width = Math.max(...lines.map(([left]) => left.length));
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
};

export function commandHelp(command: AdminCommand): string {
  const own = Object.entries(command.options);
  const all = [...own, ...Object.entries(commonOptions)];
  const usage = ['Usage: drawbridge', command.name, command.operand ?? [], own.map(inUsage), '[--json]'];
  return [
    usage.flat(2).join(' '),
    '',
    command.says,
    '',
    ...listed(all.map(([name, option]) => [flagOf(name, option), option.says])),
  ].join('\n');
}

export const allHelp = (commands: readonly AdminCommand[]): string =>
  [
    'Commands to run on the server machine:',
    ...listed(commands.map(({ name, operand, says }) => [[name, operand ?? []].flat().join(' '), says])),
    '',
    'Each command has --help. The commands find the database through the settings of the server.',
  ].join('\n');
