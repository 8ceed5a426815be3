/** Locks the screens of all who work on the device. */
import type { CommandOf } from './command.ts';

export const lock: CommandOf<'lock'> = async (_input, { platform }) => {
  await platform.lock();
  return {};
};
