/** Connections, past and running, in SQL. */
import type { Kysely } from 'kysely';
import type { ChangesOf } from './change.ts';
import type { Reader } from './dialect.ts';
import type { Session } from './records.ts';
import { within } from './scope.ts';
import type { Tables } from './schema.ts';
import type { HistoryFilter, Reads } from './store.ts';

const seenBy = (db: Kysely<Tables>, accountId: number, filter: HistoryFilter) => {
  let query = db
    .selectFrom('session')
    .leftJoin('agent', 'agent.id', 'session.agent_id')
    .leftJoin('agent_group as group', 'group.id', 'agent.group_id')
    .leftJoin('invitation', 'invitation.id', 'session.invitation_id')
    .where('session.account_id', '=', accountId)
    .where((eb) =>
      eb.or([
        eb.and([eb('session.agent_id', 'is not', null), within(filter.agents)]),
        ...(filter.invitations === 'none'
          ? []
          : [
              eb.and([
                eb('session.invitation_id', 'is not', null),
                ...(filter.invitations === 'own' ? [eb('invitation.member_id', '=', filter.memberId)] : []),
              ]),
            ]),
      ]),
    );
  if (filter.agentId !== undefined) query = query.where('session.agent_id', '=', filter.agentId);
  if (filter.invitationId !== undefined)
    query = query.where('session.invitation_id', '=', filter.invitationId);
  if (filter.from !== undefined) query = query.where('session.start_time', '>=', filter.from);
  if (filter.to !== undefined) query = query.where('session.start_time', '<=', filter.to);
  if (filter.video !== undefined)
    query = query.where('session.video_url', filter.video ? 'is not' : 'is', null);
  return query;
};

export const historyReads = (reader: Reader): Reads['history'] => ({
  async list(accountId, { offset, limit, ...filter }) {
    const query = seenBy(reader(accountId), accountId, filter);
    const { total } = await query
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = await query
      .selectAll('session')
      .select(['agent.name', 'group.name as group_name', 'agent.os', 'agent.version'])
      .select(['agent.geo_ip', 'agent.geo_country', 'agent.geo_region', 'agent.geo_city'])
      .orderBy('session.start_time', 'desc')
      .orderBy('session.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    return {
      total: Number(total),
      sessions: rows.map((row): Session => ({
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
        video: row.video_url === null ? null : { url: row.video_url, size: row.video_size },
      })),
    };
  },
});

/** What is kept of a device's sessions beside the device changed. */
async function touchAgents(db: Kysely<Tables>, ids: (number | null)[]): Promise<void> {
  const agents = ids.filter((id) => id !== null);
  if (agents.length === 0) return;
  await db
    .updateTable('agent')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', 'in', agents)
    .execute();
}

type Names = 'start' | 'alive' | 'stop' | 'bury';

export const sessionChanges: ChangesOf<`sessions/${Names}`> = {
  async 'sessions/start'({ db, now }, session) {
    const { id } = await db
      .insertInto('session')
      .values({
        account_id: session.accountId,
        agent_id: session.agentId,
        invitation_id: session.invitationId,
        member_id: session.memberId,
        login: session.login,
        start_time: session.start,
        alive_time: now,
        stop_time: null,
        client_ip: session.geo.ip,
        client_country: session.geo.country,
        client_region: session.geo.region,
        client_city: session.geo.city,
        user_agent: session.userAgent,
        bytes: 0,
        video_url: null,
        video_size: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (session.agentId !== null)
      await db
        .updateTable('agent')
        .set((eb) => ({
          last_session_id: id,
          sessions_total: eb('sessions_total', '+', 1),
          revision: eb('revision', '+', 1),
        }))
        .where('account_id', '=', session.accountId)
        .where('id', '=', session.agentId)
        .execute();
    return { id };
  },

  async 'sessions/alive'({ db, now }, { ids }) {
    if (ids.length > 0)
      await db
        .updateTable('session')
        .set({ alive_time: now })
        .where('id', 'in', [...ids])
        .where('stop_time', 'is', null)
        .execute();
    return {};
  },

  async 'sessions/stop'({ db, now }, { accountId, id, bytes }) {
    const row = await db
      .updateTable('session')
      .set({ stop_time: now, alive_time: now, bytes })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('stop_time', 'is', null)
      .returning('agent_id')
      .executeTakeFirst();
    await touchAgents(db, [row?.agent_id ?? null]);
    return {};
  },

  async 'sessions/bury'({ db }, { silentSince }) {
    const rows = await db
      .updateTable('session')
      .set((eb) => ({ stop_time: eb.ref('alive_time') }))
      .where('stop_time', 'is', null)
      .where('alive_time', '<', silentSince)
      .returning('agent_id')
      .execute();
    await touchAgents(
      db,
      rows.map((row) => row.agent_id),
    );
    return { ended: rows.length };
  },
};
