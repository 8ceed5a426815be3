/** Wakes other machines on the networks of this one. */
import type { CommandHandler } from './handler.ts';

export const wakeCommand: CommandHandler<'wake'> = async ({ macs }, { platform }) => {
  await platform.wake(macs);
  return {};
};
