/**
 * The first barrier between accounts: every table names the account of its rows, and every statement filters
 * by one account.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { v1 } from '@drawbridge/contract/v1/index';
import { databases, type DatabaseKind } from '../../kit/server/database.ts';
import { accountTables as tables } from '../store/account-tables.ts';
import type { RecordedStatement } from './statement-tap.ts';
import { openTestStore } from '../store/test-store.ts';

/** Statements about all accounts, each with its reason. They begin with this text. */
const systemWide: Record<string, string> = {
  'select max(number) as number from migration': 'The schema belongs to no account.',
  'select number, contracted from migration': 'The schema belongs to no account.',
  'insert into migration ': 'The schema belongs to no account.',
  'update migration ': 'Accounts are made one after the other.',
  'update server_identity set number = number': 'The schema belongs to no account.',
  'select 1 from node': 'Nodes belong to no account.',
  'update member set operator = 1 where owner = 1': 'Whose account was the first looks after the server.',
  'insert into "account" ': 'A new account has no number yet.',
  'select "account_id" from "account" limit ': 'Is there any account at all?',
  'select "id" from "member" where "operator" = ': 'Those who look after the server may be of any account.',
  'select * from "member" where "operator" = ': 'Those who look after the server may be of any account.',
  'select count(*) as "total" from "account" inner join "member" as "owner"':
    'Who looks after the server sees its accounts.',
  'select "account"."account_id", "owner"."email", "account"."create_time"':
    'Who looks after the server sees its accounts.',
  'select "account_id", count(*) as "n" from ': 'Who looks after the server sees what its accounts use.',
  'select "account_id", coalesce(sum("video_size")': 'Who looks after the server sees what its accounts use.',
  'select "account_id", "used" as "n" from "usage"': 'Who looks after the server sees what its accounts use.',
  'select "account_id" from "account" order by ': 'The brand of the server is that of its first account.',
  'select "account_id", "logo_type", "logo_digest", "logo", "logo_place", "logo_size" from "brand" where "logo_digest" <> ':
    'The pictures of brands are for everybody.',
  'select "account_id" from "brand" where "logo_digest" <> ':
    'Pictures of all accounts are moved into the object storage, or back.',
  'select "id" from "member" where "email_folded" = ': 'One address owns one account on the whole server.',
  'select "key"."id" as "key_id", "key"."account_id"': 'A key is what tells the account.',
  'update "sign_in_link" set "used_time" = ': 'A sign-in link is what tells the account.',
  'select "session"."id", "session"."account_id", "session"."member_id"':
    'A cookie is what tells the account.',
  'select "member"."account_id", "member"."id", "member"."email", "member"."password"':
    'An address with its password, or a sign-in link, is what tells the account.',
  'select * from "passkey" where "credential" = ': 'A passkey is what tells the account.',
  'insert into "sign_in_step" ': 'Whose step it is stands in it.',
  'update "sign_in_step" ': 'The name of a step is what tells whose it is.',
  'delete from "sign_in_step" ': 'The name of a step is what tells whose it is; old ones are swept away.',
  'delete from "provider_logout" where "expire_time" < ':
    'Logout tokens that are too old to be used again are swept away.',
  'delete from "panel_session" where ("seen_time" < ': 'Sessions that are over are swept away.',
  'select "member_id" from "known_network" where "member_id" in ':
    'Whose password it is, and so of which account, is not known yet.',
  'delete from "known_network" where "seen_time" < ': 'Networks that are known no longer are swept away.',
  'update "link" set "used_time" = ': 'A single-use link is what tells the account.',
  'update "presence" set "lease_until" = "seen_time"': 'A server that starts gives up all it held.',
  'select "agent_id" from "presence" where "agent_id" in ':
    'A node tells of all devices that came to it at once.',
  'update "presence" set "lease_until" = ': 'A node tells of all devices that left it at once.',
  'update "enrolment" set "uses_left" = ': 'A token is what tells the account.',
  'update "account" set "rights_version" = "rights_version" where "account_id" in (select "enrolment"':
    'A token is what tells the account whose rights are held still while a device joins.',
  'select "agent"."id", "agent"."account_id", "agent"."device_id" from':
    'The key of a device, or the path of its link, is what tells the account.',
  'select "agent"."id", "agent"."epoch", "agent"."epoch_next", "agent"."approved", "presence"."lease_until" from':
    'A node asks about all devices it holds at once.',
  'select "id", "account_id", "member_id", "department_id", "role_id"': 'Grants that ended are swept away.',
  'delete from "access_request" where "create_time" < ': 'Old requests are swept away.',
  'delete from "bus_key" where "created_time" < ': 'Nodes belong to no account.',
  'select "id" from "bus_key" where "created_time" > ': 'Nodes belong to no account.',
  'insert into "bus_key" ': 'Nodes belong to no account.',
  'select "id", "secret" from "bus_key" ': 'Nodes belong to no account.',
  'update "server_identity" set "number" = ': 'Nodes belong to no account.',
  'delete from "node" where ': 'Nodes belong to no account.',
  'select "alive_until", "shared" from "node" where "id" = ': 'Nodes belong to no account.',
  'insert into "node" ': 'Nodes belong to no account.',
  'select * from "node" where ': 'Nodes belong to no account.',
  'insert into "server_identity" ': 'Devices of all accounts know the server by one key.',
  'select * from "server_identity"': 'Devices of all accounts know the server by one key.',
  'update "session" set "stop_time" = "alive_time"': 'Sessions that died are ended wherever they are.',
  'update "session" set "alive_time" = ': 'A relay tells of all sessions it holds at once.',
  'update session set bytes = ': 'A relay tells of all sessions it holds at once.',
  'update "agent" set "revision" = "revision" + ': 'Follows the sessions that ended, whosever they were.',
  'update "invitation" set "status" = ': 'Time passes for all invitations.',
  'delete from "session" where "begun" = ': 'Sessions that never began are swept away with those that died.',
  'select * from "session" where "id" = ': 'What lets an operator come back is what tells the account.',
  'select "session"."id", "session"."holder", "session"."stop_time"':
    'A node looks after all sessions it holds at once.',
  'select "invitation"."account_id", "invitation"."id"':
    'The code of an invitation is what tells the account.',
  'update "invitation" set "client_until" = ': 'A node tells of all clients it holds at once.',
  'update access_request set permissions =': 'Requests of all accounts got what their roles permit.',
  'update account set policy = ': 'Settings of all accounts became policies.',
  'update agent set policy = ': 'Settings of all accounts became policies.',
  'update agent_group set policy = ': 'Settings of all accounts became policies.',
  'update invitation set connect_used = 1': 'The secrets of all invitations were shown once.',
  'select * from "invitation" where "id" = ':
    'The operator’s URL, or the address of a client’s picture, is what tells the account.',
  'select "id", "client_holder" from "invitation" where "id" in ':
    'A node looks after all clients it holds at once.',
  'select "id" from "invitation" where "status" in ': 'Time passes for all clients.',
  'select "account_id", "token_digest" from "recording" where "id" = ':
    'The number of a recording, told to one device, is what tells the account.',
  'select "account_id", "agent_id", "invitation_id", "login"':
    'The address at which a recording is played is what tells the account.',
  'delete from "recording" where "chunks" = ': 'Recordings that never began are swept away.',
  'select "id", "account_id" from "session" where "stop_time" < ': 'Time passes for all recordings.',
  'delete from "link" where "expire_time" < ': 'Old links are swept away.',
  'delete from "sign_in_link" where "expire_time" < ': 'Old links are swept away.',
  'delete from "onetime_use" where "window_number" < ': 'Old windows are swept away.',
  'delete from "usage" where "kind" = ': 'What was counted in hours long over is swept away.',
  'update "notification_item" set "back_time" = ': 'A node tells of all devices that came to it at once.',
  'select distinct "minutes" from "notification_subscription"': 'One process evaluates for all accounts.',
  'delete from "notification" where "time" < ': 'Old notifications are swept away.',
  'delete from "notification_item" where "told_time" ': 'Old notifications are swept away.',
  'delete from "notification_cause" where "time" < ': 'Old notifications are swept away.',
  'delete from "notification_cause" where "id" in ': 'One process evaluates for all accounts.',
  'insert into "notification_round" ': 'One process evaluates for all accounts.',
  'update "notification_round" set ': 'One process evaluates for all accounts.',
  'select "cause"."id", "cause"."account_id", "cause"."kind"': 'One process evaluates for all accounts.',
  'select "item".*, "agent"."group_id", "presence"."lease_until"': 'One process evaluates for all accounts.',
  'select "account_id", "member_id", "kind", min("due_time")': 'One process evaluates for all accounts.',
  'select "agent"."id", "agent"."account_id" as "accountId", "agent"."group_id"':
    'One process evaluates for all accounts.',
  'select * from "update_settings" where "enabled" = ': 'One process asks the devices of all accounts.',
  'select * from "provider" where "sign_in_name" = ':
    'The name that a person enters on the sign-in page is what tells the account.',
  'select "id", "account_id", "member_id", "name", "expire_time", "last_used_time" from "scim_token"':
    'The token of an identity provider is what tells the account.',
  'select "id", "account_id", "bind_password" as "stored"': 'The secrets of all accounts are sealed.',
  'select "id", "account_id", "client_secret" as "stored"': 'The secrets of all accounts are sealed.',
  'select "id", "account_id", "secret" as "stored"': 'The secrets of all accounts are sealed.',
  'select "id", "account_id", "old_secret" as "stored"': 'The secrets of all accounts are sealed.',
  'update "directory" set "next_time" = ': 'One process finds the imports of all accounts that are due.',
  'select "id" from "webhook_delivery" where "next_time" <= ': 'Messages of all accounts are delivered.',
  'update "webhook_delivery" set "next_time" = ': 'Messages of all accounts are delivered.',
  'select "id" from "notification" where "mail_time" <= ': 'E-mails are sent for all accounts.',
  'update "notification" set "mail_time" = ': 'E-mails are sent for all accounts.',
};

