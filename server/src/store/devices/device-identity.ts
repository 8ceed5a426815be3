/** What devices report about themselves, in SQL. */
import type { Facts, Fingerprint, Software } from '@drawbridge/contract/uplink/facts';
import { fault } from '@drawbridge/contract/faults';
import type { UpdateObject } from 'kysely';
import { isCopied, isLatestEpoch } from '../../domain/device-identity.ts';
import type { Geo } from '../../domain/agents.ts';
import { updateAgent } from './update-agent.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import type { Reader } from '../engine/database.ts';
import { enrolmentsOf } from './enrolment.ts';
import { prepared } from '../engine/prepared.ts';
import type { DeviceRef } from '../records.ts';
import { isInScope } from '../people/scope.ts';
import type { Tables } from '../engine/schema.ts';
import type { Reads } from '../store.ts';

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
  return row && { id: row.id, accountId: row.account_id, deviceId: row.device_id };
}

/** Runs for every device that reconnects, and for all of them after a restart. */
const deviceByKey = prepared<{ publicKey: string }, { id: number; account_id: number; device_id: number }>(
  (db, parameter) =>
    db
      .selectFrom('agent')
      .select(['agent.id', 'agent.account_id', 'agent.device_id'])
      .where('agent.public_key', '=', parameter('publicKey')),
);

export const deviceIdentityReads = (reader: Reader): Reads['deviceIdentity'] => ({
  async byKey(publicKey) {
    const [row] = await deviceByKey(reader('all'), { publicKey });
    return row && { id: row.id, accountId: row.account_id, deviceId: row.device_id };
  },
  byId: (id) => findDeviceRef(reader, 'agent.id', id),
  async publicKey(accountId, id) {
    const row = await reader(accountId)
      .selectFrom('agent')
      .select('public_key')
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst();
    return row?.public_key ?? undefined;
  },
  byPath: (path) => findDeviceRef(reader, 'permanent_path.path', path),

  async machines(accountId, scope) {
    const rows = await reader(accountId)
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

  async pending(accountId) {
    const rows = await reader(accountId)
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
  },

  enrolments: (accountId, now) => enrolmentsOf(reader(accountId), accountId, now),
});

const factColumns = (facts: Facts, geo: Geo, fingerprint?: Fingerprint): UpdateObject<Tables, 'agent'> => ({
  os: facts.os,
  os_user: facts.os_user,
  version: facts.version,
  rdp: facts.rdp ? 1 : 0,
  hibernate: facts.hibernate ? 1 : 0,
  power_supply: facts.power_supply ? 1 : 0,
  installed: facts.installed ? 1 : 0,
  addresses: [geo.ip, ...facts.addresses].filter(Boolean).join(' '),
  geo_ip: geo.ip,
  geo_country: geo.country,
  geo_region: geo.region,
  geo_city: geo.city,
  ...(fingerprint && {
    machine_id: fingerprint.machine_id,
    serial: fingerprint.serial,
    macs: fingerprint.macs.join(' '),
  }),
});

type ChangeNames = 'arrive' | 'kept' | 'facts' | 'hardware' | 'software' | 'approve' | 'clear-copied';

export const deviceIdentityChanges: ChangesOf<`devices/${ChangeNames}`> = {
  'devices/arrive': async function (
    { db, now },
    { accountId, id, presented, epoch, facts, fingerprint, geo },
  ) {
    const before = await db
      .selectFrom('agent')
      .innerJoin('member as owner', (join) =>
        join.onRef('owner.account_id', '=', 'agent.account_id').on('owner.owner', '=', 1),
      )
      .select(['agent.name', 'agent.approved', 'agent.epoch', 'agent.epoch_next', 'owner.email'])
      .where('agent.account_id', '=', accountId)
      .where('agent.id', '=', id)
      .executeTakeFirst();
    if (!before) return fault('not_found');
    const copied = isCopied(presented, before.epoch, before.epoch_next);
    await updateAgent(db, accountId, id, {
      ...factColumns(facts, geo, fingerprint),
      epoch: isLatestEpoch(presented, before.epoch_next) ? presented : before.epoch,
      epoch_next: epoch,
      ...(copied && { copied_time: now }),
    });
    return { name: before.name, approved: before.approved === 1, owner: before.email, copied };
  },

  'devices/kept': async function ({ db }, { accountId, id, epoch }) {
    await db
      .updateTable('agent')
      .set({ epoch, epoch_next: '' })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('epoch_next', '=', epoch)
      .execute();
    return {};
  },

  'devices/facts': async function ({ db }, { accountId, id, facts, geo }) {
    await updateAgent(db, accountId, id, factColumns(facts, geo));
    return {};
  },

  'devices/hardware': async function ({ db }, { accountId, id, hardware }) {
    await updateAgent(db, accountId, id, { hardware });
    return {};
  },

  'devices/software': async function ({ db, now }, { accountId, id, software }) {
    await db
      .updateTable('agent')
      .set({ software, software_time: now })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
    return {};
  },

  'devices/approve': async ({ db }, { accountId, id }) =>
    (await updateAgent(db, accountId, id, { approved: 1 })) ? {} : fault('not_found'),

  'devices/clear-copied': async ({ db }, { accountId, id }) =>
    (await updateAgent(db, accountId, id, { copied_time: null })) ? {} : fault('not_found'),
};
