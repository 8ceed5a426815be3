/** Reads everything that members and departments of the model may do, and who is in which department. */
import type { Database } from 'better-sqlite3';
import type { RoleType } from '@drawbridge/contract/permissions';

/**
 * Everything a member may do, each permission as one text: in the team, in quick support, on each group and
 * on each device.
 */
export function createRightsReader(database: Database): RightsReader {
  const columns = 'role.type, role.permissions, entry.agent_id, entry.group_id, entry.until_time';
  const toPerson = database.prepare<unknown[], Granted>(`
    select ${columns}
    from member
    join access_entry entry on entry.member_id = member.id or entry.department_id in
      (select department_id from department_member where department_member.member_id = member.id)
    join role on role.id = entry.role_id
    where member.account_id = ? and member.email = ?`);
  const toDepartment = database.prepare<unknown[], Granted>(`
    select ${columns} from access_entry entry join role on role.id = entry.role_id where entry.department_id = ?`);
  const owners = database.prepare('select id from member where account_id = ? and email = ? and owner = 1');
  const joined = database.prepare<unknown[], { email: string; department_id: number }>(`
    select member.email, belongs.department_id
    from department_member belongs join member on member.id = belongs.member_id
    where member.account_id = ?`);
  const places = database.prepare<unknown[], { id: number; group_id: number | null }>(
    'select id, group_id from agent where account_id = ?',
  );
  const rightsOf = (accountId: number, grants: readonly Granted[]): Set<string> => {
    const devices = places.all(accountId);
    return new Set(grants.flatMap((grant) => rightsOfGrant(grant, devices)));
  };
  return {
    ofPerson(accountId, email) {
      const rights = rightsOf(accountId, toPerson.all(accountId, email));
      return owners.get(accountId, email) === undefined ? rights : rights.add('everything in team');
    },
    ofDepartment: (accountId, id) => rightsOf(accountId, toDepartment.all(id)),
    memberships: (accountId) =>
      new Map(
        [...Map.groupBy(joined.all(accountId), ({ email }) => email)].map(([email, rows]) => [
          email,
          new Set(rows.map((row) => row.department_id)),
        ]),
      ),
  };
}

interface RightsReader {
  ofPerson(accountId: number, email: string): Set<string>;
  /** What a department gives to its members. */
  ofDepartment(accountId: number, id: number): Set<string>;
  /** The departments of everybody who is in one. */
  memberships(accountId: number): Map<string, Set<number>>;
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
