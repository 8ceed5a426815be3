/** An account with very many of everything, written straight into a house's SQLite database: a few seconds for all of it. */
import { emptyHardware } from '@drawbridge/contract/hardware';
import { canonical } from '@drawbridge/server/domain/audit';
import { hashOf } from '@drawbridge/server/store/audit';
import type { TestAccount } from './account.ts';
import type { TestHouse } from './house.ts';
import type { Furnished } from './panel-scene.ts';
import { runSql } from './raw-sql.ts';

export const many = 10_000;
/** What there are fewer of: groups of devices, and accounts of the server. */
export const manyGroups = 200;
export const manyAccounts = 2_000;
/** Ids begin here, so that rows can name each other. */
const base = 1_000_000;
/** The one of each kind that has very many of the others. */
const chosen = base + 1;

interface Context {
  accountId: number;
  ownerId: number;
  ownerEmail: string;
  now: number;
}

interface Rows {
  table: string;
  count: number;
  /** Columns, each with an expression in which `i` counts from 1. */
  columns: Record<string, string | number>;
  /** Which of the numbers. */
  where?: string;
}

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

const insert = ({ table, count, columns, where = 'true' }: Rows): string =>
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
   insert into ${table} (${Object.keys(columns).join()}) select ${Object.values(columns).join()} from n where ${where}`;

const id = `${base} + i`;
const padded = `substr('0000' || i, -5)`;

function devices({ accountId, now }: Context): Rows {
  return {
    table: 'agent',
    count: many,
    columns: {
      id,
      account_id: accountId,
      device_id: '500000000 + i',
      group_id: `${base} + 1 + i % ${manyGroups}`,
      name: `'Workplace ' || ${padded}`,
      name_folded: `'workplace ' || ${padded}`,
      link_time: now - 86_400,
      added_over_files: 0,
      geo_ip: `'203.0.113.' || (i % 256)`,
      geo_country: text('Sweden'),
      geo_region: text('Kronobergs län'),
      geo_city: text('Växjö'),
      addresses: `'["10.0.' || (i / 256) || '.' || (i % 256) || '"]'`,
      permanent_enabled: 0,
      onetime_allowed: 0,
      secret: `'secret ' || i`,
      os: `case i % 3 when 0 then 'win' when 1 then 'linux' else 'mac' end`,
      os_user: `'user-' || i`,
      rdp: 0,
      hibernate: 0,
      power_supply: 1,
      version: text('1.4.2'),
      installed: 1,
      sessions_total: 1,
      revision: 1,
      notes: text(''),
      hardware: text(JSON.stringify(emptyHardware)),
      // Two of each: the page of duplicates has as many pairs as there can be.
      serial: `'serial ' || (i / 2)`,
      machine_id: `'machine ' || i`,
      software: `case i when 1 then ${text(JSON.stringify(programs()))} else '[]' end`,
      software_time: now - 60,
      // Half of them wait for approval.
      approved: 'i % 2',
    },
  };
}

const programs = (): object[] =>
  Array.from({ length: many }, (_, at) => ({
    name: `Program ${at}`,
    version: `1.0.${at}`,
    publisher: 'Example Software AB',
    install_date: '2026-01-31',
  }));

const team = ({ accountId, ownerId, now }: Context): Rows[] => {
  const own = { account_id: accountId };
  const named = (word: string) => ({
    id,
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
        id,
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
        id,
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
const grants = ({ accountId }: Context): Rows[] => {
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

const support = ({ accountId, ownerId, ownerEmail, now }: Context): Rows[] => {
  const own = { id, account_id: accountId };
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

const others = ({ now }: Context): Rows[] => {
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

/** Goes on from the last line there is. */
async function auditLines(house: TestHouse, { accountId, ownerId, ownerEmail, now }: Context) {
  const [head] = await runSql(
    house,
    `select audit_seq, audit_hash from account where account_id = ${accountId}`,
  );
  let [seq, previousHash] = [Number(head!['audit_seq']), String(head!['audit_hash'])];
  const lines = Array.from({ length: many }, (_, at) => {
    const line = {
      accountId,
      seq: (seq += 1),
      time: now - many + at,
      memberId: ownerId,
      email: ownerEmail,
      address: '203.0.113.7',
      operation: 'groups/create',
      outcome: 'done',
      input: JSON.stringify({ name: `Office ${at}` }),
      previousHash,
    };
    previousHash = hashOf(canonical(line));
    return { ...line, hash: previousHash };
  });
  const of = (name: keyof (typeof lines)[number]): string => `value ->> '${name}'`;
  await runSql(
    house,
    `insert into audit (account_id, seq, time, member_id, email, address, operation, outcome, input, previous_hash, hash)
     select ${of('accountId')}, ${of('seq')}, ${of('time')}, ${of('memberId')}, ${of('email')}, ${of('address')},
       ${of('operation')}, ${of('outcome')}, ${of('input')}, ${of('previousHash')}, ${of('hash')}
     from json_each(${text(JSON.stringify(lines))})`,
  );
  await runSql(
    house,
    `update account set audit_seq = ${seq}, audit_hash = ${text(previousHash)} where account_id = ${accountId}`,
  );
}

const groups = ({ accountId }: Context): Rows => ({
  table: 'agent_group',
  count: manyGroups,
  columns: {
    id,
    account_id: accountId,
    name: `'Office ' || char(65 + i / 26, 65 + i % 26)`,
    name_folded: `'office ' || char(97 + i / 26, 97 + i % 26)`,
    position: 'i',
  },
});

const presence = ({ accountId, now }: Context): Rows => ({
  table: 'presence',
  count: many,
  where: 'i % 3 = 0',
  columns: {
    agent_id: id,
    account_id: accountId,
    node: text('elsewhere'),
    lease_until: now + 86_400,
    seen_time: now,
  },
});

/** Fills the account, whose owner also looks after the server; one of each kind has very many of the others. */
export async function crowd(house: TestHouse, { id: accountId, owner }: TestAccount): Promise<Furnished> {
  const context: Context = {
    accountId,
    ownerId: owner.id,
    ownerEmail: owner.email,
    now: house.server.store.now(),
  };
  const rows = [
    groups(context),
    devices(context),
    presence(context),
    ...team(context),
    ...grants(context),
    ...support(context),
    ...others(context),
  ];
  for (const each of rows) await runSql(house, insert(each));
  await auditLines(house, context);
  await runSql(house, `update member set operator = 1 where id = ${owner.id}`);
  await runSql(
    house,
    `update account set rights_version = rights_version + 1 where account_id = ${accountId}`,
  );
  return {
    parts: {
      'devices:id': String(chosen),
      'people:email': 'person-00001@example.com',
      'people:id': String(chosen),
      'departments:id': String(chosen),
      'roles:id': String(chosen),
      'groups:id': String(chosen),
    },
    tabs: ['hardware', 'software', 'files', 'history', 'access', 'settings'],
  };
}
