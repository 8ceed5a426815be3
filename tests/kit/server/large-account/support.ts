/** Very many invitations, connections, keys and files; and very many other accounts. */
import {
  firstRowId,
  busiestRowId,
  rowId,
  manyRows,
  manyAccounts,
  manyGroups,
  paddedNumber,
  sqlText,
  type LargeAccount,
  type Rows,
} from './rows.ts';

export const supportRows = (account: LargeAccount): Rows[] => [
  invitationRows(account),
  sessionRows(account),
  enrolmentRows(account),
  fileRows(account),
  panelSessionRows(account),
];

const ownColumns = ({ accountId }: LargeAccount) => ({ id: rowId, account_id: accountId });

const invitationRows = (account: LargeAccount): Rows => ({
  table: 'invitation',
  count: manyRows,
  columns: {
    ...ownColumns(account),
    member_id: account.ownerId,
    status: 0,
    create_time: `${account.now} - i % 3000`,
    code: '500000000 + i',
    connect_token: `'connect ' || i`,
    client_name: `'Client ' || ${paddedNumber}`,
    client_os: sqlText(''),
    client_preview: sqlText(''),
    operator_present: 0,
    ever_joined: 0,
  },
});

const sessionRows = (account: LargeAccount): Rows => ({
  table: 'session',
  count: manyRows,
  columns: {
    ...ownColumns(account),
    agent_id: `case when i <= 5000 then ${busiestRowId} else ${rowId} end`,
    member_id: account.ownerId,
    login: sqlText(account.ownerEmail),
    start_time: `${account.now} - 3600 - i * 60`,
    alive_time: `${account.now} - 3000 - i * 60`,
    stop_time: `${account.now} - 3000 - i * 60`,
    client_ip: sqlText('198.51.100.7'),
    client_country: sqlText('Germany'),
    client_region: sqlText('Berlin'),
    client_city: sqlText('Berlin'),
    user_agent: sqlText('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'),
    bytes: 48_000_000,
    video_size: 0,
  },
});

const enrolmentRows = (account: LargeAccount): Rows => ({
  table: 'enrolment',
  count: manyRows,
  columns: {
    ...ownColumns(account),
    member_id: account.ownerId,
    digest: `'enrolment ' || i`,
    group_id: `${firstRowId} + 1 + i % ${manyGroups}`,
    uses: 5,
    uses_left: 5,
    create_time: account.now,
    expire_time: account.now + 86_400,
  },
});

const fileRows = (account: LargeAccount): Rows => ({
  table: 'attached_file',
  count: manyRows,
  columns: {
    ...ownColumns(account),
    agent_id: busiestRowId,
    name: `'handbook ' || i || '.pdf'`,
    size: 'i * 1000',
    digest: `'file ' || i`,
    create_time: account.now,
    author: sqlText(account.ownerEmail),
    note: sqlText('How it is set up'),
    place: `'place ' || i`,
  },
});

const panelSessionRows = (account: LargeAccount): Rows => ({
  table: 'panel_session',
  count: manyRows,
  columns: {
    ...ownColumns(account),
    member_id: account.ownerId,
    digest: `'panel ' || i`,
    create_time: account.now - 60,
    seen_time: account.now - 60,
    fresh_time: account.now - 60,
    address: `'203.0.113.' || (i % 256)`,
    user_agent: sqlText('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'),
  },
});

export const otherAccountRows = ({ now }: LargeAccount): Rows[] => {
  const email = `'owner-' || ${paddedNumber} || '@example.com'`;
  return [
    { table: 'account', count: manyAccounts, columns: { account_id: rowId, create_time: now } },
    {
      table: 'member',
      count: manyAccounts,
      columns: {
        id: `${firstRowId} + ${manyRows} + i`,
        account_id: rowId,
        email,
        email_folded: email,
        owner: 1,
        state: sqlText('active'),
        create_time: now,
      },
    },
  ];
};
