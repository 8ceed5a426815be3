/** Changes of devices in SQL. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import type { Kysely } from 'kysely';
import { gainsRights, gainsRightsByMove } from '../../domain/people/escalation.ts';
import { updatePermanentLink, type PermanentLinkUpdate } from '../../domain/sessions/links.ts';
import { mayGrantFullAccess } from '../../domain/sessions/sessions.ts';
import { noteCause } from '../notifications/causes.ts';
import { fold } from '../../domain/text.ts';
import { loadActor } from '../people/actors.ts';
import { bumpPolicyVersion, bumpRightsVersion } from '../people/account-versions.ts';
import type { ChangesOf, Tx } from '../engine/transaction.ts';
import type { Done } from '../changes.ts';
import { mergeAgents } from './merge.ts';
import { isOverFiles } from '../people/plan.ts';
import type { NewAgent } from '../records.ts';
import { beyondOwnRights } from '../people/roles.ts';
import type { Tables } from '../engine/schema.ts';
import { updateAgent } from './update-agent.ts';

const agentRefOf = async (db: Kysely<Tables>, accountId: number, id: number) => {
  const row = await db
    .selectFrom('agent')
    .select('group_id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && { id, groupId: row.group_id };
};

const isGroup = async (db: Kysely<Tables>, accountId: number, id: number): Promise<boolean> =>
  (await db
    .selectFrom('agent_group')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()) !== undefined;

/** Changes the permanent link of a device whose row is already locked. */
async function changePermanentLink(
  { db, now }: Tx,
  { accountId, by, id }: { accountId: number; by: number; id: number },
  update: PermanentLinkUpdate,
): Promise<Done | Fault<'path_taken' | 'invalid_password' | 'forbidden'>> {
  const current = await db
    .selectFrom('agent')
    .leftJoin('permanent_path', 'permanent_path.agent_id', 'agent.id')
    .select(['agent.device_id', 'agent.permanent_enabled', 'agent.permanent_password', 'permanent_path.path'])
    .select('agent.group_id')
    .where('agent.account_id', '=', accountId)
    .where('agent.id', '=', id)
    .executeTakeFirstOrThrow();
  const next = updatePermanentLink(
    {
      deviceId: current.device_id,
      enabled: current.permanent_enabled === 1,
      path: current.path,
      hasPassword: current.permanent_password !== null,
    },
    update,
  );
  if (isFault(next)) return next;
  const actor = next.opensAccess ? await loadActor({ db, now }, accountId, by) : undefined;
  if (next.opensAccess && !(actor && mayGrantFullAccess(actor, { id, groupId: current.group_id })))
    return fault('forbidden', beyondOwnRights);
  if (next.path !== null && !(await takePath(db, accountId, id, next.path)))
    return fault('path_taken', { field: 'permanent_url.url' });
  await updateAgent(db, accountId, id, {
    permanent_enabled: flag(next.enabled),
    ...(update.password !== undefined && { permanent_password: update.password }),
  });
  return {};
}

