/** Opens a session that waits, if an approver of the device has signed its statement. */
import type { CommandHandler } from './handler.ts';

export const approveCommand: CommandHandler<'approve'> = async ({ approval }, { approvals }) => ({
  approver: await approvals.approve(approval),
});
