/** Lists the sessions that wait for the signature of a second person. */
import type { CommandHandler } from './handler.ts';

export const approvalsCommand: CommandHandler<'approvals'> = async (_input, { approvals }) => ({
  waiting: approvals.waiting(),
});
