/** Runs a command: parses words and flags, shows help, calls the server, prints the reply, returns the exit code. */
import manifest from '../package.json' with { type: 'json' };
import { approveFlags, approveSessions } from './four-eyes/approve.ts';
import { approverKeyFlags, showApproverKey } from './four-eyes/approver-key.ts';
import { callServer } from './call.ts';
import { columnsOf, parseColumns } from './columns.ts';
import {
  allCommandNames,
  type ApiCommand,
  findCommand,
  commandsWithPrefix,
  cliCommands,
} from './commands.ts';
import { completionScript, isShell, shells } from './completion-scripts.ts';
import { exitCodes, type CliFailure, isCliFailure, usageFailure } from './failure.ts';
import { areaHelp, apiCommandHelp, generalHelp, localCommandHelp } from './help.ts';
import {
  type CommandLine,
  type GlobalOptions,
  type KnownFlags,
  parseCommandLine,
  commandWordsIn,
} from './command-line.ts';
import { login, listProfiles, profileColumns, savedMessage } from './login.ts';
import { suggestion } from './suggest.ts';
import { flagsOf, parseJsonObject, type CommandParams, toParams } from './params.ts';
import { toSafeJson, formatReply } from './print.ts';
import { resolveTarget } from './target.ts';
import { defaultName, openUpload, saveDownload, splitFlags } from './transfer.ts';
import type { CliContext } from './context.ts';

interface OutputContext extends CliContext {
  /** Whether a program reads the output. */
  json: boolean;
}

export async function runCli(argv: string[], base: CliContext): Promise<number> {
  const context = { ...base, json: argv.includes('--json') };
  const words = commandWordsIn(argv).filter((word, at) => !(at === 0 && word === 'help'));
  const command = findCommand(words);
  const commandLine = parseCommandLine(
    argv,
    command ? flagsOf(command.row) : (localFlags[words.join(' ')] ?? localFlags[words[0]!] ?? new Map()),
    words.join(' ') || 'drawbridge',
  );
  if (isCliFailure(commandLine)) return reportFailure(commandLine, context);
  if (commandLine.options.version !== undefined) return printLine(manifest.version, context);
  if (commandLine.options.help !== undefined || commandLine.words[0] === 'help')
    return printHelp(words, command, context);
  const unexpected = commandLine.words[words.length];
  if (unexpected !== undefined)
    return reportFailure(usageFailure(`${words.join(' ')} does not take ${unexpected}.`), context);
  if (command) return runApiCommand(command, commandLine, context);
  if (words[0] === 'completion') return printCompletion(words, context);
  if (words[0] === 'login' || words[0] === 'profiles')
    return runLocalCommand(words, commandLine.options, context);
  if (words[0] === 'approve') return printResult(await approveSessions(words, commandLine, context), context);
  if (words.join(' ') === 'approver key')
    return printResult(await showApproverKey(commandLine.flags, context), context);
  return printIncomplete(words, context);
}

/** The flags of the commands that are not operations. */
const localFlags: Partial<Record<string, KnownFlags>> = {
  approve: approveFlags,
  'approver key': approverKeyFlags,
};

const printResult = (result: object | CliFailure, context: OutputContext): number =>
  isCliFailure(result) ? reportFailure(result, context) : printReply(result, undefined, context);

function printLine(text: string, context: CliContext): number {
  context.out(`${text}\n`);
  return exitCodes.done;
}

function reportFailure(
  { exit, says }: CliFailure,
  context: OutputContext,
  answer: object = { error: { message: says } },
): number {
  if (context.json) printLine(toSafeJson(answer), context);
  context.err(`drawbridge: ${says}\n`);
  return exit;
}

function printHelp(words: string[], command: ApiCommand | undefined, context: OutputContext): number {
  const own = cliCommands.find(({ name }) => name === words.join(' '));
  if (words.length === 0) return printLine(generalHelp(), context);
  if (command) return printLine(apiCommandHelp(command), context);
  if (own) return printLine(localCommandHelp(own), context);
  const { operations, machine } = commandsWithPrefix(words);
  return operations.length + machine.length > 0
    ? printLine(areaHelp(words), context)
    : reportFailure(unknownCommand(words), context);
}