const isAboutRows = (statement: string): boolean =>
  /^(select|insert|update|delete|with)\b/.test(statement) &&
  !/^select (set_config|pg_advisory|\(extract|\(select system_identifier|name from sqlite_schema)/.test(
    statement,
  );

const isOfOneAccount = (statement: string): boolean =>
  /"account_id" = (\?|\$\d)/.test(statement) || /^insert into "\w+" \([^)]*"account_id"/.test(statement);

const reasonFor = (statement: string): string | undefined =>
  Object.keys(systemWide).find((start) => statement.startsWith(start));

async function runAllRows(
  kind: DatabaseKind,
): Promise<{ answers: Record<string, number[]>; tapped: RecordedStatement[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-tap-'));
  try {
    const file = join(folder, 'statements');
    const [tap, rows] = ['statement-tap.ts', 'all-rows.ts'].map((name) =>
      join(import.meta.dirname, name),
    ) as [string, string];
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', tap, rows, kind], {
      env: { ...process.env, TAP_FILE: file },
    });
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    return {
      answers: JSON.parse(stdout) as Record<string, number[]>,
      tapped: lines.map((line) => JSON.parse(line) as RecordedStatement),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const { kind, skip } of databases)
  describe(`the barriers between accounts on ${kind}`, { skip }, () => {
    let run: Awaited<ReturnType<typeof runAllRows>>;
    let statements: string[];
    before(async () => {
      run = await runAllRows(kind);
      const all = run.tapped.flatMap(({ statement }) => statement?.trim() ?? []);
      statements = [...new Set(all)].filter(isAboutRows);
    });

    test('every row of the table was called and answered', () => {
      assert.deepEqual(Object.keys(run.answers).toSorted(), Object.keys(v1).toSorted());
      assert.deepEqual(new Set(Object.values(run.answers).flat()), new Set([200]));
    });

    test('every statement filters by one account, except those that cannot, and these have a reason', () => {
      const open = statements.filter((each) => !isOfOneAccount(each) && reasonFor(each) === undefined);

      assert.ok(statements.length > 60);
      assert.deepEqual(open, []);
    });

    test('every reason is still needed', () => {
      const used = new Set(statements.filter((each) => !isOfOneAccount(each)).map(reasonFor));
      const inOne =
        kind === 'sqlite'
          ? ['update server_identity set number = number', 'select 1 from node']
          : ['update "presence" set "lease_until" = "seen_time"'];

      assert.deepEqual(
        Object.keys(systemWide).filter((start) => !used.has(start) && !inOne.includes(start)),
        [],
      );
    });

    if (kind === 'sqlite')
      test('every connection to SQLite is durable and enforces foreign keys, on both threads', () => {
        const settings = run.tapped.flatMap(({ thread, settings: each }) =>
          each ? [[thread, ...each].join(' ')] : [],
        );
        const isLock = (each: string): boolean => each.startsWith('main server.lock');

        assert.deepEqual(settings.filter((each) => !isLock(each)).toSorted(), [
          'main drawbridge.db wal 2 1',
          'main drawbridge.db wal 2 1',
          'main drawbridge.db wal 2 1',
          'main migration.lock wal 2 1',
          'worker drawbridge.db wal 2 1',
        ]);
      });

    test('every table except those of migrations, of the server’s own key, of sign-ins in progress and of the evaluation of notifications names the account of its rows', async () => {
      await using opened = await openTestStore(kind);
      const columns = await opened.sql<{ name: string; owned: unknown }>(
        kind === 'sqlite'
          ? `select m.name, max(c.name = 'account_id' and c."notnull" + c.pk > 0) as owned
             from sqlite_master m, pragma_table_info(m.name) c
             where m.type = 'table' and m.name not like 'sqlite_%' group by m.name`
          : `select c.table_name as name, max((c.column_name = 'account_id' and c.is_nullable = 'NO')::int) as owned
             from information_schema.columns c where c.table_schema = 'public' group by c.table_name`,
      );

      assert.deepEqual(
        columns
          .filter(({ owned }) => Number(owned) !== 1)
          .map(({ name }) => name)
          .toSorted(),
        ['bus_key', 'migration', 'node', 'notification_round', 'server_identity', 'sign_in_step'],
      );
      assert.equal(columns.length, Object.keys(tables).length + 7);
    });
  });
