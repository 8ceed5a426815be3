/** Unlinks the device: the agent removes its key, tells the user and stops. */
import type { CommandHandler } from './handler.ts';

export const logoutCommand: CommandHandler<'logout'> = async (_input, { afterReply, forget }) => {
  afterReply(forget);
  return {};
};
