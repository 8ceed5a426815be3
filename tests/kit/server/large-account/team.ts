/** Very many members, departments, roles and grants. */
import {
  firstRowId,
  busiestRowId,
  rowId,
  manyRows,
  manyGroups,
  paddedNumber,
  sqlText,
  type LargeAccount,
  type Rows,
} from './rows.ts';

export const teamRows = ({ accountId, ownerId, now }: LargeAccount): Rows[] => {
  const own = { account_id: accountId };
  const named = (word: string) => ({
    id: rowId,
    ...own,
    name: `'${word} ' || ${paddedNumber}`,
    name_folded: `'${word.toLowerCase()} ' || ${paddedNumber}`,
  });
  const email = `'person-' || ${paddedNumber} || '@example.com'`;
  return [
    {
      table: 'member',
      count: manyRows,
      columns: {
        id: rowId,
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
      count: manyRows,
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
      count: manyRows,
      columns: {
        ...named('Role'),
        type: `case i % 2 when 1 then 'agent' else 'group' end`,
        description: sqlText('What some people do on some devices.'),
        permissions: sqlText('["agent_connect","agent_control","agent_preview"]'),
        system: 0,
      },
    },
    {
      table: 'api_key',
      count: manyRows,
      columns: {
        id: rowId,
        ...own,
        member_id: ownerId,
        digest: `'key ' || i`,
        prefix: `'dbk_' || ${paddedNumber}`,
        name: `'Key ' || ${paddedNumber}`,
        create_time: now - 60,
        networks: sqlText('[]'),
      },
    },
    {
      table: 'department_member',
      count: manyRows,
      columns: { ...own, department_id: busiestRowId, member_id: rowId },
    },
    {
      table: 'department_member',
      count: 500,
      where: 'i > 1',
      columns: { ...own, department_id: rowId, member_id: busiestRowId },
    },
  ];
};

/**
 * The chosen member has many on many devices, the chosen device many of many members, the chosen department
 * many.
 */
export const grantRows = ({ accountId }: LargeAccount): Rows[] => {
  const table = 'access_entry';
  const own = { account_id: accountId };
  return [
    {
      table,
      count: 3_000,
      columns: { ...own, role_id: busiestRowId, member_id: busiestRowId, agent_id: rowId },
    },
    {
      table,
      count: 3_001,
      where: 'i > 1',
      columns: { ...own, role_id: busiestRowId, member_id: rowId, agent_id: busiestRowId },
    },
    {
      table,
      count: 2_000,
      columns: { ...own, role_id: `${firstRowId} + 1 + i * 2`, department_id: busiestRowId, agent_id: rowId },
    },
    {
      table,
      count: 2_000,
      columns: {
        ...own,
        role_id: busiestRowId + 1,
        department_id: rowId,
        group_id: `${firstRowId} + 1 + i % ${manyGroups}`,
      },
    },
  ];
};
