/** Connection history. One function per row of contract/v1/history.ts. */
import { fault } from '@drawbridge/contract/faults';
import type { history as table } from '@drawbridge/contract/v1/history';
import type { Session } from '../store/records.ts';
import type { Handlers } from './handler.ts';

export const history: Handlers<typeof table> = {
  'history/list': async ({ actor, ownerEmail, input, granted: [scope] }, { store }) => {
    const { offset, limit, ...filter } = input;
    if (filter.date_from !== undefined && filter.date_to !== undefined && filter.date_from > filter.date_to)
      return fault('invalid', { field: 'date_to', message: 'date_to must not be before date_from.' });
    const { total, sessions } = await store.history.list(actor.accountId, {
      ...scope,
      memberId: actor.memberId,
      agentId: filter.agent_id,
      invitationId: filter.support_id,
      from: filter.date_from,
      to: filter.date_to,
      video: filter.video,
      offset,
      limit,
    });
    return { offset, limit, total, filter, data: sessions.map((session) => view(session, ownerEmail)) };
  },
};

const view = (session: Session, owner: string) => ({
  id: session.id,
  start: session.start,
  ...(session.stop !== null && { stop: session.stop }),
  ...(session.invitationId !== null && { support_id: session.invitationId }),
  client: [{ user_agent: session.userAgent, login: session.login, geo: session.geo }],
  ...(session.agent && { agent: { ...session.agent, owner } }),
  ...(session.video && { video: session.video }),
});
