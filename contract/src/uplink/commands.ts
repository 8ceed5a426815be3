/** What the service tells a device to do. One command is one row here and one file in the agent. */
import { z } from 'zod';

export const commands = {
  reboot: {
    says: 'Reboot, in safe mode if asked.',
    input: z.object({ safe: z.boolean() }),
  },
  wake: {
    says: 'Send magic packets on your network for these adapters.',
    input: z.object({ macs: z.array(z.string()).min(1).max(64) }),
  },
  logout: {
    says: 'Forget the account: the device was unlinked.',
    input: z.object({}),
  },
  settings: {
    says: 'Take over the settings of the device.',
    input: z.object({ name: z.string() }),
  },
} as const;

export type CommandName = keyof typeof commands;
export type CommandInput<Name extends CommandName> = z.output<(typeof commands)[Name]['input']>;

/** How a device answers a command. */
export const commandAnswer = z.union([
  z.object({ done: z.literal(true) }),
  z.object({ refused: z.string().max(512) }),
]);
export type CommandAnswer = z.output<typeof commandAnswer>;
