/** The path of every command: words, options, help, work, print, exit code. */
import { accountCreate } from './account-create.ts';
import { accountList } from './account-list.ts';
import { auditVerify } from './audit-verify.ts';
import { backup } from './backup.ts';
import { isFailure, refuse, type Command, type Failure, type Given, type World } from './command.ts';
import { doctor } from './doctor.ts';
import { reasonOf } from './place.ts';
import { allHelp, commandHelp } from './help.ts';
import { enrollCreate } from './enroll-create.ts';
import { keyCreate } from './key-create.ts';
import { readLine } from './line.ts';
import { operatorAdd, operatorList, operatorRemove } from './operators.ts';
import { planSet } from './plan-set.ts';
import { restore } from './restore.ts';
import { signInCreate } from './sign-in-create.ts';

export const commands: readonly Command[] = [
  accountCreate,
  accountList,
  keyCreate,
  enrollCreate,
  signInCreate,
  planSet,
  operatorAdd,
  operatorRemove,
  operatorList,
  auditVerify,
  backup,
  restore,
  doctor,
];

/** Options that say how to answer may stand before the command as well as behind it. */
function commandFirst(argv: readonly string[]): readonly string[] {
  const first = argv.findIndex((word) => !['--json', '--help', '-h'].includes(word));
  return first < 0 ? argv : [...argv.slice(first), ...argv.slice(0, first)];
}

export async function run(given: readonly string[], world: World): Promise<number> {
  const argv = commandFirst(given);
  const command = commands.find(({ name }) => argv.slice(0, name.split(' ').length).join(' ') === name);
  if (!command) {
    const isHelp = argv.length === 0 || argv.includes('--help');
    (isHelp ? world.out : world.err)(`${allHelp(commands)}\n`);
    return isHelp ? 0 : 2;
  }
  const line = readLine(argv.slice(command.name.split(' ').length), command);
  if (isFailure(line)) return end(line, world, argv.includes('--json'));
  if (line.options['help'] !== undefined) {
    world.out(`${commandHelp(command)}\n`);
    return 0;
  }
  return carryOut(command, line, world);
}

async function carryOut(command: Command, given: Given, world: World): Promise<number> {
  const outcome = await command
    .run(given, world)
    .catch((error: unknown) => refuse(`${command.name} failed: ${reasonOf(error)}.`));
  const json = given.options['json'] !== undefined;
  if (isFailure(outcome)) return end(outcome, world, json);
  world.out(`${json ? JSON.stringify(outcome.data) : outcome.says}\n`);
  return outcome.exit ?? 0;
}

function end({ exit, failure }: Failure, world: World, json: boolean): number {
  if (json) world.out(`${JSON.stringify({ error: { message: failure } })}\n`);
  world.err(`drawbridge: ${failure}\n`);
  return exit;
}
