/** Unlinks the device: forgets the key, tells the user, stops. */
import type { CommandOf } from './command.ts';

export const logout: CommandOf<'logout'> = async (_input, { afterwards, forget }) => {
  afterwards(forget);
  return {};
};
