/** Meets an operator at the relay; answers as soon as the grant was found good, and goes on by itself. */
import type { CommandOf } from './command.ts';

export const session: CommandOf<'session'> = async (input, { sessions }) => {
  await sessions.open(input);
  return {};
};
