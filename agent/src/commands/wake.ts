/** Wakes other machines on the networks of this one. */
import type { CommandOf } from './command.ts';

export const wake: CommandOf<'wake'> = async ({ macs }, { platform }) => {
  await platform.wake(macs);
  return {};
};
