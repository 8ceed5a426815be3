/** Starts or stops the recording of a session. The operator learns in the session whether it is recorded. */
import type { CommandHandler } from './handler.ts';

export const sessionRecordCommand: CommandHandler<'session_record'> = async (input, { sessions }) => {
  await sessions.record(input);
  return {};
};
