/** Very many invitations, connections, keys and files; and very many other accounts. */
import {
  base,
  chosen,
  id,
  many,
  manyAccounts,
  manyGroups,
  padded,
  text,
  type Context,
  type Rows,
} from './rows.ts';

export const support = ({ accountId, ownerId, ownerEmail, now }: Context): Rows[] => {
  const own = { id: id, account_id: accountId };
  const from = { client_ip: text('198.51.100.7'), client_country: text('Germany') };
  return [
    {
      table: 'invitation',
      count: many,
      columns: {
        ...own,
        member_id: ownerId,
        status: 0,
        create_time: `${now} - i % 3000`,
        code: '500000000 + i',
        connect_token: `'connect ' || i`,
        client_name: `'Client ' || ${padded}`,
        client_os: text(''),
        client_preview: text(''),
        operator_present: 0,
        ever_joined: 0,
      },
    },
    {
      table: 'session',
      count: many,
      columns: {
        ...own,
        agent_id: `case when i <= 5000 then ${chosen} else ${id} end`,
        member_id: ownerId,
        login: text(ownerEmail),
        start_time: `${now} - 3600 - i * 60`,
        alive_time: `${now} - 3000 - i * 60`,
        stop_time: `${now} - 3000 - i * 60`,
        ...from,
        client_region: text('Berlin'),
        client_city: text('Berlin'),
        user_agent: text('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'),
        bytes: 48_000_000,
        video_size: 0,
      },
    },
    {
      table: 'enrolment',
      count: many,
      columns: {
        ...own,
        member_id: ownerId,
        digest: `'enrolment ' || i`,
        group_id: `${base} + 1 + i % ${manyGroups}`,
        uses: 5,
        uses_left: 5,
        create_time: now,
        expire_time: now + 86_400,
      },
    },
    {
      table: 'attached_file',
      count: many,
      columns: {
        ...own,
        agent_id: chosen,
        name: `'handbook ' || i || '.pdf'`,
        size: 'i * 1000',
        digest: `'file ' || i`,
        create_time: now,
        author: text(ownerEmail),
        note: text('How it is set up'),
        place: `'place ' || i`,
      },
    },
    {
      table: 'panel_session',
      count: many,
      columns: {
        ...own,
        member_id: ownerId,
        digest: `'panel ' || i`,
        create_time: now - 60,
        seen_time: now - 60,
        fresh_time: now - 60,
        address: `'203.0.113.' || (i % 256)`,
        user_agent: text('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'),
      },
    },
  ];
};

export const others = ({ now }: Context): Rows[] => {
  const email = `'owner-' || ${padded} || '@example.com'`;
  return [
    { table: 'account', count: manyAccounts, columns: { account_id: id, create_time: now } },
    {
      table: 'member',
      count: manyAccounts,
      columns: {
        id: `${base} + ${many} + i`,
        account_id: id,
        email,
        email_folded: email,
        owner: 1,
        state: text('active'),
        create_time: now,
      },
    },
  ];
};
