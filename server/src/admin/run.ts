/** The path of every command: words, options, help, work, print, exit code. */
import { accountCreate } from './account-create.ts';
import { accountList } from './account-list.ts';
import { auditVerify } from './audit-verify.ts';
import { backup } from './backup.ts';
import { isFailure, refuse, type Command, type Failure, type Given, type World } from './command.ts';
import { doctor } from './doctor.ts';
import { reasonOf } from './place.ts';
import { allHelp, commandHelp } from './help.ts';
import { keyCreate } from './key-create.ts';
import { readLine } from './line.ts';
import { planSet } from './plan-set.ts';
import { restore } from './restore.ts';

export const commands: readonly Command[] = [
  accountCreate,
  accountList,
  keyCreate,
  planSet,
  auditVerify,
  backup,
  restore,
  doctor,
];

export async function run(argv: readonly string[], world: World): Promise<number> {
  const command = commands.find(({ name }) => argv.slice(0, name.split(' ').length).join(' ') === name);
  if (!command) {
    const asked = argv.length === 0 || argv.includes('--help');
    (asked ? world.out : world.err)(`${allHelp(commands)}\n`);
    return asked ? 0 : 2;
  }
  const given = readLine(argv.slice(command.name.split(' ').length), command);
  if (isFailure(given)) return end(given, world);
  if (given.options['help'] !== undefined) {
    world.out(`${commandHelp(command)}\n`);
    return 0;
  }
  return carryOut(command, given, world);
}

async function carryOut(command: Command, given: Given, world: World): Promise<number> {
  const outcome = await command
    .run(given, world)
    .catch((error: unknown) => refuse(`${command.name} failed: ${reasonOf(error)}.`));
  if (isFailure(outcome)) return end(outcome, world);
  const json = given.options['json'] !== undefined;
  world.out(`${json ? JSON.stringify(outcome.data) : outcome.says}\n`);
  return outcome.exit ?? 0;
}

function end({ exit, failure }: Failure, world: World): number {
  world.err(`drawbridge: ${failure}\n`);
  return exit;
}
