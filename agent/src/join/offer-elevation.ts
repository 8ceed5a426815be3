/** Offers to start `join` again with administrator rights, without which operators cannot control everything on Windows. */
import { resolve } from 'node:path';
import type { AgentArguments } from '../arguments.ts';
import type { Platform } from '../platform/platform.ts';
import { askInTerminal, type Terminal } from './terminal.ts';

const askSeconds = 20;
const limits =
  'Without administrator rights, the operator cannot control windows of administrators or the questions of Windows.';

interface OfferOptions {
  options: AgentArguments;
  platform: Platform;
  /** Undefined if nobody can answer. */
  terminal: Terminal | undefined;
  say(line: string): void;
}

/** Resolves with the exit code of the program that has run instead; undefined if this one goes on. */
export async function offerElevation({
  options,
  platform,
  terminal,
  say,
}: OfferOptions): Promise<number | undefined> {
  const elevation = await platform.elevation?.();
  if (!elevation) return undefined;
  if (!options.elevate) {
    say(`${limits} Start this program with --elevate to get them.`);
    if (!terminal) return undefined;
    const question = 'Windows can start this program again with administrator rights.';
    if (!(await askInTerminal(terminal, question, { seconds: askSeconds }))) return undefined;
  }
  say('Windows asks for administrator rights. The program continues in another window.');
  const code = await elevation.run(argumentsOf(options));
  if (code === undefined) say('Windows did not grant administrator rights. Continuing without them.');
  return code;
}

/** The elevated program does not get this environment, so its file of certificates is named by its full path. */
function argumentsOf({ code = '', server = '', ca, fingerprint, verbose }: AgentArguments): string[] {
  return [
    'join',
    code,
    '--server',
    server,
    ...(ca === undefined ? [] : ['--ca', resolve(ca)]),
    ...(fingerprint === undefined ? [] : ['--fingerprint', fingerprint]),
    ...(verbose ? ['--verbose'] : []),
  ];
}
