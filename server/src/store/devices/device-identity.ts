/** Changes of what devices report about themselves, in SQL. */
import type { Facts, Fingerprint } from '@drawbridge/contract/uplink/facts';
import { fault } from '@drawbridge/contract/faults';
import type { UpdateObject } from 'kysely';
import { isCopied, isLatestEpoch } from '../../domain/devices/device-identity.ts';
import type { Geo } from '../../domain/devices/agents.ts';
import { updateAgent } from './update-agent.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import type { Tables } from '../engine/schema.ts';

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
    { accountId, id, presented, epoch, uplinkVersion, facts, fingerprint, geo },
  ) {
    const before = await db
      .selectFrom('agent')
      .innerJoin('member as owner', (join) =>
        join.onRef('owner.account_id', '=', 'agent.account_id').on('owner.owner', '=', 1),
      )
      .leftJoin('update_settings', 'update_settings.account_id', 'agent.account_id')
      .leftJoin('agent_update', 'agent_update.agent_id', 'agent.id')
      .select(['agent.name', 'agent.approved', 'agent.epoch', 'agent.epoch_next', 'owner.email'])
      .select(['update_settings.enabled', 'agent_update.pin'])
      .where('agent.account_id', '=', accountId)
      .where('agent.id', '=', id)
      .executeTakeFirst();
    if (!before) return fault('not_found');
    const copied = isCopied(presented, before.epoch, before.epoch_next);
    await updateAgent(db, accountId, id, {
      ...factColumns(facts, geo, fingerprint),
      uplink_version: uplinkVersion,
      epoch: isLatestEpoch(presented, before.epoch_next) ? presented : before.epoch,
      epoch_next: epoch,
      ...(copied && { copied_time: now }),
    });
    const updates = before.enabled === 1 && !before.pin;
    return { name: before.name, approved: before.approved === 1, owner: before.email, copied, updates };
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
