/** Roles in SQL. */
import { fault } from '@drawbridge/contract/faults';
import type { Permission, RoleType } from '@drawbridge/contract/permissions';
import type { Kysely, Selectable } from 'kysely';
import { findUnheldTeamPermission, gainsRights } from '../../domain/people/escalation.ts';
import {
  invalidPermissionFault,
  findInvalidPermission,
  normalizePermissions,
  type Role,
} from '../../domain/people/roles.ts';
import { fold } from '../../domain/text.ts';
import { loadActor } from './actors.ts';
import { bumpRightsVersion } from './account-versions.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import type { Reader } from '../engine/database.ts';
import { containsText } from './scope.ts';
import type { Tables } from '../engine/schema.ts';
import type { ChangeInput } from '../changes.ts';
import type { Reads } from '../store.ts';

export async function findRole(db: Kysely<Tables>, accountId: number, id: number): Promise<Role | undefined> {
  const row = await db
    .selectFrom('role')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toRole(row);
}

export const roleReads = (reader: Reader): Reads['roles'] => ({
  find: (accountId, id) => findRole(reader(accountId), accountId, id),

  async list(accountId, { search, type, offset, limit }) {
    let query = reader(accountId).selectFrom('role').selectAll().where('account_id', '=', accountId);
    if (search) query = query.where(containsText('name_folded', search));
    if (type) query = query.where('type', '=', type);
    return (await query.orderBy('id').limit(limit).offset(offset).execute()).map(toRole);
  },
});

export const addRole = (
  db: Kysely<Tables>,
  role: ChangeInput<'roles/create'> & { system: boolean },
): Promise<{ id: number }> =>
  db
    .insertInto('role')
    .values({
      account_id: role.accountId,
      name: role.name,
      name_folded: fold(role.name),
      type: role.type,
      description: role.description,
      permissions: JSON.stringify(role.permissions),
      system: role.system ? 1 : 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();

const systemRole = fault('invalid', {
  code: 'system_role',
  field: 'id',
  message: 'A system role cannot be changed or removed.',
});

export const roleChanges: ChangesOf<'roles/create' | 'roles/edit' | 'roles/remove'> = {
  'roles/create': ({ db }, input) => addRole(db, { ...input, system: false }),

  'roles/edit': async function ({ db, now }, { accountId, by, id, name, description, permissions }) {
    await bumpRightsVersion(db, accountId);
    const [role, before] = [await findRole(db, accountId, id), await loadActor({ db, now }, accountId, by)];
    if (!role || !before) return fault('not_found', { field: 'id' });
    if (role.system) return systemRole;
    const invalid = permissions && findInvalidPermission(role.type, permissions);
    if (invalid !== undefined) return invalidPermissionFault(invalid, role.type);
    const next = permissions ? normalizePermissions(role.type, permissions) : role.permissions;
    const added = next.filter((each) => !role.permissions.includes(each));
    await db
      .updateTable('role')
      .set({
        ...(name !== undefined && { name, name_folded: fold(name) }),
        ...(description !== undefined && { description }),
        permissions: JSON.stringify(next),
      })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
    const handsOut =
      findUnheldTeamPermission(before, added, null) !== undefined && (await isGranted(db, accountId, id));
    const after = (await loadActor({ db, now }, accountId, by))!;
    if (handsOut || gainsRights(before, after)) return fault('forbidden', beyondOwnRights);
    return {};
  },

  'roles/remove': async function ({ db }, { accountId, id }) {
    const role = await findRole(db, accountId, id);
    if (!role) return fault('not_found', { field: 'id' });
    if (role.system) return systemRole;
    await db.deleteFrom('role').where('account_id', '=', accountId).where('id', '=', id).execute();
    await bumpRightsVersion(db, accountId);
    return {};
  },
};

export const beyondOwnRights = {
  code: 'beyond_own_rights',
  message: 'You cannot give permissions that you do not have yourself.',
};

const isGranted = async (db: Kysely<Tables>, accountId: number, roleId: number): Promise<boolean> =>
  (await db
    .selectFrom('access_entry')
    .select('id')
    .where('account_id', '=', accountId)
    .where('role_id', '=', roleId)
    .limit(1)
    .executeTakeFirst()) !== undefined;

const toRole = (row: Selectable<Tables['role']>): Role => ({
  id: row.id,
  name: row.name,
  type: row.type as RoleType,
  description: row.description,
  permissions: JSON.parse(row.permissions) as Permission[],
  system: row.system === 1,
});
