/** The shape of a command on the device: typed by its row, knowing only the platform and the agent itself. */
import type { CommandInput, CommandName, CommandOutput } from '@drawbridge/contract/uplink/commands';
import type { Platform } from '../platform/platform.ts';

export interface CommandContext {
  platform: Platform;
  /** Operators who are connected, or about to be. */
  sessions: {
    open(input: CommandInput<'session'>): Promise<void>;
    end(session: number, message: string): void;
  };
  /** Does something after the answer has left: what ends the agent or the machine must not end the answer. */
  afterReply(work: () => Promise<void>): void;
  /** Forgets the account and stops. */
  forget(): Promise<void>;
  /** Takes over what the service calls the device. */
  rename(name: string): Promise<void>;
}

export type CommandHandler<Name extends CommandName> = (
  input: CommandInput<Name>,
  context: CommandContext,
) => Promise<CommandOutput<Name>>;