/** Adds a device with the first public identifier that is free. */
export async function addAgent(
  db: Kysely<Tables>,
  now: number,
  agent: NewAgent,
): Promise<{ id: number; deviceId: number }> {
  const overFiles = await isOverFiles(db, agent.accountId);
  for (const deviceId of agent.deviceIds) {
    const row = await db
      .insertInto('agent')
      .values(toColumns(agent, deviceId, now, overFiles))
      .onConflict((conflict) => conflict.column('device_id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!row) continue;
    await noteCause({ db, now }, { accountId: agent.accountId, kind: 'new_device', agentId: row.id });
    return { id: row.id, deviceId };
  }
  throw new Error('every public identifier that was tried is taken');
}

type ChangeNames = 'add' | 'rename' | 'update' | 'move' | 'remove' | 'merge' | 'favor';

export const agentChanges: ChangesOf<`agents/${ChangeNames}`> = {
  'agents/add': ({ db, now }, agent) => addAgent(db, now, agent),

  'agents/rename': async ({ db }, { accountId, id, name }) =>
    (await updateAgent(db, accountId, id, { name, name_folded: fold(name) })) ? {} : fault('not_found'),

  'agents/update': async function ({ db, now }, { accountId, by, id, name, permanent }) {
    const exists = await updateAgent(
      db,
      accountId,
      id,
      name === undefined ? {} : { name, name_folded: fold(name) },
    );
    if (!exists) return fault('not_found');
    return permanent ? changePermanentLink({ db, now }, { accountId, by, id }, permanent) : {};
  },

  'agents/move': async function ({ db, now }, { accountId, by, id, groupId }) {
    await bumpPolicyVersion(db, accountId);
    const [actor, from] = [await loadActor({ db, now }, accountId, by), await agentRefOf(db, accountId, id)];
    if (!actor || !from) return fault('not_found');
    if (groupId !== null && !(await isGroup(db, accountId, groupId))) return fault('not_found');
    if (gainsRightsByMove(actor, from, { id, groupId })) return fault('forbidden', beyondOwnRights);
    await updateAgent(db, accountId, id, { group_id: groupId });
    return {};
  },

  'agents/remove': async function ({ db }, { accountId, id }) {
    const row = await db
      .deleteFrom('agent')
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!row) return fault('not_found');
    await bumpRightsVersion(db, accountId);
    return {};
  },

  'agents/merge': async function ({ db, now }, { accountId, by, sourceId, targetId }) {
    await bumpRightsVersion(db, accountId);
    const before = await loadActor({ db, now }, accountId, by);
    // Locking both devices first keeps sessions from starting on either of them meanwhile.
    const bothExist =
      (await updateAgent(db, accountId, sourceId, {})) && (await updateAgent(db, accountId, targetId, {}));
    if (!before || !bothExist) return fault('not_found');
    await mergeAgents(db, { accountId, sourceId, targetId, leaving: before.owner ? undefined : by });
    const after = (await loadActor({ db, now }, accountId, by))!;
    if (gainsRights(before, after)) return fault('forbidden', beyondOwnRights);
    return {};
  },

  'agents/favor': async function ({ db }, { accountId, memberId, id, favorite }) {
    if (favorite)
      await db
        .insertInto('favorite')
        .values({ account_id: accountId, member_id: memberId, agent_id: id })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    else
      await db
        .deleteFrom('favorite')
        .where('account_id', '=', accountId)
        .where('member_id', '=', memberId)
        .where('agent_id', '=', id)
        .execute();
    return {};
  },
};

/**
 * Gives a device this path instead of its previous one; false when another device has it. Paths are unique on the whole
 * server, so the database decides, and nothing about the other device is revealed.
 */
async function takePath(
  db: Kysely<Tables>,
  accountId: number,
  agentId: number,
  path: string,
): Promise<boolean> {
  const ownPath = db
    .selectFrom('permanent_path')
    .select('path')
    .where('account_id', '=', accountId)
    .where('agent_id', '=', agentId);
  const before = await ownPath.executeTakeFirst();
  if (before?.path === path) return true;
  await db
    .deleteFrom('permanent_path')
    .where('account_id', '=', accountId)
    .where('agent_id', '=', agentId)
    .execute();
  const inserted = await db
    .insertInto('permanent_path')
    .values({ path, account_id: accountId, agent_id: agentId })
    .onConflict((conflict) => conflict.column('path').doNothing())
    .returning('path')
    .executeTakeFirst();
  return inserted !== undefined;
}

function toColumns(agent: NewAgent, deviceId: number, now: number, overFiles: boolean) {
  return {
    account_id: agent.accountId,
    device_id: deviceId,
    group_id: agent.groupId,
    name: agent.name,
    name_folded: fold(agent.name),
    link_time: now,
    added_over_files: flag(overFiles),
    geo_ip: agent.geo?.ip ?? '',
    geo_country: agent.geo?.country ?? '',
    geo_region: agent.geo?.region ?? '',
    geo_city: agent.geo?.city ?? '',
    addresses: [agent.geo?.ip, ...(agent.addresses ?? [])].filter(Boolean).join(' '),
    permanent_enabled: flag(false),
    permanent_password: null,
    secret: agent.secret,
    os: agent.os,
    os_user: agent.osUser ?? '',
    rdp: flag(agent.rdp),
    hibernate: flag(agent.hibernate),
    power_supply: flag(agent.powerSupply),
    version: agent.version ?? '',
    installed: flag(agent.installed),
    hardware: agent.hardware,
    notes: '',
    sessions_total: 0,
    last_session_id: null,
    revision: 1,
    public_key: agent.publicKey ?? null,
    approved: flag(agent.approved ?? true),
    copied_time: null,
    machine_id: agent.fingerprint?.machine_id ?? '',
    serial: agent.fingerprint?.serial ?? '',
    macs: (agent.fingerprint?.macs ?? []).join(' '),
  };
}

const flag = (value: boolean | undefined): 0 | 1 => (value ? 1 : 0);
