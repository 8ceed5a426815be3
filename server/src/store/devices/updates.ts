/** Updates of agents in SQL: the settings of accounts, and what devices reported. */
import { fault } from '@drawbridge/contract/faults';
import type { Kysely } from 'kysely';
import {
  defaultUpdateSettings,
  updateRound,
  type ListedUpdate,
  type PausedBy,
  type UpdateProgress,
  type UpdateSettings,
} from '../../domain/devices/updates.ts';
import type { Reader } from '../engine/database.ts';
import type { Tables } from '../engine/schema.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import { effectivePolicyOf } from './policies.ts';
import type { UpdateReads } from './update-records.ts';

type SettingsColumns = Omit<Tables['update_settings'], 'account_id'>;

const toColumns = (settings: UpdateSettings): Omit<SettingsColumns, 'paused' | 'round_time'> => ({
  enabled: settings.enabled ? 1 : 0,
  window_start: settings.windowStart,
  window_end: settings.windowEnd,
  group_order: settings.groups.join(' '),
  canary: settings.canary,
  failure_percent: settings.failurePercent,
  per_minute: settings.perMinute,
});

const toSettings = (row: SettingsColumns): UpdateSettings & { paused: PausedBy } => ({
  enabled: row.enabled === 1,
  windowStart: row.window_start,
  windowEnd: row.window_end,
  groups: row.group_order.split(' ').filter(Boolean).map(Number),
  canary: row.canary,
  failurePercent: row.failure_percent,
  perMinute: row.per_minute,
  paused: row.paused as PausedBy,
});

async function settingsOf(db: Kysely<Tables>, accountId: number) {
  const row = await db
    .selectFrom('update_settings')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row ? toSettings(row) : { ...defaultUpdateSettings, paused: '' as PausedBy };
}

async function devicesOf(
  db: Kysely<Tables>,
  accountId: number,
  now: number,
  id: number | undefined,
): Promise<ListedUpdate[]> {
  const rows = await db
    .selectFrom('agent')
    .innerJoin('account', 'account.account_id', 'agent.account_id')
    .leftJoin('agent_group as group', 'group.id', 'agent.group_id')
    .leftJoin('presence', 'presence.agent_id', 'agent.id')
    .leftJoin('agent_update', 'agent_update.agent_id', 'agent.id')
    .select(['agent.id', 'agent.device_id', 'agent.name', 'agent.group_id'])
    .select(['agent.version', 'agent.installed'])
    .select(['presence.lease_until', 'agent_update.pin', 'agent_update.progress', 'agent_update.target'])
    .select(['agent_update.message', 'agent_update.report_time'])
    .select(['agent.policy', 'group.policy as group_policy', 'account.policy as account_policy'])
    .where('agent.account_id', '=', accountId)
    .$if(id !== undefined, (query) => query.where('agent.id', '=', id!))
    .orderBy('agent.id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    deviceId: row.device_id,
    name: row.name,
    groupId: row.group_id,
    version: row.version,
    installed: row.installed === 1,
    online: (row.lease_until ?? 0) > now,
    channel: effectivePolicyOf(row).update_channel,
    pin: row.pin ?? '',
    progress: (row.progress ?? '') as UpdateProgress,
    target: row.target ?? '',
    message: row.message ?? '',
    time: row.report_time ?? 0,
  }));
}

export const updateReads = (reader: Reader): UpdateReads => ({
  settings: (accountId) => settingsOf(reader(accountId), accountId),
  devices: (accountId, now, id) => devicesOf(reader(accountId), accountId, now, id),

  async running() {
    const rows = await reader('all')
      .selectFrom('update_settings')
      .selectAll()
      .where('enabled', '=', 1)
      .where('paused', '=', '')
      .orderBy('account_id')
      .execute();
    return rows.map((row) => ({ accountId: row.account_id, ...toSettings(row) }));
  },
});

/** Sets some columns, and creates the row of the account if there is none. */
async function setColumns(
  db: Kysely<Tables>,
  accountId: number,
  some: Partial<SettingsColumns>,
): Promise<void> {
  const initial = { ...toColumns(defaultUpdateSettings), paused: '', round_time: 0 };
  await db
    .insertInto('update_settings')
    .values({ account_id: accountId, ...initial, ...some })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((eb) => ({ paused: eb.ref('update_settings.paused'), ...some })),
    )
    .execute();
}

type UpdateColumns = Partial<Record<'pin' | 'progress' | 'target' | 'message', string>> & {
  report_time?: number;
};

/** Sets what is known about the updates of those of these devices that exist, and returns their ids. */
async function setUpdate(
  db: Kysely<Tables>,
  { accountId, ids }: { accountId: number; ids: readonly number[] },
  some: UpdateColumns,
): Promise<number[]> {
  const agents = await db
    .selectFrom('agent')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', 'in', [...ids])
    .execute();
  if (agents.length === 0) return [];
  await db
    .insertInto('agent_update')
    .values(agents.map(({ id }) => ({ agent_id: id, account_id: accountId, ...some })))
    .onConflict((conflict) => conflict.column('agent_id').doUpdateSet(some))
    .execute();
  return agents.map(({ id }) => id);
}

async function hasGroups(db: Kysely<Tables>, accountId: number, ids: readonly number[]): Promise<boolean> {
  if (ids.length === 0) return true;
  const rows = await db
    .selectFrom('agent_group')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', 'in', [...ids])
    .execute();
  return rows.length === new Set(ids).size;
}

type ChangeNames = 'settings' | 'pause' | 'resume' | 'pin' | 'ask' | 'report';

export const updateChanges: ChangesOf<`updates/${ChangeNames}`> = {
  'updates/settings': async function ({ db }, { accountId, ...changed }) {
    if (!(await hasGroups(db, accountId, changed.groups ?? [])))
      return fault('not_found', { field: 'groups' });
    const settings = { ...(await settingsOf(db, accountId)), ...changed };
    await setColumns(db, accountId, toColumns(settings));
    return {};
  },

  'updates/pause': async function ({ db }, { accountId, by }) {
    await setColumns(db, accountId, { paused: by });
    return {};
  },

  'updates/resume': async function ({ db }, { accountId }) {
    await setColumns(db, accountId, { paused: '' });
    await db
      .updateTable('agent_update')
      .set({ progress: '', message: '' })
      .where('account_id', '=', accountId)
      .where('progress', 'in', ['failed', 'refused'])
      .execute();
    return {};
  },

  'updates/pin': async function ({ db }, { accountId, id, pin }) {
    const found = await setUpdate(db, { accountId, ids: [id] }, { pin });
    return found.length > 0 ? {} : fault('not_found');
  },

  'updates/ask': async function ({ db, now }, { accountId, version, ids }) {
    // Several servers may plan at once: only one of them asks in each round.
    const row = await db
      .updateTable('update_settings')
      .set({ round_time: now })
      .where('account_id', '=', accountId)
      .where('enabled', '=', 1)
      .where('paused', '=', '')
      .where('round_time', '<=', now - updateRound)
      .returning('account_id')
      .executeTakeFirst();
    if (!row || ids.length === 0) return { asked: [] };
    const request = { progress: 'requested', target: version, message: '', report_time: now };
    return { asked: await setUpdate(db, { accountId, ids }, request) };
  },

  'updates/report': async function ({ db, now }, { accountId, id, progress, version, message }) {
    const report = { progress, target: version, message, report_time: now };
    await setUpdate(db, { accountId, ids: [id] }, report);
    return {};
  },
};
