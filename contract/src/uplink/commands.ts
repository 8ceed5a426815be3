/** Commands from the service to a device. Each command is one row here and one file in the agent. */
import * as z from 'zod';
import { maxApprovalLength, maxWaitingApprovals } from '../session/approval.ts';
import { relayOffers, roundTrips } from '../session/round-trips.ts';
import { recordingTarget } from '../session/signed.ts';
import { list } from '../list.ts';
import { defaultPolicy, policy } from '../policy.ts';
import { software } from './facts.ts';

const emptyObject = z.object({});

/** Servers before version 5 do not send `sound`, those before version 6 `notice`, and those before version 9 `printing`. */
const sentPolicy = policy.extend({
  sound: policy.shape.sound.default(defaultPolicy.sound),
  printing: policy.shape.printing.default(defaultPolicy.printing),
  notice: policy.shape.notice.default(defaultPolicy.notice),
});

/** A command of the uplink, with the version since which agents support it. */
export interface Command {
  says: string;
  since: number;
  input: z.ZodObject;
  output: z.ZodType;
}

const define = <const Rows extends Record<string, Command>>(rows: Rows): Rows => rows;

export const commands = define({
  reboot: {
    says: 'Reboot, optionally in safe mode.',
    since: 1,
    input: z.object({ safe: z.boolean() }),
    output: emptyObject,
  },
  wake: {
    says: 'Send Wake-on-LAN packets for these network adapters.',
    since: 1,
    input: z.object({ macs: list(z.string(), { min: 1, max: 64 }) }),
    output: emptyObject,
  },
  lock: {
    says: 'Lock the screen of the active user.',
    since: 1,
    input: emptyObject,
    output: emptyObject,
  },
  logout: {
    says: 'Remove the link to the account because the device was unlinked.',
    since: 1,
    input: emptyObject,
    output: emptyObject,
  },
  settings: {
    says: 'Apply the settings of the device.',
    since: 1,
    input: z.object({ name: z.string() }),
    output: emptyObject,
  },
  software: {
    says: 'List the installed programs.',
    since: 1,
    input: emptyObject,
    output: z.object({ programs: software }),
  },
  preview: {
    says: 'Take a preview picture of the screen.',
    since: 1,
    input: z.object({ width: z.int().min(64).max(1_024) }),
    output: z.object({ type: z.enum(['image/png', 'image/jpeg']), picture: z.base64().max(400_000) }),
  },
  session: {
    says: 'Open a session with an operator at the relay, as this grant allows.',
    since: 1,
    input: z.object({
      grant: z.string().max(8_192),
      ticket: z.string().max(4_096),
      relay: z.url().max(512),
      /** The operator used a one-time link; absent before version 3. */
      onetime: z.boolean().optional(),
      /** The server can tell people what the device wants to have approved; absent before version 8. */
      approvals: z.boolean().optional(),
    }),
    /** Whether the session waits for a second person. */
    output: z.object({ approval: z.boolean().optional() }),
  },
  session_end: {
    says: 'End a session that is no longer allowed.',
    since: 1,
    input: z.object({ session: z.int().min(1), message: z.string().max(512) }),
    output: emptyObject,
  },
  session_record: {
    says: 'Start to record a session, or stop a recording that was started like this.',
    since: 2,
    /** Without `record` the recording stops. */
    input: z.object({ session: z.int().min(1), record: recordingTarget.optional() }),
    output: emptyObject,
  },
  policy: {
    says: 'Store the policy of the device and apply it, also to running sessions.',
    since: 3,
    /** The number rises with every change. */
    input: z.object({ number: z.int().min(1), policy: sentPolicy }),
    output: emptyObject,
  },
  self_update: {
    says: 'Update the agent to this version, which the server offers, as soon as nobody is connected.',
    since: 4,
    input: z.object({ version: z.string().max(32) }),
    output: emptyObject,
  },
  relays: {
    says: 'Measure the round trips to these relays, or report those measured a short while ago.',
    since: 8,
    input: z.object({ relays: relayOffers }),
    output: z.object({ round_trips: roundTrips }),
  },
  approvals: {
    says: 'List the sessions that wait for the signature of a second person.',
    since: 8,
    input: emptyObject,
    output: z.object({
      waiting: list(
        z.object({
          /** The statement to sign, without a signature. */
          statement: z.string().max(maxApprovalLength),
          /** Until when the session waits, in Unix seconds. */
          expires: z.int().min(0),
        }),
        { max: maxWaitingApprovals },
      ),
    }),
  },
  approve: {
    says: 'Open a session that waits, because a second person has signed its statement.',
    since: 8,
    input: z.object({ approval: z.string().max(maxApprovalLength) }),
    /** The name of the approver on the device. */
    output: z.object({ approver: z.string().max(320) }),
  },
});

type Commands = typeof commands;
export type CommandName = keyof Commands;
export type CommandInput<Name extends CommandName> = z.output<Commands[Name]['input']>;
export type CommandOutput<Name extends CommandName> = z.output<Commands[Name]['output']>;

/** The answer of a device: the result, or the reason for a refusal. */
export type CommandAnswer<Name extends CommandName = CommandName> =
  | { done: CommandOutput<Name> }
  | { refused: string };

export const refusal = z.object({ refused: z.string().max(512) });
