/** Locks the screens of all users of the device. */
import type { CommandHandler } from './handler.ts';

export const lockCommand: CommandHandler<'lock'> = async (_input, { platform }) => {
  await platform.lock();
  return {};
};
