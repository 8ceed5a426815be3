/** Devices in SQL: reading. */
import type { Kysely } from 'kysely';
import type { Agent } from '../domain/agents.ts';
import type { Reader } from './dialect.ts';
import { prepared } from './prepared.ts';
import { contains, within } from './scope.ts';
import type { Tables } from './schema.ts';
import type { ListedAgent, Reads } from './store.ts';

/** Devices with their group, presence, last session, and whether the viewer marked them. */
const joined = (db: Kysely<Tables>, memberId: number) =>
  db
    .selectFrom('agent')
    .leftJoin('agent_group as group', 'group.id', 'agent.group_id')
    .leftJoin('presence', 'presence.agent_id', 'agent.id')
    .leftJoin('favorite', (join) =>
      join.onRef('favorite.agent_id', '=', 'agent.id').on('favorite.member_id', '=', memberId),
    );

const whole = (db: Kysely<Tables>, memberId: number) =>
  joined(db, memberId)
    .leftJoin('session as last', 'last.id', 'agent.last_session_id')
    .leftJoin('permanent_path', 'permanent_path.agent_id', 'agent.id')
    .selectAll('agent')
    .select([
      'group.name as group_name',
      'presence.lease_until',
      'presence.seen_time',
      'favorite.agent_id as favored',
    ])
    .select([
      'last.start_time',
      'last.stop_time',
      'last.client_ip',
      'last.client_country',
      'last.client_region',
    ])
    .select(['last.client_city', 'last.user_agent', 'permanent_path.path']);

type Row = Awaited<ReturnType<ReturnType<typeof whole>['executeTakeFirstOrThrow']>>;
interface Sought {
  accountId: number;
  memberId: number;
  value: number;
}

const byId = prepared<Sought, Row>((db, parameter) =>
  whole(db, parameter('memberId'))
    .where('agent.account_id', '=', parameter('accountId'))
    .where('agent.id', '=', parameter('value')),
);
const byDeviceId = prepared<Sought, Row>((db, parameter) =>
  whole(db, parameter('memberId'))
    .where('agent.account_id', '=', parameter('accountId'))
    .where('agent.device_id', '=', parameter('value')),
);

export const agentReads = (reader: Reader): Reads['agents'] => ({
  async find({ accountId, memberId }, by) {
    const db = reader(accountId);
    const [row] =
      'id' in by
        ? await byId(db, { accountId, memberId, value: by.id })
        : await byDeviceId(db, { accountId, memberId, value: by.deviceId });
    return row && toAgent(row);
  },

  async list({ accountId, memberId }, { scope, search, groupId, offset, limit }) {
    let query = joined(reader(accountId), memberId)
      .select(['agent.id', 'agent.revision', 'agent.group_id', 'group.name as group_name', 'agent.link_time'])
      .select([
        'agent.added_over_files',
        'presence.lease_until',
        'presence.seen_time',
        'favorite.agent_id as favored',
      ])
      .where('agent.account_id', '=', accountId)
      .orderBy('agent.id');
    if (scope !== 'all') query = query.where(within(scope));
    if (groupId !== undefined) query = query.where('agent.group_id', '=', groupId);
    if (search)
      query = query.where((eb) =>
        eb.or(
          ['agent.name_folded', 'agent.addresses', 'group.name_folded'].map((column) =>
            contains(column, search),
          ),
        ),
      );
    if (limit !== undefined || offset !== undefined)
      query = query.limit(limit ?? 1_000_000_000).offset(offset ?? 0);
    return (await query.execute()).map((row): ListedAgent => ({
      id: row.id,
      revision: row.revision,
      groupId: row.group_id,
      groupName: row.group_name ?? '',
      linkTime: row.link_time,
      addedOverFiles: row.added_over_files === 1,
      leaseUntil: row.lease_until ?? 0,
      lastTime: row.seen_time ?? row.link_time,
      favorite: row.favored !== null,
    }));
  },

  async details({ accountId, memberId }, ids) {
    if (ids.length === 0) return [];
    const rows = await whole(reader(accountId), memberId)
      .where('agent.account_id', '=', accountId)
      .where('agent.id', 'in', [...ids])
      .execute();
    return rows.map(toAgent);
  },

  async online(accountId, now) {
    const rows = await reader(accountId)
      .selectFrom('agent')
      .innerJoin('presence', 'presence.agent_id', 'agent.id')
      .select(['agent.id', 'agent.geo_ip', 'agent.addresses'])
      .where('agent.account_id', '=', accountId)
      .where('presence.lease_until', '>', now)
      .orderBy('agent.id')
      .execute();
    return rows.map((row) => ({ id: row.id, publicIp: row.geo_ip, addresses: row.addresses.split(' ') }));
  },
});

const toAgent = (row: Row): Agent => ({
  id: row.id,
  accountId: row.account_id,
  deviceId: row.device_id,
  groupId: row.group_id,
  groupName: row.group_name ?? '',
  name: row.name,
  linkTime: row.link_time,
  lastTime: row.seen_time ?? row.link_time,
  leaseUntil: row.lease_until ?? 0,
  addedOverFiles: row.added_over_files === 1,
  geo: { ip: row.geo_ip, country: row.geo_country, region: row.geo_region, city: row.geo_city },
  permanentEnabled: row.permanent_enabled === 1,
  permanentPath: row.path,
  permanentPassword: row.permanent_password,
  onetimeAllowed: row.onetime_allowed === 1,
  secret: row.secret,
  os: row.os as Agent['os'],
  osUser: row.os_user,
  rdp: row.rdp === 1,
  hibernate: row.hibernate === 1,
  powerSupply: row.power_supply === 1,
  version: row.version,
  installed: row.installed === 1,
  favorite: row.favored !== null,
  hardware: row.hardware,
  lastSession: toLastSession(row),
  sessionsTotal: row.sessions_total,
  revision: row.revision,
});

const toLastSession = (row: Row): Agent['lastSession'] =>
  row.last_session_id === null || row.start_time === null
    ? null
    : {
        id: row.last_session_id,
        startTime: row.start_time,
        stopTime: row.stop_time,
        client: {
          ip: row.client_ip!,
          country: row.client_country!,
          region: row.client_region!,
          city: row.client_city!,
          userAgent: row.user_agent!,
        },
      };
