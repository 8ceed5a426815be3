/** Very many people, departments, roles and grants. */
import { base, chosen, id, many, manyGroups, padded, text, type Context, type Rows } from './rows.ts';

export const team = ({ accountId, ownerId, now }: Context): Rows[] => {
  const own = { account_id: accountId };
  const named = (word: string) => ({
    id: id,
    ...own,
    name: `'${word} ' || ${padded}`,
    name_folded: `'${word.toLowerCase()} ' || ${padded}`,
  });
  const email = `'person-' || ${padded} || '@example.com'`;
  return [
    {
      table: 'member',
      count: many,
      columns: {
        id: id,
        ...own,
        email,
        email_folded: email,
        owner: 0,
        state: `case i % 4 when 0 then 'invited' else 'active' end`,
        create_time: now - 86_400,
      },
    },
    {
      table: 'department',
      count: many,
      columns: {
        ...named('Department'),
        ldap: 0,
        worker: 0,
        create_time: now - 86_400,
        modify_time: now - 86_400,
      },
    },
    {
      table: 'role',
      count: many,
      columns: {
        ...named('Role'),
        type: `case i % 2 when 1 then 'agent' else 'group' end`,
        description: text('What some people do on some devices.'),
        permissions: text('["agent_connect","agent_control","agent_preview"]'),
        system: 0,
      },
    },
    {
      table: 'api_key',
      count: many,
      columns: {
        id: id,
        ...own,
        member_id: ownerId,
        digest: `'key ' || i`,
        prefix: `'dbk_' || ${padded}`,
        name: `'Key ' || ${padded}`,
        create_time: now - 60,
        networks: text('[]'),
      },
    },
    {
      table: 'department_member',
      count: many,
      columns: { ...own, department_id: chosen, member_id: id },
    },
    {
      table: 'department_member',
      count: 500,
      where: 'i > 1',
      columns: { ...own, department_id: id, member_id: chosen },
    },
  ];
};

/** The chosen person has many on many devices, the chosen device many of many people, the chosen department many. */
export const grants = ({ accountId }: Context): Rows[] => {
  const table = 'access_entry';
  const own = { account_id: accountId };
  return [
    { table, count: 3_000, columns: { ...own, role_id: chosen, member_id: chosen, agent_id: id } },
    {
      table,
      count: 3_001,
      where: 'i > 1',
      columns: { ...own, role_id: chosen, member_id: id, agent_id: chosen },
    },
    {
      table,
      count: 2_000,
      columns: { ...own, role_id: `${base} + 1 + i * 2`, department_id: chosen, agent_id: id },
    },
    {
      table,
      count: 2_000,
      columns: {
        ...own,
        role_id: chosen + 1,
        department_id: id,
        group_id: `${base} + 1 + i % ${manyGroups}`,
      },
    },
  ];
};
