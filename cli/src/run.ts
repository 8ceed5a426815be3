/** The path of every command: words, flags, help, call, print, exit code. */
import manifest from '../package.json' with { type: 'json' };
import { callServer } from './call.ts';
import { allNames, type Command, commandNamed, commandsBelow, ownCommands } from './commands.ts';
import { exits, type Failure, isFailure, usage } from './failure.ts';
import { areaHelp, commandHelp, generalHelp, ownHelp } from './help.ts';
import { type Line, type Options, readLine, wordsIn } from './line.ts';
import { login, profileList, savedWhere } from './login.ts';
import { didYouMean } from './near.ts';
import { flagsOf, objectIn, type Params, paramsOf } from './params.ts';
import { asJson, forPeople } from './print.ts';
import { targetOf } from './target.ts';
import { nameOf, openToSend, receive, splitFlags } from './transfer.ts';
import type { World } from './world.ts';

/** The world, and whether it is a program that reads what is said. */
interface Reader extends World {
  json: boolean;
}

export async function run(argv: string[], lent: World): Promise<number> {
  const world = { ...lent, json: argv.includes('--json') };
  const words = wordsIn(argv).filter((word, at) => !(at === 0 && word === 'help'));
  const command = commandNamed(words);
  const line = readLine(argv, command ? flagsOf(command.row) : new Map(), words.join(' ') || 'drawbridge');
  if (isFailure(line)) return fail(line, world);
  if (line.options.version !== undefined) return show(manifest.version, world);
  if (line.options.help !== undefined || line.words[0] === 'help') return help(words, command, world);
  const stray = line.words[words.length];
  if (stray !== undefined) return fail(usage(`${words.join(' ')} does not take ${stray}.`), world);
  if (command) return operate(command, line, world);
  if (words[0] === 'login' || words[0] === 'profiles') return keep(words, line.options, world);
  return incomplete(words, world);
}

function show(text: string, world: World): number {
  world.out(`${text}\n`);
  return exits.done;
}

function fail({ exit, says }: Failure, world: Reader, answer: object = { error: { message: says } }): number {
  if (world.json) show(asJson(answer), world);
  world.err(`drawbridge: ${says}\n`);
  return exit;
}

function help(words: string[], command: Command | undefined, world: Reader): number {
  const own = ownCommands.find(({ name }) => name === words.join(' '));
  if (words.length === 0) return show(generalHelp(), world);
  if (command) return show(commandHelp(command), world);
  if (own) return show(ownHelp(own), world);
  const { operations, machine } = commandsBelow(words);
  return operations.length + machine.length > 0 ? show(areaHelp(words), world) : fail(unknown(words), world);
}

/** Words that begin a command, or none at all, get the list of what they could become. */
function incomplete(words: string[], world: Reader): number {
  const { operations, machine } = commandsBelow(words);
  if (words.length > 0 && operations.length + machine.length === 0) return fail(unknown(words), world);
  world.err(`${words.length === 0 ? generalHelp() : areaHelp(words)}\n`);
  return exits.usage;
}

const unknown = (words: string[]): Failure =>
  usage(
    `There is no command ${words.join(' ')}.${didYouMean(words.join(' '), allNames())} See drawbridge --help.`,
  );

async function operate({ id, name, row }: Command, line: Line, world: Reader): Promise<number> {
  const whole = await wholeParams(line.options, world);
  if (isFailure(whole)) return fail(whole, world);
  const given = splitFlags(row, line.flags, name, world);
  if (isFailure(given)) return fail(given, world);
  const params = paramsOf(row, given.flags, { ...nameOf(row, given.file), ...whole }, name);
  if (isFailure(params)) return fail(params, world);
  const target = await targetOf(line.options, world);
  if (isFailure(target)) return fail(target, world);
  const file = given.file === undefined ? undefined : await openToSend(given.file);
  if (isFailure(file)) return fail(file, world);
  const { body, bytes, failure } = await callServer(target, id, params, file);
  if (bytes && given.out !== undefined) return save(bytes, given.out, world);
  if (failure === undefined) return show(world.json ? asJson(body) : forPeople(body, world.columns), world);
  // Where the server said why, that is the answer.
  return Object.keys(body).length > 0 ? fail(failure, world, body) : fail(failure, world);
}

async function save(bytes: ReadableStream<Uint8Array>, out: string, world: Reader): Promise<number> {
  const saved = await receive(bytes, out);
  if (isFailure(saved)) return fail(saved, world);
  return show(world.json ? asJson(saved) : forPeople({ ...saved }, world.columns), world);
}

async function wholeParams({ params, key }: Options, world: World): Promise<Params | Failure> {
  if (params === '-' && key === '-')
    return usage('Only one of --params and --key can come from standard input.');
  if (params === undefined) return {};
  return objectIn('--params', params === '-' ? await world.input() : params);
}

async function keep([first, ...more]: string[], options: Options, world: Reader): Promise<number> {
  if (more.length > 0) return fail(usage(`${first} takes no further words.`), world);
  const print = (reply: object, says: string): number => show(world.json ? asJson(reply) : says, world);
  if (first === 'profiles') {
    const list = profileList(world);
    if (isFailure(list)) return fail(list, world);
    return print(list, forPeople({ ...list }, world.columns));
  }
  const saved = await login(options, world);
  return isFailure(saved) ? fail(saved, world) : print(saved, savedWhere(saved.name, saved.server, world));
}
