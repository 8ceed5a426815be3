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

export const teamRows = (account: LargeAccount): Rows[] => [
  memberRows(account),
  departmentRows(account),
  roleRows(account),
  keyRows(account),
  ...membershipRows(account),
];

const namedColumns = ({ accountId }: LargeAccount, word: string) => ({
  id: rowId,
  account_id: accountId,
  name: `'${word} ' || ${paddedNumber}`,
  name_folded: `'${word.toLowerCase()} ' || ${paddedNumber}`,
});

const email = `'person-' || ${paddedNumber} || '@example.com'`;

const memberRows = (account: LargeAccount): Rows => ({
  table: 'member',
  count: manyRows,
  columns: {
    id: rowId,
    account_id: account.accountId,
    email,
    email_folded: email,
    owner: 0,
    state: `case i % 4 when 0 then 'invited' else 'active' end`,
    create_time: account.now - 86_400,
  },
});

const departmentRows = (account: LargeAccount): Rows => ({
  table: 'department',
  count: manyRows,
  columns: {
    ...namedColumns(account, 'Department'),
    ldap: 0,
    worker: 0,
    create_time: account.now - 86_400,
    modify_time: account.now - 86_400,
  },
});

const roleRows = (account: LargeAccount): Rows => ({
  table: 'role',
  count: manyRows,
  columns: {
    ...namedColumns(account, 'Role'),
    type: `case i % 2 when 1 then 'agent' else 'group' end`,
    description: sqlText('What some people do on some devices.'),
    permissions: sqlText('["agent_connect","agent_control","agent_preview"]'),
    system: 0,
  },
});

const keyRows = (account: LargeAccount): Rows => ({
  table: 'api_key',
  count: manyRows,
  columns: {
    id: rowId,
    account_id: account.accountId,
    member_id: account.ownerId,
    digest: `'key ' || i`,
    prefix: `'dbk_' || ${paddedNumber}`,
    name: `'Key ' || ${paddedNumber}`,
    create_time: account.now - 60,
    networks: sqlText('[]'),
  },
});

const membershipRows = (account: LargeAccount): Rows[] => [
  {
    table: 'department_member',
    count: manyRows,
    columns: { account_id: account.accountId, department_id: busiestRowId, member_id: rowId },
  },
  {
    table: 'department_member',
    count: 500,
    where: 'i > 1',
    columns: { account_id: account.accountId, department_id: rowId, member_id: busiestRowId },
  },
];

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
