/** Enrolment tokens in SQL, and devices that join with them. */
import { emptyHardware } from '@drawbridge/contract/empty-hardware';
import { fault } from '@drawbridge/contract/faults';
import type { Kysely } from 'kysely';
import { mayTeam } from '../../domain/people/access.ts';
import { bumpListVersion } from '../people/account-versions.ts';
import { loadActor } from '../people/actors.ts';
import { addAgent } from './agent-changes.ts';
import type { ChangesOf, Tx } from '../engine/transaction.ts';
import { settingsOf } from '../people/accounts.ts';
import type { Enrolment } from '../records.ts';
import type { Tables } from '../engine/schema.ts';

/** Those who may create tokens now. Tokens of people who lost the right do not work. */
async function creatorsWithRight(
  tx: Tx,
  accountId: number,
  memberIds: ReadonlySet<number>,
): Promise<Set<number>> {
  const creators = new Set<number>();
  for (const memberId of memberIds) {
    const creator = await loadActor(tx, accountId, memberId);
    if (creator && mayTeam(creator, 'team_permanent_access')) creators.add(memberId);
  }
  return creators;
}

/**
 * The tokens that have not expired. Those of people who lost the right are included: they work again if the right
 * returns.
 */
export async function enrolmentsOf(db: Kysely<Tables>, accountId: number, now: number): Promise<Enrolment[]> {
  const rows = await db
    .selectFrom('enrolment')
    .innerJoin('member', 'member.id', 'enrolment.member_id')
    .selectAll('enrolment')
    .select('member.email')
    .where('enrolment.account_id', '=', accountId)
    .where('revoke_time', 'is', null)
    .where('uses_left', '>', 0)
    .where('expire_time', '>', now)
    .orderBy('enrolment.id')
    .execute();
  const creators = await creatorsWithRight({ db, now }, accountId, new Set(rows.map((row) => row.member_id)));
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    groupId: row.group_id,
    uses: row.uses,
    usesLeft: row.uses_left,
    createTime: row.create_time,
    expireTime: row.expire_time,
    active: creators.has(row.member_id),
  }));
}

export const enrolmentChanges: ChangesOf<'enroll/create' | 'enroll/revoke' | 'enroll/join'> = {
  'enroll/create': async function ({ db, now }, { accountId, memberId, digest, groupId, uses, expireTime }) {
    if (groupId !== null && !(await groupExists(db, accountId, groupId)))
      return fault('not_found', { field: 'group_id' });
    return db
      .insertInto('enrolment')
      .values({
        account_id: accountId,
        member_id: memberId,
        digest,
        group_id: groupId,
        uses,
        uses_left: uses,
        create_time: now,
        expire_time: expireTime,
        revoke_time: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
  },

  'enroll/revoke': async function ({ db, now }, { accountId, id }) {
    const row = await db
      .updateTable('enrolment')
      .set({ revoke_time: now })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('revoke_time', 'is', null)
      .returning('id')
      .executeTakeFirst();
    return row ? {} : fault('not_found', { field: 'id' });
  },

  // One statement decides who gets the last use of a token.
  'enroll/join': async function (
    { db, now },
    { token, publicKey, deviceIds, secret, facts, fingerprint, geo },
  ) {
    await lockRights(db, token);
    const used = await db
      .updateTable('enrolment')
      .set((eb) => ({ uses_left: eb('uses_left', '-', 1) }))
      .where('digest', '=', token)
      .where('uses_left', '>', 0)
      .where('expire_time', '>', now)
      .where('revoke_time', 'is', null)
      .returning(['account_id', 'group_id', 'member_id'])
      .executeTakeFirst();
    if (!used) return fault('not_found');
    const accountId = used.account_id;
    const creators = await creatorsWithRight({ db, now }, accountId, new Set([used.member_id]));
    if (creators.size === 0) return fault('not_found');
    const { approveDevices } = await settingsOf(db, accountId);
    const joined = await addAgent(db, now, {
      accountId,
      deviceIds,
      name: facts.name || 'device',
      groupId: used.group_id,
      secret,
      os: facts.os,
      geo,
      addresses: facts.addresses,
      hardware: JSON.stringify(emptyHardware),
      publicKey,
      approved: !approveDevices,
      ...(fingerprint && { fingerprint }),
    });
    await bumpListVersion(db, accountId);
    return { ...joined, accountId };
  },
};

/**
 * Locks the row of the token's account, as every change of rights does: rights cannot change until the device has
 * joined.
 */
async function lockRights(db: Kysely<Tables>, token: string): Promise<void> {
  await db
    .updateTable('account')
    .set((eb) => ({ rights_version: eb.ref('rights_version') }))
    .where('account_id', 'in', (eb) =>
      eb.selectFrom('enrolment').select('enrolment.account_id').where('digest', '=', token),
    )
    .execute();
}

const groupExists = async (db: Kysely<Tables>, accountId: number, id: number): Promise<boolean> =>
  (await db
    .selectFrom('agent_group')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()) !== undefined;
