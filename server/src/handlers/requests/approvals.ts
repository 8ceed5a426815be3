/** The second person on devices with four eyes. One function per row of contract/src/v1/approvals.ts. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import type { Output } from '@drawbridge/contract/operation';
import { isSamePerson } from '@drawbridge/contract/session/approval';
import { decodeBody, splitSigned } from '@drawbridge/contract/session/signed';
import type { approvals as table } from '@drawbridge/contract/v1/approvals';
import type { Actor } from '../../domain/people/access.ts';
import type { Fleet } from '../../gateway/devices/fleet.ts';
import type { Handlers } from '../handler.ts';
import { commandFault } from '../command-faults.ts';

type WaitingRow = Output<(typeof table)['agents/approval/list']>['data'][number];

/** Of as many sessions the devices are asked. */
const maxListed = 50;

async function askDevice(fleet: Fleet, agentId: number): Promise<WaitingRow[] | Fault<'invalid'>> {
  const answer = await fleet.command(agentId, 'approvals', {});
  if (typeof answer === 'string' || 'refused' in answer) return commandFault(answer, 'agent_id')!;
  return answer.done.waiting.flatMap(({ statement, expires }) => {
    const read = decodeBody('approval', statement);
    if (!read) return [];
    const { session, operator } = read;
    return [{ agent_id: agentId, session, operator, expire_time: expires, statement }];
  });
}

/** What waits for others is of no use to the caller, and neither is a device that does not answer. */
async function askDevices(fleet: Fleet, actor: Actor, agentIds: readonly number[]): Promise<WaitingRow[]> {
  const answers = await Promise.all(agentIds.map((agentId) => askDevice(fleet, agentId)));
  return answers
    .flatMap((answer) => (isFault(answer) ? [] : answer))
    .filter(({ operator }) => !isSamePerson(actor.email, operator))
    .slice(0, maxListed);
}

/** The device keeps what waits and checks what is signed, so that every server process can pass it on. */
export const approvalHandlers: Handlers<typeof table> = {
  'agents/approval/list': async ({ actor, granted: [{ agent, scope }] }, { fleet, store }) => {
    if (agent) {
      const data = await askDevice(fleet, agent.id);
      return isFault(data) ? data : { data };
    }
    const filter = { scope, exceptMemberId: actor.memberId, limit: maxListed };
    const { waiting } = await store.approvals.waiting(actor.accountId, filter);
    const agentIds = [...new Set(waiting.map(({ agentId }) => agentId))];
    return { data: await askDevices(fleet, actor, agentIds) };
  },

  'agents/approval/sign': async ({ actor, granted: [agent], input, change }, { fleet }) => {
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
    await change('sessions/approve', { accountId: actor.accountId, id: statement.session });
    return { approver: answer.done.approver };
  },
};
