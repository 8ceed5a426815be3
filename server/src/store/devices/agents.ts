/** Reads of devices in SQL. */
import { chain, type MaybePromise } from '@drawbridge/contract/async/maybe-promise';
import type { Kysely } from 'kysely';
import type { Agent, AgentSummary } from '../../domain/devices/agents.ts';
import type { MemberRef } from '../../domain/people/panel.ts';
import { effectivePolicy, parsePolicy } from '../../domain/devices/policies.ts';
import { listAgents } from './agent-list.ts';
import { listVersionOf } from '../people/account-versions.ts';
import type { Reader } from '../engine/database.ts';
import { prepared } from '../engine/prepared.ts';
import type { Tables } from '../engine/schema.ts';
import type { Reads } from '../store.ts';

/** Devices with their group, presence, last session, and whether the viewer marked them as favorite; without hardware. */
const selectSummary = (db: Kysely<Tables>, memberId: number) =>
  db
    .selectFrom('agent')
    .innerJoin('account', 'account.account_id', 'agent.account_id')
    .leftJoin('agent_group as group', 'group.id', 'agent.group_id')
    .leftJoin('presence', 'presence.agent_id', 'agent.id')
    .leftJoin('favorite', (join) =>
      join.onRef('favorite.agent_id', '=', 'agent.id').on('favorite.member_id', '=', memberId),
    )
    .leftJoin('session as last', 'last.id', 'agent.last_session_id')
    .leftJoin('permanent_path', 'permanent_path.agent_id', 'agent.id')
    .select(['agent.id', 'agent.account_id', 'agent.device_id', 'agent.group_id', 'agent.name'])
    .select(['agent.link_time', 'agent.added_over_files'])
    .select(['agent.geo_ip', 'agent.geo_country', 'agent.geo_region', 'agent.geo_city'])
    .select(['agent.permanent_enabled', 'agent.permanent_password', 'agent.secret'])
    .select(['agent.policy', 'group.policy as group_policy', 'account.policy as account_policy'])
    .select('agent.uplink_version')
    .select(['agent.os', 'agent.os_user', 'agent.rdp', 'agent.hibernate', 'agent.power_supply'])
    .select(['agent.version', 'agent.installed', 'agent.approved'])
    .select(['agent.sessions_total', 'agent.last_session_id'])
    .select(['agent.revision', 'group.name as group_name', 'favorite.agent_id as favored'])
    .select(['presence.lease_until', 'presence.seen_time', 'permanent_path.path'])
    .select(['last.start_time', 'last.stop_time', 'last.user_agent'])
    .select(['last.client_ip', 'last.client_country', 'last.client_region', 'last.client_city']);

const selectWhole = (db: Kysely<Tables>, memberId: number) =>
  selectSummary(db, memberId).select('agent.hardware');

type SummaryRow = Awaited<ReturnType<ReturnType<typeof selectSummary>['executeTakeFirstOrThrow']>>;
type Row = SummaryRow & { hardware: string };
interface AgentQuery {
  accountId: number;
  memberId: number;
  value: number;
}

const byId = prepared<AgentQuery, Row>((db, parameter) =>
  selectWhole(db, parameter('memberId'))
    .where('agent.account_id', '=', parameter('accountId'))
    .where('agent.id', '=', parameter('value')),
);
const byDeviceId = prepared<AgentQuery, Row>((db, parameter) =>
  selectWhole(db, parameter('memberId'))
    .where('agent.account_id', '=', parameter('accountId'))
    .where('agent.device_id', '=', parameter('value')),
);

/** Rows of the embedded database are the same objects until a commit. Their devices are frozen, because requests share them. */
function createAgentMemo(): (row: Row) => Agent {
  const agents = new WeakMap<Row, Agent>();
  return (row) => {
    let agent = agents.get(row);
    if (!agent) agents.set(row, (agent = Object.freeze({ ...toSummary(row), hardware: row.hardware })));
    return agent;
  };
}

const findRows = (
  db: Kysely<Tables>,
  { accountId, memberId }: MemberRef,
  by: { id: number } | { deviceId: number },
): MaybePromise<Row[]> =>
  'id' in by
    ? byId(db, { accountId, memberId, value: by.id })
    : byDeviceId(db, { accountId, memberId, value: by.deviceId });

export function agentReads(reader: Reader): Reads['agents'] {
  const toAgent = createAgentMemo();
  return {
    ...listReads(reader),
    find: (viewer, by) =>
      chain(findRows(reader(viewer.accountId), viewer, by), ([row]) => row && toAgent(row)),
  };
}

const listReads = (reader: Reader): Omit<Reads['agents'], 'find'> => ({
  list: ({ accountId, memberId }, filter) => listAgents(reader(accountId), accountId, memberId, filter),

  listVersion: (accountId) => listVersionOf(reader(accountId), accountId),

  async summaries({ accountId, memberId }, ids) {
    if (ids.length === 0) return [];
    const rows = await selectSummary(reader(accountId), memberId)
      .where('agent.account_id', '=', accountId)
      .where('agent.id', 'in', [...ids])
      .execute();
    return rows.map(toSummary);
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

  async notes(accountId, id) {
    const row = await reader(accountId)
      .selectFrom('agent')
      .select('notes')
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst();
    return row?.notes;
  },
});

function policiesOf(row: SummaryRow): Pick<AgentSummary, 'policies' | 'onetimeInherited' | 'onetimeAllowed'> {
  const account = parsePolicy(row.account_policy);
  const group = parsePolicy(row.group_policy ?? '{}');
  const policies = { account, group, device: parsePolicy(row.policy) };
  return {
    policies,
    onetimeInherited: effectivePolicy({ account, group }).onetime_url,
    onetimeAllowed: effectivePolicy(policies).onetime_url === 'allow',
  };
}

const toSummary = (row: SummaryRow): AgentSummary => ({
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
  ...policiesOf(row),
  uplinkVersion: row.uplink_version,
  secret: row.secret,
  os: row.os as AgentSummary['os'],
  osUser: row.os_user,
  rdp: row.rdp === 1,
  hibernate: row.hibernate === 1,
  powerSupply: row.power_supply === 1,
  version: row.version,
  installed: row.installed === 1,
  favorite: row.favored !== null,
  approved: row.approved === 1,
  lastSession: toLastSession(row),
  sessionsTotal: row.sessions_total,
  revision: row.revision,
});

const toLastSession = (row: SummaryRow): AgentSummary['lastSession'] =>
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
