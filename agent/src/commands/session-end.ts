/** Ends a session that is no longer allowed; a session that is already over is ignored. */
import type { CommandHandler } from './handler.ts';

export const sessionEndCommand: CommandHandler<'session_end'> = async (
  { session, message },
  { sessions },
) => {
  sessions.end(session, message);
  return {};
};
