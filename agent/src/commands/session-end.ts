/** Ends a session that is not allowed any more; one that is over already is none. */
import type { CommandHandler } from './handler.ts';

export const sessionEndCommand: CommandHandler<'session_end'> = async (
  { session, message },
  { sessions },
) => {
  sessions.end(session, message);
  return {};
};
