/** Runs a command: finds it, parses its options, prints the result or the help, and returns the exit code. */
import { accountCreate } from './account-create.ts';
import { accountList } from './account-list.ts';
import { auditVerify } from './audit-verify.ts';
import { backupCommand } from './backup.ts';
import {
  isFailure,
  failWith,
  type AdminCommand,
  type Failure,
  type ParsedArguments,
  type ProcessContext,
} from './command.ts';
import { doctorCommand } from './doctor.ts';
import { errorText } from './store-access.ts';
import { allHelp, commandHelp } from './help.ts';
import { enrollCreate } from './enroll-create.ts';
import { keyCreate } from './key-create.ts';
import { migrateCommand } from './migrate.ts';
import { parseArguments } from './parse-arguments.ts';
import { operatorAdd, operatorList, operatorRemove } from './operators.ts';
import { planSet } from './plan-set.ts';
import { relayKey } from './relays/relay-key.ts';
import { restoreCommand } from './restore.ts';
import { secretsRotate } from './secrets/secrets-rotate.ts';
import { serverShow } from './server-show.ts';
import { signInCreate } from './sign-in-create.ts';
import { storageCopy } from './storage/storage-copy.ts';

const adminCommands: readonly AdminCommand[] = [
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
  backupCommand,
  restoreCommand,
  storageCopy,
  migrateCommand,
  doctorCommand,
  serverShow,
  relayKey,
  secretsRotate,
];

/** The options about the output may also stand before the command. */
function commandFirst(argv: readonly string[]): readonly string[] {
  const first = argv.findIndex((argument) => !['--json', '--help', '-h'].includes(argument));
  return first < 0 ? argv : [...argv.slice(first), ...argv.slice(0, first)];
}

export async function runAdmin(args: readonly string[], context: ProcessContext): Promise<number> {
  const argv = commandFirst(args);
  const command = adminCommands.find(({ name }) => argv.slice(0, name.split(' ').length).join(' ') === name);
  if (!command) {
    const isHelp = argv.length === 0 || argv.includes('--help');
    (isHelp ? context.out : context.err)(`${allHelp(adminCommands)}\n`);
    return isHelp ? 0 : 2;
  }
  const parsed = parseArguments(argv.slice(command.name.split(' ').length), command);
  if (isFailure(parsed)) return end(parsed, context, argv.includes('--json'));
  if (parsed.options['help'] !== undefined) {
    context.out(`${commandHelp(command)}\n`);
    return 0;
  }
  return execute(command, parsed, context);
}

async function execute(
  command: AdminCommand,
  args: ParsedArguments,
  context: ProcessContext,
): Promise<number> {
  const outcome = await command
    .run(args, context)
    .catch((error: unknown) => failWith(`${command.name} failed: ${errorText(error)}.`));
  const json = args.options['json'] !== undefined;
  if (isFailure(outcome)) return end(outcome, context, json);
  context.out(`${json ? JSON.stringify(outcome.data) : outcome.says}\n`);
  return outcome.exit ?? 0;
}

function end({ exit, failure }: Failure, context: ProcessContext, json: boolean): number {
  if (json) context.out(`${JSON.stringify({ error: { message: failure } })}\n`);
  context.err(`drawbridge: ${failure}\n`);
  return exit;
}
