/** Departments in SQL. */
import { fault, type FaultDetails } from '@drawbridge/contract/faults';
import type { Kysely, Selectable } from 'kysely';
import { findUnheldTeamPermission, gainsRights } from '../../domain/people/escalation.ts';
import { fold } from '../../domain/text.ts';
import { loadActor } from './actors.ts';
import { bumpRightsVersion } from './account-versions.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import type { Reader } from '../engine/database.ts';
import { disabledByDirectory } from './disabled-people.ts';
import { findMember } from './members.ts';
import type { Department } from '../records.ts';
import { beyondOwnRights } from './roles.ts';
import { isProvisionedDepartment } from './provisioning/managed.ts';
import { containsText } from './scope.ts';
import type { Tables } from '../engine/schema.ts';
import type { Reads } from '../store.ts';

export async function findDepartment(
  db: Kysely<Tables>,
  accountId: number,
  id: number,
): Promise<Department | undefined> {
  const row = await db
    .selectFrom('department')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toDepartment(row);
}

export const departmentReads = (reader: Reader): Reads['departments'] => ({
  async find(accountId, id) {
    const department = await findDepartment(reader(accountId), accountId, id);
    if (!department) return undefined;
    const members = await reader(accountId)
      .selectFrom('department_member as belongs')
      .innerJoin('member', 'member.id', 'belongs.member_id')
      .select(['member.id', 'member.email'])
      .where('belongs.account_id', '=', accountId)
      .where('belongs.department_id', '=', id)
      .orderBy('member.id')
      .execute();
    return { ...department, members };
  },

  async list(accountId, { search, offset, limit }) {
    let query = reader(accountId)
      .selectFrom('department')
      .selectAll()
      .select((eb) =>
        eb
          .selectFrom('department_member as belongs')
          .select((inner) => inner.fn.countAll<number>().as('size'))
          .whereRef('belongs.department_id', '=', 'department.id')
          .as('size'),
      )
      .where('account_id', '=', accountId);
    if (search) query = query.where(containsText('name_folded', search));
    const rows = await query.orderBy('id').limit(limit).offset(offset).execute();
    return rows.map((row) => ({ ...toDepartment(row), size: Number(row.size) }));
  },
});

async function touch(db: Kysely<Tables>, accountId: number, id: number, now: number): Promise<void> {
  await db
    .updateTable('department')
    .set({ modify_time: now })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** Refuses what only the directory of a department decides. */
export const fromDirectory = {
  field: 'id',
  code: 'from_directory',
  message: 'The name and the members of this department come from a directory. Change them there.',
};

/** Refuses what only the identity provider of a department decides. */
const fromProvider = {
  field: 'id',
  code: 'provisioned',
  message: 'The name and the members of this department come from an identity provider. Change them there.',
};

/** Why name and members of the department are not changed here. */
async function findOrigin(
  db: Kysely<Tables>,
  accountId: number,
  { id, ldap }: Department,
): Promise<FaultDetails | undefined> {
  if (ldap) return fromDirectory;
  return (await isProvisionedDepartment(db, accountId, id)) ? fromProvider : undefined;
}

type ChangeNames = 'create' | 'update' | 'remove' | 'member-add' | 'member-remove';

export const departmentChanges: ChangesOf<`departments/${ChangeNames}`> = {
  'departments/create': ({ db, now }, { accountId, name, worker }) =>
    db
      .insertInto('department')
      .values({
        account_id: accountId,
        name,
        name_folded: fold(name),
        ldap: 0,
        worker: worker ? 1 : 0,
        create_time: now,
        modify_time: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),

  'departments/update': async function ({ db, now }, { accountId, id, name }) {
    const before = await findDepartment(db, accountId, id);
    if (!before) return fault('not_found', { field: 'id' });
    if (name === undefined || name === before.name) return {};
    const origin = await findOrigin(db, accountId, before);
    if (origin) return fault('invalid', origin);
    const row = await db
      .updateTable('department')
      .set({ modify_time: now, name, name_folded: fold(name) })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    return row ? {} : fault('not_found', { field: 'id' });
  },

  'departments/remove': async function ({ db }, { accountId, id }) {
    const row = await db
      .deleteFrom('department')
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!row) return fault('not_found', { field: 'id' });
    await bumpRightsVersion(db, accountId);
    return {};
  },

  'departments/member-add': async function ({ db, now }, { accountId, by, id, email }) {
    await bumpRightsVersion(db, accountId);
    const department = await findDepartment(db, accountId, id);
    const member = await findMember(db, accountId, email);
    const before = await loadActor({ db, now }, accountId, by);
    if (!department || !member || !before) return fault('not_found', { field: department ? 'email' : 'id' });
    const origin = await findOrigin(db, accountId, department);
    if (origin) return fault('invalid', origin);
    if (member.state === 'disabled') return fault('invalid', disabledByDirectory);
    await db
      .insertInto('department_member')
      .values({ account_id: accountId, department_id: id, member_id: member.id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const joined = (await loadActor({ db, now }, accountId, member.id))!;
    const isBeyond = joined.grants
      .filter((grant) => grant.departmentId === id)
      .some((grant) => findUnheldTeamPermission(before, grant.permissions, grant.until) !== undefined);
    const after = (await loadActor({ db, now }, accountId, by))!;
    if (isBeyond || gainsRights(before, after)) return fault('forbidden', beyondOwnRights);
    await touch(db, accountId, id, now);
    return {};
  },

  'departments/member-remove': async function ({ db, now }, { accountId, id, email }) {
    const department = await findDepartment(db, accountId, id);
    if (!department) return fault('not_found', { field: 'id' });
    const origin = await findOrigin(db, accountId, department);
    if (origin) return fault('invalid', origin);
    const member = await findMember(db, accountId, email);
    if (!member) return fault('not_found', { field: 'email' });
    const row = await db
      .deleteFrom('department_member')
      .where('account_id', '=', accountId)
      .where('department_id', '=', id)
      .where('member_id', '=', member.id)
      .returning('member_id')
      .executeTakeFirst();
    if (!row) return fault('not_found', { field: 'email' });
    await touch(db, accountId, id, now);
    await bumpRightsVersion(db, accountId);
    return {};
  },
};

const toDepartment = (row: Selectable<Tables['department']>): Department => ({
  id: row.id,
  name: row.name,
  ldap: row.ldap === 1,
  worker: row.worker === 1,
  createTime: row.create_time,
  modifyTime: row.modify_time,
});
