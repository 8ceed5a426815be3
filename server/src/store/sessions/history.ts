/** The history of sessions, in SQL. */
import type { ExpressionBuilder, Kysely } from 'kysely';
import { fold } from '../../domain/text.ts';
import type { Reader } from '../engine/database.ts';
import type { EndedBy, Session } from '../records.ts';
import { isInScope } from '../people/scope.ts';
import type { Tables } from '../engine/schema.ts';
import type { HistoryFilter } from '../people/account-records.ts';
import type { Reads } from '../store.ts';

type Where = ExpressionBuilder<
  Tables & { group: Tables['agent_group'] },
  'session' | 'agent' | 'group' | 'invitation'
>;

/** Sessions to devices in scope, and those of the invitations that the viewer may see. */
const isVisible = (eb: Where, { agents, invitations, memberId }: HistoryFilter) =>
  eb.or([
    eb.and([eb('session.agent_id', 'is not', null), isInScope(agents)]),
    ...(invitations === 'none'
      ? []
      : [
          eb.and([
            eb('session.invitation_id', 'is not', null),
            ...(invitations === 'own' ? [eb('invitation.member_id', '=', memberId)] : []),
          ]),
        ]),
  ]);

/** Somebody who was removed since can only be found by the recorded address. */
const isOfPerson = (eb: Where, accountId: number, email: string) =>
  eb.or([
    eb('session.login', '=', email),
    eb('session.member_id', 'in', (sub) =>
      sub
        .selectFrom('member')
        .select('member.id')
        .where('member.account_id', '=', accountId)
        .where('member.email_folded', '=', fold(email)),
    ),
  ]);

const selectVisible = (db: Kysely<Tables>, accountId: number, filter: HistoryFilter) => {
  const { kind, agentId, invitationId, from, to, video, email, live } = filter;
  let query = db
    .selectFrom('session')
    .leftJoin('agent', 'agent.id', 'session.agent_id')
    .leftJoin('agent_group as group', 'group.id', 'agent.group_id')
    .leftJoin('invitation', 'invitation.id', 'session.invitation_id')
    .where('session.account_id', '=', accountId)
    .where('session.begun', '=', 1)
    .where((eb) => isVisible(eb as Where, filter));
  if (kind !== undefined)
    query = query.where(kind === 'agent' ? 'session.agent_id' : 'session.invitation_id', 'is not', null);
  if (agentId !== undefined) query = query.where('session.agent_id', '=', agentId);
  if (invitationId !== undefined) query = query.where('session.invitation_id', '=', invitationId);
  if (from !== undefined) query = query.where('session.start_time', '>=', from);
  if (to !== undefined) query = query.where('session.start_time', '<=', to);
  if (video !== undefined) query = query.where('session.video_secret', video ? 'is not' : 'is', null);
  if (email !== undefined) query = query.where((eb) => isOfPerson(eb as Where, accountId, email));
  if (live) query = query.where('session.stop_time', 'is', null);
  return query;
};

export const historyReads = (reader: Reader): Reads['history'] => ({
  async list(accountId, { offset, limit, ...filter }) {
    const query = selectVisible(reader(accountId), accountId, filter);
    const { total } = await query
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = await newestFirst(query).limit(limit).offset(offset).execute();
    return { total: Number(total), sessions: rows.map(toSession) };
  },

  async after(accountId, filter, last, limit) {
    let query = newestFirst(selectVisible(reader(accountId), accountId, filter)).limit(limit);
    if (last)
      query = query.where((eb) =>
        eb.or([
          eb('session.start_time', '<', last.start),
          eb.and([eb('session.start_time', '=', last.start), eb('session.id', '<', last.id)]),
        ]),
      );
    return (await query.execute()).map(toSession);
  },
});

const newestFirst = (query: ReturnType<typeof selectVisible>) =>
  query
    .selectAll('session')
    .select(['agent.name', 'group.name as group_name', 'agent.os', 'agent.version'])
    .select(['agent.geo_ip', 'agent.geo_country', 'agent.geo_region', 'agent.geo_city'])
    .orderBy('session.start_time', 'desc')
    .orderBy('session.id', 'desc');

type Row = Awaited<ReturnType<ReturnType<typeof newestFirst>['executeTakeFirstOrThrow']>>;

const toSession = (row: Row): Session => ({
  id: row.id,
  start: row.start_time,
  stop: row.stop_time,
  invitationId: row.invitation_id,
  login: row.login,
  userAgent: row.user_agent,
  geo: {
    ip: row.client_ip,
    country: row.client_country,
    region: row.client_region,
    city: row.client_city,
  },
  endedBy: row.stop_time === null || row.ended_by === '' ? null : (row.ended_by as EndedBy),
  bytes: row.bytes,
  agent:
    row.agent_id === null
      ? null
      : {
          id: row.agent_id,
          name: row.name!,
          group: row.group_name ?? '',
          geo: {
            ip: row.geo_ip!,
            country: row.geo_country!,
            region: row.geo_region!,
            city: row.geo_city!,
          },
          os: row.os!,
          version: row.version!,
        },
  video: row.video_secret === null ? null : { secret: row.video_secret, size: row.video_size },
  note: row.note,
  reason: row.reason,
});
