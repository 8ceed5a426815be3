/** Ends a session that is not allowed any more; one that is over already is none. */
import type { CommandOf } from './command.ts';

export const sessionEnd: CommandOf<'session_end'> = async ({ session, message }, { sessions }) => {
  sessions.end(session, message);
  return {};
};
