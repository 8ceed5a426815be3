/** Active connections. One function per row of contract/src/v1/sessions.ts. */
import { fault, isFault } from '@drawbridge/contract/faults';
import type { sessions as table } from '@drawbridge/contract/v1/sessions';
import type { Session } from '../store/records.ts';
import type { Handlers } from './handler.ts';

export const sessionHandlers: Handlers<typeof table> = {
  'sessions/list': async ({ actor, input, granted: [scope] }, { store }) => {
    const { agent_id: agentId, support_id: invitationId, offset, limit } = input;
    const { total, sessions: found } = await store.history.list(actor.accountId, {
      ...scope,
      memberId: actor.memberId,
      agentId,
      invitationId,
      live: true,
      offset,
      limit,
    });
    return { total, data: found.map(view) };
  },

  'sessions/close': async ({ granted: [{ accountId, id, stop }], change }) => {
    if (stop !== null) return sessionOver;
    const stopped = await change('sessions/stop', { accountId, id, bytes: 0, by: 'server' });
    return isFault(stopped) ? stopped : {};
  },

  'sessions/note': async ({ granted: [session], input, change }) =>
    change('sessions/note', { accountId: session.accountId, id: session.id, note: input.note }),
};

const sessionOver = fault('invalid', {
  code: 'session_over',
  field: 'id',
  message: 'The connection has already ended.',
});

const view = ({ id, start, agent, invitationId, login, geo, userAgent }: Session) => ({
  id,
  start,
  ...(agent && { agent_id: agent.id }),
  ...(invitationId !== null && { support_id: invitationId }),
  name: agent?.name ?? '',
  login,
  ip: geo.ip,
  user_agent: userAgent,
});
