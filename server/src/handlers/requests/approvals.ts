/** The second person on devices with four eyes. One function per row of contract/src/v1/approvals.ts. */
import { fault } from '@drawbridge/contract/faults';
import { isSamePerson } from '@drawbridge/contract/session/approval';
import { decodeBody, splitSigned } from '@drawbridge/contract/session/signed';
import type { approvals as table } from '@drawbridge/contract/v1/approvals';
import type { Handlers } from '../handler.ts';
import { commandFault } from '../command-faults.ts';

/** The device keeps what waits and checks what is signed, so that every server process can pass it on. */
export const approvalHandlers: Handlers<typeof table> = {
  'agents/approval/list': async ({ granted: [agent] }, { fleet }) => {
    const answer = await fleet.command(agent.id, 'approvals', {});
    if (typeof answer === 'string' || 'refused' in answer) return commandFault(answer, 'agent_id')!;
    const data = answer.done.waiting.flatMap(({ statement, expires }) => {
      const read = decodeBody('approval', statement);
      return read
        ? [{ session: read.session, operator: read.operator, expire_time: expires, statement }]
        : [];
    });
    return { data };
  },

  'agents/approval/sign': async ({ actor, granted: [agent], input }, { fleet }) => {
    const parts = splitSigned(input.approval);
    const statement = parts && decodeBody('approval', parts.body);
    if (!statement)
      return fault('invalid', {
        field: 'approval',
        message: 'approval must be a statement with its signature: create it with drawbridge approve.',
      });
    // The device checks it too, against the name under which it knows the approver.
    if (isSamePerson(actor.email, statement.operator))
      return fault('forbidden', {
        code: 'own_session',
        message: 'You cannot approve your own session. Ask another person.',
      });
    const answer = await fleet.command(agent.id, 'approve', { approval: input.approval });
    if (typeof answer === 'string' || 'refused' in answer) return commandFault(answer, 'agent_id')!;
    return { approver: answer.done.approver };
  },
};
