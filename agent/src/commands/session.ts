/** Connects to an operator through the relay. It answers once the grant is verified; the session then continues on its own. */
import type { CommandHandler } from './handler.ts';

export const sessionCommand: CommandHandler<'session'> = (input, { sessions }) => sessions.open(input);
