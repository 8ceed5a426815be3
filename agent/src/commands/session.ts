/** Meets an operator at the relay; answers as soon as the grant was found good, and goes on by itself. */
import type { CommandHandler } from './handler.ts';

export const sessionCommand: CommandHandler<'session'> = async (input, { sessions }) => {
  await sessions.open(input);
  return {};
};
