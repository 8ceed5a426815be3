/** The type of a command handler: typed by its row, with access only to the platform and the agent itself. */
import type { RoundTrip } from '@drawbridge/contract/session/round-trips';
import type { CommandInput, CommandName, CommandOutput } from '@drawbridge/contract/uplink/commands';
import type { Approvals } from '../four-eyes/approvals.ts';
import type { Platform } from '../platform/platform.ts';

export interface CommandContext {
  platform: Platform;
  /** The sessions of operators who are connected or connecting. */
  sessions: {
    open(input: CommandInput<'session'>): Promise<CommandOutput<'session'>>;
    end(session: number, message: string): void;
    /** Rejects with the reason for a refusal. */
    record(input: CommandInput<'session_record'>): Promise<void>;
    /** The round trips to those of these relays that answer. */
    measure(relays: CommandInput<'relays'>['relays']): Promise<RoundTrip[]>;
  };
  /** The second person that sessions may need. */
  approvals: Pick<Approvals, 'isRequired' | 'waiting' | 'approve'>;
  /** Runs work after the answer is sent, because ending the agent or the machine must not prevent the answer. */
  afterReply(work: () => Promise<void>): void;
  /** Forgets the account and stops. */
  forget(): Promise<void>;
  /** Stores the policy of the device and applies it to the sessions. */
  applyPolicy(policy: CommandInput<'policy'>): Promise<void>;
  /** Saves the name that the server has for the device. */
  rename(name: string): Promise<void>;
  /** Begins an update; rejects with the reason for a refusal. */
  update(version: string): Promise<void>;
}

export type CommandHandler<Name extends CommandName> = (
  input: CommandInput<Name>,
  context: CommandContext,
) => Promise<CommandOutput<Name>>;
