/** Unlinks the device: forgets the key, tells the user, stops. */
import type { CommandHandler } from './handler.ts';

export const logoutCommand: CommandHandler<'logout'> = async (_input, { afterReply, forget }) => {
  afterReply(forget);
  return {};
};
