/** Runs the commands of the contract, with one handler for each row. */
import { parseAs } from '@drawbridge/contract/parse';
import {
  commands as table,
  type Command,
  type CommandAnswer,
  type CommandName,
} from '@drawbridge/contract/uplink/commands';
import { NotPossible } from '../platform/platform.ts';
import type { CommandHandler, CommandContext } from './handler.ts';
import { approvalsCommand } from './approvals.ts';
import { approveCommand } from './approve.ts';
import { lockCommand } from './lock.ts';
import { logoutCommand } from './logout.ts';
import { policyCommand } from './policy.ts';
import { previewCommand } from './preview.ts';
import { rebootCommand } from './reboot.ts';
import { relaysCommand } from './relays.ts';
import { sessionCommand } from './session.ts';
import { sessionEndCommand } from './session-end.ts';
import { sessionRecordCommand } from './session-record.ts';
import { settingsCommand } from './settings.ts';
import { softwareCommand } from './software.ts';
import { selfUpdateCommand } from './self-update.ts';
import { wakeCommand } from './wake.ts';

const commands: { [Name in CommandName]: CommandHandler<Name> } = {
  reboot: rebootCommand,
  wake: wakeCommand,
  lock: lockCommand,
  logout: logoutCommand,
  settings: settingsCommand,
  software: softwareCommand,
  preview: previewCommand,
  session: sessionCommand,
  session_end: sessionEndCommand,
  session_record: sessionRecordCommand,
  policy: policyCommand,
  self_update: selfUpdateCommand,
  relays: relaysCommand,
  approvals: approvalsCommand,
  approve: approveCommand,
};

/** What shows or changes the device outside of sessions, so that nobody could approve it. */
const needsSession: ReadonlySet<CommandName> = new Set(['reboot', 'lock', 'software', 'preview']);
const fourEyes =
  'This device does this only in a session, because a second person must approve it (four eyes).';

/** Runs a command from the server. Unknown commands and invalid input are refused. */
export async function runCommand(
  name: string,
  raw: unknown,
  context: CommandContext,
): Promise<CommandAnswer> {
  if (!Object.hasOwn(table, name))
    return { refused: 'This agent does not know the command. Update the agent.' };
  const row = table[name as CommandName];
  const { data: input } = parseAs<Command['input']>(row.input, raw);
  if (!input) return { refused: 'The command is not in a format that this agent supports.' };
  try {
    if (needsSession.has(name as CommandName) && context.approvals.isRequired()) return { refused: fourEyes };
    const command = commands[name as CommandName] as CommandHandler<CommandName>;
    return { done: (await command(input as never, context)) as never };
  } catch (error) {
    if (error instanceof NotPossible) return { refused: error.message };
    return {
      refused:
        `The device could not carry out the command: ${error instanceof Error ? error.message : String(error)}`.slice(
          0,
          512,
        ),
    };
  }
}
