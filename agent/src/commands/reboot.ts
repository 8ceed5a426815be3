/** Reboots the machine. The system accepts first; what it refuses is not reported as done. */
import type { CommandOf } from './command.ts';

export const reboot: CommandOf<'reboot'> = async ({ safe }, { platform }) => {
  await platform.reboot({ safe });
  return {};
};
