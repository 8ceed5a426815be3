/** Reboots the machine. The system accepts first; what it refuses is not reported as done. */
import type { CommandHandler } from './handler.ts';

export const rebootCommand: CommandHandler<'reboot'> = async ({ safe }, { platform }) => {
  await platform.reboot({ safe });
  return {};
};
