/** People as identity providers see them, in SQL. */
import type { Kysely } from 'kysely';
import type { ScimValues } from '../../../domain/scim/attributes.ts';
import type { ScimUser } from '../../../domain/scim/user.ts';
import { fold } from '../../../domain/text.ts';
import type { Reader } from '../../engine/database.ts';
import type { Flag, Tables } from '../../engine/schema.ts';
import { hasIdIn } from '../scope.ts';
import { toBoundedLists } from './bounded-lists.ts';
import type { ProvisioningReads, ScimSlice, UserLookup } from './provisioning-records.ts';

interface UserRow {
  id: number;
  email: string;
  name: string;
  disabled: Flag;
  create_time: number;
  user_name: string | null;
  external_id: string | null;
  profile: string | null;
  modify_time: number | null;
}

const toUser = (row: UserRow): ScimUser => ({
  id: row.id,
  userName: row.user_name ?? row.email,
  externalId: row.external_id,
  email: row.email,
  name: row.name,
  active: row.disabled === 0,
  createTime: row.create_time,
  modifyTime: row.modify_time ?? row.create_time,
  profile: row.profile === null ? undefined : (JSON.parse(row.profile) as ScimValues),
});

/** Everybody of the account except those who were deleted by the identity provider. */
const visible = (db: Kysely<Tables>, accountId: number) =>
  db
    .selectFrom('member')
    .leftJoin('scim_user as scim', 'scim.member_id', 'member.id')
    .where('member.account_id', '=', accountId)
    .where((eb) => eb.or([eb('scim.removed', 'is', null), eb('scim.removed', '=', 0)]));

export async function findUsers(
  db: Kysely<Tables>,
  accountId: number,
  { after, offset, limit }: ScimSlice,
  { ids, userName, externalId }: UserLookup = {},
): Promise<ScimUser[]> {
  let query = visible(db, accountId)
    .select(['member.id', 'member.email', 'member.name', 'member.disabled', 'member.create_time'])
    .select(['scim.user_name', 'scim.external_id', 'scim.profile', 'scim.modify_time']);
  if (ids) query = query.where(hasIdIn('member.id', ids));
  if (externalId !== undefined) query = query.where('scim.external_id', '=', externalId);
  if (userName !== undefined)
    query = query.where((eb) =>
      eb.or([
        eb('scim.user_name_folded', '=', fold(userName)),
        eb.and([eb('scim.member_id', 'is', null), eb('member.email_folded', '=', fold(userName))]),
      ]),
    );
  if (after !== undefined) query = query.where('member.id', '>', after);
  if (offset !== undefined) query = query.offset(offset);
  const rows = await query.orderBy('member.id').limit(limit).execute();
  return rows.map(toUser);
}

export const scimUserReads = (
  reader: Reader,
): Pick<ProvisioningReads, 'users' | 'countUsers' | 'groupsOf'> => ({
  users: (accountId, slice, lookup) => findUsers(reader(accountId), accountId, slice, lookup),

  async countUsers(accountId) {
    const { total } = await visible(reader(accountId), accountId)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return Number(total);
  },

  async groupsOf(accountId, memberIds, limit) {
    const rows = await reader(accountId)
      .selectFrom('department_member as belongs')
      .innerJoin('scim_group as scim', 'scim.department_id', 'belongs.department_id')
      .innerJoin('department', 'department.id', 'belongs.department_id')
      .select(['belongs.member_id', 'department.id', 'department.name'])
      .where('belongs.account_id', '=', accountId)
      .where(hasIdIn('belongs.member_id', memberIds))
      .orderBy('belongs.member_id')
      .orderBy('department.id')
      .limit(limit + 1)
      .execute();
    return toBoundedLists(rows, limit, {
      itemOf: (row) => row.member_id,
      toEntry: ({ id, name }) => ({ id, name }),
    });
  },
});
