/** Reads everything that a member of the model may do. */
import type { Database } from 'better-sqlite3';
import type { RoleType } from '@drawbridge/contract/permissions';

/**
 * Everything a member may do, each permission as one text: in the team, in quick support, on each group and
 * on each device.
 */
export function createRightsReader(database: Database): (accountId: number, email: string) => Set<string> {
  const granted = database.prepare<unknown[], Granted>(`
    select role.type, role.permissions, entry.agent_id, entry.group_id, entry.until_time
    from member
    join access_entry entry on entry.member_id = member.id or entry.department_id in
      (select department_id from department_member where department_member.member_id = member.id)
    join role on role.id = entry.role_id
    where member.account_id = ? and member.email = ?`);
  const places = database.prepare<unknown[], { id: number; group_id: number | null }>(
    'select id, group_id from agent where account_id = ?',
  );
  return (accountId, email) => {
    const devices = places.all(accountId);
    return new Set(granted.all(accountId, email).flatMap((grant) => rightsOfGrant(grant, devices)));
  };
}

interface Granted {
  type: RoleType;
  permissions: string;
  agent_id: number | null;
  group_id: number | null;
  until_time: number | null;
}

function rightsOfGrant(
  grant: Granted,
  devices: readonly { id: number; group_id: number | null }[],
): string[] {
  const on = (where: string): string[] =>
    (JSON.parse(grant.permissions) as string[])
      .map((permission) => `${permission} ${where}`)
      // A right without an end is more than the same one with an end.
      .flatMap((right) => (grant.until_time === null ? [right, `lasting ${right}`] : [right]));
  // What is held on a device itself stays when the device leaves its group, and so is more than what the
  // group gives.
  if (grant.type === 'agent')
    return [...on(`on device ${grant.agent_id}`), ...on(`on ${grant.agent_id} itself`)];
  if (grant.type !== 'group') return on(`in ${grant.type}`);
  const inGroup = devices.filter(({ group_id }) => group_id === grant.group_id);
  return [...on(`on group ${grant.group_id}`), ...inGroup.flatMap(({ id }) => on(`on device ${id}`))];
}
