/** Departments as identity providers see them, in SQL: only those that they created. */
import type { Kysely } from 'kysely';
import type { ScimGroup } from '../../../domain/scim/group.ts';
import { fold } from '../../../domain/text.ts';
import type { Reader } from '../../engine/database.ts';
import type { Tables } from '../../engine/schema.ts';
import { hasIdIn } from '../scope.ts';
import { toBoundedLists } from './bounded-lists.ts';
import type { GroupLookup, ProvisioningReads, ScimSlice } from './provisioning-records.ts';

export async function findGroups(
  db: Kysely<Tables>,
  accountId: number,
  { after, offset, limit }: ScimSlice,
  { ids, name, externalId, memberId }: GroupLookup = {},
): Promise<ScimGroup[]> {
  let query = db
    .selectFrom('scim_group as scim')
    .innerJoin('department', 'department.id', 'scim.department_id')
    .select(['department.id', 'department.name', 'scim.external_id'])
    .select(['department.create_time', 'department.modify_time'])
    .where('scim.account_id', '=', accountId);
  if (ids) query = query.where(hasIdIn('department.id', ids));
  if (name !== undefined) query = query.where('department.name_folded', '=', fold(name));
  if (externalId !== undefined) query = query.where('scim.external_id', '=', externalId);
  if (memberId !== undefined)
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('department_member as belongs')
          .select('belongs.member_id')
          .where('belongs.account_id', '=', accountId)
          .whereRef('belongs.department_id', '=', 'department.id')
          .where('belongs.member_id', '=', memberId),
      ),
    );
  if (after !== undefined) query = query.where('department.id', '>', after);
  if (offset !== undefined) query = query.offset(offset);
  const rows = await query.orderBy('department.id').limit(limit).execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    externalId: row.external_id,
    createTime: row.create_time,
    modifyTime: row.modify_time,
  }));
}

export const scimGroupReads = (
  reader: Reader,
): Pick<ProvisioningReads, 'groups' | 'countGroups' | 'membersOf'> => ({
  groups: (accountId, slice, lookup) => findGroups(reader(accountId), accountId, slice, lookup),

  async countGroups(accountId) {
    const { total } = await reader(accountId)
      .selectFrom('scim_group')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    return Number(total);
  },

  // People who were deleted by the identity provider keep their departments, but it no longer sees them.
  async membersOf(accountId, groupIds, limit) {
    const rows = await reader(accountId)
      .selectFrom('department_member as belongs')
      .innerJoin('member', 'member.id', 'belongs.member_id')
      .leftJoin('scim_user as scim', 'scim.member_id', 'member.id')
      .select(['belongs.department_id', 'member.id', 'member.email', 'member.name'])
      .where('belongs.account_id', '=', accountId)
      .where(hasIdIn('belongs.department_id', groupIds))
      .where((eb) => eb.or([eb('scim.removed', 'is', null), eb('scim.removed', '=', 0)]))
      .orderBy('belongs.department_id')
      .orderBy('member.id')
      .limit(limit + 1)
      .execute();
    return toBoundedLists(rows, limit, {
      itemOf: (row) => row.department_id,
      toEntry: ({ id, email, name }) => ({ id, name: name === '' ? email : name }),
    });
  },
});
