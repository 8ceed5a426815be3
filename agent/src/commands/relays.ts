/** Measures the round trips to relays, so that the server can choose the nearest one for a session. */
import type { CommandHandler } from './handler.ts';

export const relaysCommand: CommandHandler<'relays'> = async ({ relays }, { sessions }) => ({
  round_trips: await sessions.measure(relays),
});
