/** Reboots the machine. The answer is sent after the system has accepted the reboot, so that a refusal is not reported as done. */
import type { CommandHandler } from './handler.ts';

export const rebootCommand: CommandHandler<'reboot'> = async ({ safe }, { platform }) => {
  await platform.reboot({ safe });
  return {};
};
