/** The path of every command: words, flags, help, call, print, exit code. */
import manifest from '../package.json' with { type: 'json' };
import { callServer } from './call.ts';
import { allNames, type Command, commandNamed, commandsBelow, ownCommands } from './commands.ts';
import { exits, type Failure, isFailure, usage } from './failure.ts';
import { areaHelp, commandHelp, generalHelp, ownHelp } from './help.ts';
import { type CommandLine, type GlobalOptions, parseCommandLine, commandWordsIn } from './command-line.ts';
import { login, profileList, savedWhere } from './login.ts';
import { didYouMean } from './near.ts';
import { flagsOf, objectIn, type Params, paramsOf } from './params.ts';
import { asJson, forPeople } from './print.ts';
import { targetOf } from './target.ts';
import { nameOf, openToSend, receive, splitFlags } from './transfer.ts';
import type { CliContext } from './context.ts';

/** The context, and whether it is a program that reads what is said. */
interface OutputContext extends CliContext {
  json: boolean;
}

export async function run(argv: string[], base: CliContext): Promise<number> {
  const context = { ...base, json: argv.includes('--json') };
  const words = commandWordsIn(argv).filter((word, at) => !(at === 0 && word === 'help'));
  const command = commandNamed(words);
  const commandLine = parseCommandLine(
    argv,
    command ? flagsOf(command.row) : new Map(),
    words.join(' ') || 'drawbridge',
  );
  if (isFailure(commandLine)) return fail(commandLine, context);
  if (commandLine.options.version !== undefined) return show(manifest.version, context);
  if (commandLine.options.help !== undefined || commandLine.words[0] === 'help')
    return help(words, command, context);
  const stray = commandLine.words[words.length];
  if (stray !== undefined) return fail(usage(`${words.join(' ')} does not take ${stray}.`), context);
  if (command) return operate(command, commandLine, context);
  if (words[0] === 'login' || words[0] === 'profiles') return keep(words, commandLine.options, context);
  return incomplete(words, context);
}

function show(text: string, context: CliContext): number {
  context.out(`${text}\n`);
  return exits.done;
}

function fail(
  { exit, says }: Failure,
  context: OutputContext,
  answer: object = { error: { message: says } },
): number {
  if (context.json) show(asJson(answer), context);
  context.err(`drawbridge: ${says}\n`);
  return exit;
}

function help(words: string[], command: Command | undefined, context: OutputContext): number {
  const own = ownCommands.find(({ name }) => name === words.join(' '));
  if (words.length === 0) return show(generalHelp(), context);
  if (command) return show(commandHelp(command), context);
  if (own) return show(ownHelp(own), context);
  const { operations, machine } = commandsBelow(words);
  return operations.length + machine.length > 0
    ? show(areaHelp(words), context)
    : fail(unknown(words), context);
}

/** Words that begin a command, or none at all, get the list of what they could become. */
function incomplete(words: string[], context: OutputContext): number {
  const { operations, machine } = commandsBelow(words);
  if (words.length > 0 && operations.length + machine.length === 0) return fail(unknown(words), context);
  context.err(`${words.length === 0 ? generalHelp() : areaHelp(words)}\n`);
  return exits.usage;
}

const unknown = (words: string[]): Failure =>
  usage(
    `There is no command ${words.join(' ')}.${didYouMean(words.join(' '), allNames())} See drawbridge --help.`,
  );

async function operate(
  { id, name, row }: Command,
  commandLine: CommandLine,
  context: OutputContext,
): Promise<number> {
  const whole = await wholeParams(commandLine.options, context);
  if (isFailure(whole)) return fail(whole, context);
  const given = splitFlags(row, commandLine.flags, name, context);
  if (isFailure(given)) return fail(given, context);
  const params = paramsOf(row, given.flags, { ...nameOf(row, given.file), ...whole }, name);
  if (isFailure(params)) return fail(params, context);
  const target = await targetOf(commandLine.options, context);
  if (isFailure(target)) return fail(target, context);
  const file = given.file === undefined ? undefined : await openToSend(given.file);
  if (isFailure(file)) return fail(file, context);
  const { body, bytes, failure } = await callServer(target, id, params, file);
  if (bytes && given.out !== undefined) return save(bytes, given.out, context);
  if (failure === undefined)
    return show(context.json ? asJson(body) : forPeople(body, context.columns), context);
  // Where the server said why, that is the answer.
  return Object.keys(body).length > 0 ? fail(failure, context, body) : fail(failure, context);
}

async function save(bytes: ReadableStream<Uint8Array>, out: string, context: OutputContext): Promise<number> {
  const saved = await receive(bytes, out);
  if (isFailure(saved)) return fail(saved, context);
  return show(context.json ? asJson(saved) : forPeople({ ...saved }, context.columns), context);
}

async function wholeParams({ params, key }: GlobalOptions, context: CliContext): Promise<Params | Failure> {
  if (params === '-' && key === '-')
    return usage('Only one of --params and --key can come from standard input.');
  if (params === undefined) return {};
  return objectIn('--params', params === '-' ? await context.input() : params);
}

async function keep(
  [first, ...more]: string[],
  options: GlobalOptions,
  context: OutputContext,
): Promise<number> {
  if (more.length > 0) return fail(usage(`${first} takes no further words.`), context);
  const print = (reply: object, says: string): number => show(context.json ? asJson(reply) : says, context);
  if (first === 'profiles') {
    const list = profileList(context);
    if (isFailure(list)) return fail(list, context);
    return print(list, forPeople({ ...list }, context.columns));
  }
  const saved = await login(options, context);
  return isFailure(saved)
    ? fail(saved, context)
    : print(saved, savedWhere(saved.name, saved.server, context));
}
