/** How devices are identified, and what they reported about themselves, in SQL. */
import type { Software } from '@drawbridge/contract/uplink/facts';
import type { Kysely } from 'kysely';
import type { AgentScope } from '../../domain/people/access.ts';
import type { Reader } from '../engine/database.ts';
import { prepared } from '../engine/prepared.ts';
import type { Tables } from '../engine/schema.ts';
import { isInScope } from '../people/scope.ts';
import type { DeviceStanding } from '../nodes/node-records.ts';
import type { DeviceRef, MachineRecord } from '../records.ts';
import type { Reads } from '../store.ts';
import { enrolmentsOf } from './enrolment.ts';

interface DeviceRefRow {
  id: number;
  account_id: number;
  device_id: number;
}

const toDeviceRef = (row: DeviceRefRow): DeviceRef => ({
  id: row.id,
  accountId: row.account_id,
  deviceId: row.device_id,
});

/** Finds a device by a value that is unique on the whole server, before its account is known. */
async function findDeviceRef(
  reader: Reader,
  column: 'agent.id' | 'permanent_path.path',
  value: number | string,
): Promise<DeviceRef | undefined> {
  const row = await reader('all')
    .selectFrom('agent')
    .leftJoin('permanent_path', 'permanent_path.agent_id', 'agent.id')
    .select(['agent.id', 'agent.account_id', 'agent.device_id'])
    .where(column, '=', value as never)
    .executeTakeFirst();
  return row && toDeviceRef(row);
}

/** Runs for every device that reconnects, and for all of them after a restart. */
const deviceByKey = prepared<{ publicKey: string }, DeviceRefRow>((db, parameter) =>
  db
    .selectFrom('agent')
    .select(['agent.id', 'agent.account_id', 'agent.device_id'])
    .where('agent.public_key', '=', parameter('publicKey')),
);

async function readStandings(reader: Reader, ids: readonly number[]): Promise<DeviceStanding[]> {
  if (ids.length === 0) return [];
  const rows = await reader('all')
    .selectFrom('agent')
    .leftJoin('presence', 'presence.agent_id', 'agent.id')
    .select(['agent.id', 'agent.epoch', 'agent.epoch_next', 'agent.approved', 'presence.lease_until'])
    .where('agent.id', 'in', [...ids])
    .execute();
  return rows.map((row) => ({
    id: row.id,
    epoch: row.epoch_next || row.epoch,
    approved: row.approved === 1,
    leaseUntil: row.lease_until ?? 0,
  }));
}

async function machinesInScope(
  db: Kysely<Tables>,
  accountId: number,
  scope: AgentScope,
): Promise<MachineRecord[]> {
  const rows = await db
    .selectFrom('agent')
    .leftJoin('presence', 'presence.agent_id', 'agent.id')
    .select(['agent.id', 'agent.device_id', 'agent.name', 'agent.machine_id', 'agent.serial', 'agent.macs'])
    .select(['agent.copied_time', 'agent.link_time', 'presence.lease_until', 'presence.seen_time'])
    .where('agent.account_id', '=', accountId)
    .where(isInScope(scope))
    .orderBy('agent.id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    deviceId: row.device_id,
    name: row.name,
    leaseUntil: row.lease_until ?? 0,
    lastTime: row.seen_time ?? row.link_time,
    machineId: row.machine_id,
    serial: row.serial,
    macs: row.macs.split(' ').filter(Boolean),
    copiedTime: row.copied_time,
  }));
}

async function pendingDevices(db: Kysely<Tables>, accountId: number) {
  const rows = await db
    .selectFrom('agent')
    .select(['id', 'device_id', 'name', 'os', 'geo_ip', 'link_time'])
    .where('account_id', '=', accountId)
    .where('approved', '=', 0)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    deviceId: row.device_id,
    name: row.name,
    os: row.os,
    ip: row.geo_ip,
    linkTime: row.link_time,
  }));
}

export const deviceIdentityReads = (reader: Reader): Reads['deviceIdentity'] => ({
  async byKey(publicKey) {
    const [row] = await deviceByKey(reader('all'), { publicKey });
    return row && toDeviceRef(row);
  },

  standings: (ids) => readStandings(reader, ids),
  byId: (id) => findDeviceRef(reader, 'agent.id', id),
  byPath: (path) => findDeviceRef(reader, 'permanent_path.path', path),

  async publicKey(accountId, id) {
    const row = await reader(accountId)
      .selectFrom('agent')
      .select('public_key')
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst();
    return row?.public_key ?? undefined;
  },

  async software(accountId, id) {
    const row = await reader(accountId)
      .selectFrom('agent')
      .select(['software', 'software_time'])
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst();
    return { time: row?.software_time ?? 0, programs: JSON.parse(row?.software ?? '[]') as Software };
  },

  machines: (accountId, scope) => machinesInScope(reader(accountId), accountId, scope),
  pending: (accountId) => pendingDevices(reader(accountId), accountId),
  enrolments: (accountId, now) => enrolmentsOf(reader(accountId), accountId, now),
});
