/** The roles granted to a person, in SQL. */
import type { Permission, RoleType } from '@drawbridge/contract/permissions';
import type { RoleGrant } from '../../domain/people/access.ts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { prepared } from '../engine/prepared.ts';
import type { Flag } from '../engine/schema.ts';

export interface GrantRow {
  role_id: number;
  name: string;
  type: string;
  permissions: string;
  agent_id: number | null;
  group_id: number | null;
  department_id: number | null;
  until_time: number | null;
}

/** True for grants that have not ended. */
export const isGrantedAt = (now: number): RawBuilder<SqlBool> =>
  sql`(entry.until_time is null or entry.until_time > ${now})`;

export const grantsOf = prepared<{ accountId: number; memberId: number; now: number }, GrantRow>(
  (db, parameter) =>
    db
      .selectFrom('access_entry as entry')
      .innerJoin('role', 'role.id', 'entry.role_id')
      .select(['entry.role_id', 'role.name', 'role.type', 'role.permissions'])
      .select(['entry.agent_id', 'entry.group_id', 'entry.department_id', 'entry.until_time'])
      .where('entry.account_id', '=', parameter('accountId'))
      .where(isGrantedAt(parameter('now')))
      .where((eb) =>
        eb.or([
          eb('entry.member_id', '=', parameter('memberId')),
          eb(
            'entry.department_id',
            'in',
            eb
              .selectFrom('department_member')
              .select('department_member.department_id')
              .where('department_member.account_id', '=', parameter('accountId'))
              .where('department_member.member_id', '=', parameter('memberId')),
          ),
        ]),
      )
      .orderBy('entry.id'),
);

export const toGrant = (row: GrantRow): RoleGrant => ({
  roleId: row.role_id,
  roleName: row.name,
  type: row.type as RoleType,
  permissions: JSON.parse(row.permissions) as Permission[],
  agentId: row.agent_id,
  groupId: row.group_id,
  departmentId: row.department_id,
  until: row.until_time,
});

/** The holder of a key with the plan of the account. */
export interface KeyHolderRow {
  key_id: number;
  account_id: number;
  member_id: number;
  expire_time: number | null;
  revoke_time: number | null;
  networks: string;
  last_used_time: number | null;
  email: string;
  owner: Flag;
  owner_email: string;
  plan_computers: number | null;
  plan_invitations: number | null;
  plan_files: number | null;
  plan_requests: number | null;
  plan_recording_mb: number | null;
  rights_version: number;
}