/** Lists the commands that start with these words, or all commands if there are no words. */
function printIncomplete(words: string[], context: OutputContext): number {
  const { operations, machine } = commandsWithPrefix(words);
  if (words.length > 0 && operations.length + machine.length === 0)
    return reportFailure(unknownCommand(words), context);
  context.err(`${words.length === 0 ? generalHelp() : areaHelp(words)}\n`);
  return exitCodes.usage;
}

const unknownCommand = (words: string[]): CliFailure =>
  usageFailure(
    `There is no command ${words.join(' ')}.${suggestion(words.join(' '), allCommandNames())} See drawbridge --help.`,
  );

async function runApiCommand(
  { id, name, row }: ApiCommand,
  commandLine: CommandLine,
  context: OutputContext,
): Promise<number> {
  const whole = await readParamsOption(commandLine.options, context);
  if (isCliFailure(whole)) return reportFailure(whole, context);
  const columns = parseColumns(commandLine.options, columnsOf(row));
  if (isCliFailure(columns)) return reportFailure(columns, context);
  const given = splitFlags(row, commandLine.flags, name, context);
  if (isCliFailure(given)) return reportFailure(given, context);
  const params = toParams(row, given.flags, { ...defaultName(row, given.file), ...whole }, name);
  if (isCliFailure(params)) return reportFailure(params, context);
  const target = await resolveTarget(commandLine.options, context);
  if (isCliFailure(target)) return reportFailure(target, context);
  const file = given.file === undefined ? undefined : await openUpload(given.file);
  if (isCliFailure(file)) return reportFailure(file, context);
  const { body, bytes, failure } = await callServer(target, id, params, file);
  if (bytes && given.out !== undefined) return saveReply(bytes, given.out, context);
  if (failure === undefined) return printReply(body, columns, context);
  // If the server gave a reason, print that.
  return Object.keys(body).length > 0
    ? reportFailure(failure, context, body)
    : reportFailure(failure, context);
}

async function saveReply(
  bytes: ReadableStream<Uint8Array>,
  out: string,
  context: OutputContext,
): Promise<number> {
  const saved = await saveDownload(bytes, out);
  if (isCliFailure(saved)) return reportFailure(saved, context);
  return printReply(saved, undefined, context);
}

/** JSON is for programs: it always has every field. */
const printReply = (reply: object, columns: readonly string[] | undefined, context: OutputContext): number =>
  printLine(
    context.json ? toSafeJson(reply) : formatReply({ ...reply }, { width: context.columns, columns }),
    context,
  );

async function readParamsOption(
  { params, key }: GlobalOptions,
  context: CliContext,
): Promise<CommandParams | CliFailure> {
  if (params === '-' && key === '-')
    return usageFailure('Only one of --params and --key can come from standard input.');
  if (params === undefined) return {};
  return parseJsonObject('--params', params === '-' ? await context.input() : params);
}

function printCompletion([, shell = '', ...more]: string[], context: OutputContext): number {
  if (isShell(shell) && more.length === 0) return printLine(completionScript(shell), context);
  return reportFailure(usageFailure(`completion needs the name of a shell: ${shells.join(', ')}.`), context);
}

async function runLocalCommand(
  [first, ...more]: string[],
  options: GlobalOptions,
  context: OutputContext,
): Promise<number> {
  if (more.length > 0) return reportFailure(usageFailure(`${first} takes no further words.`), context);
  if (first === 'profiles') {
    const list = listProfiles(context);
    if (isCliFailure(list)) return reportFailure(list, context);
    const columns = parseColumns(options, profileColumns);
    return isCliFailure(columns) ? reportFailure(columns, context) : printReply(list, columns, context);
  }
  const saved = await login(options, context);
  if (isCliFailure(saved)) return reportFailure(saved, context);
  return printLine(
    context.json ? toSafeJson(saved) : savedMessage(saved.name, saved.server, context),
    context,
  );
}
