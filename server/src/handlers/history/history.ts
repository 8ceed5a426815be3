/** Connection history. One function per row of contract/src/v1/history.ts. */
import { fault, isFault } from '@drawbridge/contract/faults';
import { playerPaths } from '@drawbridge/contract/session/player';
import type { history as table } from '@drawbridge/contract/v1/history';
import type { Input } from '@drawbridge/contract/operation';
import { toRecordingAddress, recordingAddressPayload } from '../../domain/sessions/recordings.ts';
import type { HistoryFilter } from '../../store/people/account-records.ts';
import type { Session } from '../../store/records.ts';
import type { Handlers, HandlerContext } from '../handler.ts';
import { isoTime, exportPageSize, streamCsv } from './history-csv.ts';
import { ignoreOutage } from '../../store/outages.ts';

export const historyHandlers: Handlers<typeof table> = {
  'history/list': async ({ actor, ownerEmail, input, granted: [scope] }, context) => {
    const { offset, limit, ...filter } = input;
    if (isDateRangeReversed(filter)) return invalidDateRange;
    const { total, sessions } = await context.store.history.list(actor.accountId, {
      ...filterOf(filter, scope, actor.memberId),
      offset,
      limit,
    });
    const viewOf = (session: Session) => ({
      ...view(session, ownerEmail),
      ...(session.video && { video: recordingLink(session.id, session.video, actor.memberId, context) }),
    });
    return { offset, limit, total, filter, data: sessions.map(viewOf) };
  },

  'history/export': async ({ actor, input, granted: [scope] }, context) => {
    if (isDateRangeReversed(input)) return invalidDateRange;
    const filter = filterOf(input, scope, actor.memberId);
    const next = (last?: Session): Promise<Session[]> =>
      context.store.history.after(actor.accountId, filter, last, exportPageSize);
    // The first page is read before the response begins, so that an error can still be reported.
    const first = await next();
    const name = `connections-${isoTime(context.now()).slice(0, 10)}.csv`;
    return { written: { name, parts: streamCsv(first, next, context) } };
  },

  'history/video/remove': async ({ granted: [session], change }, { recordings }) => {
    if (session.stop === null) return sessionRunning;
    const removed = await change('recordings/remove', {
      accountId: session.accountId,
      sessionId: session.id,
    });
    if (isFault(removed)) return removed;
    // If the storage is away, the sweep removes them later.
    for (const { accountId, blobKey } of removed.left)
      await recordings.remove(accountId, blobKey).catch(ignoreOutage);
    return {};
  },
};

type Filter = Omit<Input<(typeof table)['history/list']>, 'offset' | 'limit'>;
type Scope = Pick<HistoryFilter, 'agents' | 'invitations'>;

const isDateRangeReversed = ({ date_from: from, date_to: to }: Filter): boolean =>
  from !== undefined && to !== undefined && from > to;

const invalidDateRange = fault('invalid', {
  field: 'date_to',
  message: 'date_to must not be before date_from.',
});

const filterOf = (filter: Filter, scope: Scope, memberId: number): HistoryFilter => ({
  ...scope,
  memberId,
  kind: filter.kind,
  agentId: filter.agent_id,
  invitationId: filter.support_id,
  from: filter.date_from,
  to: filter.date_to,
  video: filter.video,
  email: filter.email,
});

const sessionRunning = fault('invalid', {
  code: 'session_runs',
  field: 'id',
  message: 'The connection is still active and must be recorded until it ends.',
});

/** Each caller gets their own URL, which works as long as they may see the recording. */
function recordingLink(
  session: number,
  { secret, size }: NonNullable<Session['video']>,
  member: number,
  { hmacOf, publicUrl }: HandlerContext,
) {
  const address = toRecordingAddress(
    { session, member },
    hmacOf(secret, recordingAddressPayload({ session, member })),
  );
  return { url: `${publicUrl}${playerPaths.page}/${address}`, size };
}

const view = (session: Session, owner: string) => ({
  id: session.id,
  start: session.start,
  ...(session.stop !== null && { stop: session.stop }),
  ...(session.invitationId !== null && { support_id: session.invitationId }),
  client: [{ user_agent: session.userAgent, login: session.login, geo: session.geo }],
  ...(session.agent && { agent: { ...session.agent, owner } }),
  ...(session.note !== '' && { note: session.note }),
  ...(session.reason !== '' && { reason: session.reason }),
  ...(session.endedBy !== null && { ended_by: session.endedBy }),
  bytes: session.bytes,
});
