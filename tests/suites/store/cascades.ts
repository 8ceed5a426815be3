/** Part of the store's suite: which rows are removed together, to the row, and which stay. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangeName, ChangeInput } from '@drawbridge/server/store/changes';
import { accountTables, type OwnedTable } from './account-tables.ts';
import { must } from '../../kit/server/account.ts';
import { recordSession } from '../../kit/server/recording.ts';
import {
  newApiKey,
  openAccount,
  someDigest,
  someWebhook,
  unique,
  type StoreAccount,
  type StoreFixture,
} from './fixture.ts';
import { addNotification, addProvider, addProvisioning } from './tied-rows.ts';

type Counts = Partial<Record<OwnedTable, number>>;

async function countsOf({ sql }: StoreFixture, accountId: number): Promise<Required<Counts>> {
  const count = (table: string): string =>
    `select '${table}' as name, count(*) as n from ${table} where account_id = ${accountId}`;
  const rows = await sql<{ name: string; n: number }>(
    Object.keys(accountTables).map(count).join(' union all '),
  );
  return Object.fromEntries(rows.map(({ name, n }) => [name, n])) as Required<Counts>;
}

const lessThan = (before: Required<Counts>, lost: Counts): Counts =>
  Object.fromEntries(
    Object.entries(before).map(([table, n]) => [table, n - (lost[table as OwnedTable] ?? 0)]),
  );

/** A member, a department, a group, a device and two roles, with everything that can connect them. */
export async function createTiedRows({ store, sql }: StoreFixture, account: StoreAccount) {
  const { accountId } = account;
  const person = await account.member();
  await must(store, 'keys/create', { accountId, memberId: person.id, key: newApiKey() });
  const [department, groupId] = [await account.department(), await account.group()];
  await Promise.all([account.directory(), account.join(department, person)]);
  await addProvider({ store, sql }, account, { personId: person.id, department });
  const { id: agentId } = await account.agent({ groupId });
  const onAgent = await account.role('agent', ['agent_connect']);
  const onGroup = await account.role('group', ['agent_connect']);
  for (const holder of [{ email: person.email }, { departmentId: department }]) {
    await account.grant(holder, onAgent, { agentId });
    await account.grant(holder, onGroup, { groupId });
  }
  await must(store, 'webhooks/create', someWebhook(accountId));
  const asked = { accountId, memberId: person.id, reason: 'why', minutes: 5 };
  await must(store, 'requests/create', { ...asked, roleId: onAgent, agentId });
  await must(store, 'requests/create', { ...asked, roleId: onGroup, groupId });
  const permanent = { enable: true, url: `path-${unique()}`, password: 'hash' };
  await must(store, 'agents/update', { accountId, by: account.owner.id, id: agentId, permanent });
  await must(store, 'agents/favor', { accountId, memberId: person.id, id: agentId, favorite: true });
  const token = { digest: someDigest(), groupId, uses: 1, expireTime: store.now() + 60 };
  await must(store, 'enroll/create', { accountId, memberId: person.id, ...token });
  await must(store, 'presence/renew', { node: 'a', agents: [{ id: agentId }], leaseUntil: store.now() + 30 });
  await must(store, 'links/consume-onetime', { accountId, agentId, memberId: person.id, window: 1 });
  await sql(`insert into attached_file (account_id, agent_id, name, size, digest, create_time)
             values (${accountId}, ${agentId}, 'file', 1, 'd', 1)`);
  await must(store, 'updates/pin', { accountId, id: agentId, pin: '1.0.0' });
  await must(store, 'updates/settings', { accountId, enabled: false });
  await must(store, 'brands/update', { accountId, name: 'Acme' });
  const session = { digest: someDigest(), address: '', userAgent: '' };
  await must(store, 'panel/sessions/open', { accountId, memberId: person.id, session });
  const ids = `${accountId}, ${person.id}`;
  await sql(`insert into totp (account_id, member_id, secret) values (${ids}, 's')`);
  await sql(`insert into recovery_code (account_id, member_id, digest) values (${ids}, 'd')`);
  await sql(`insert into passkey (account_id, member_id, credential, public_key, counter, transports, name, create_time)
             values (${accountId}, ${person.id}, '${unique()}', 'k', 0, '[]', 'phone', 1)`);
  const { id: invitationId } = await account.invitation({ memberId: person.id });
  for (const to of [{ agentId }, { invitationId }]) await account.link({ memberId: person.id, ...to });
  const sessionId = await account.session({ memberId: person.id, agentId });
  await account.session({ memberId: person.id, invitationId });
  await recordSession(store, { accountId, sessionId });
  await addProvisioning({ sql }, account, { memberId: person.id, department });
  await addNotification({ store, sql }, { accountId, memberId: person.id }, { agentId, groupId });
  return { person, department, groupId, agentId, onAgent, onGroup, invitationId };
}

type Tied = Awaited<ReturnType<typeof createTiedRows>>;

interface Removal<Name extends ChangeName> {
  what: string;
  change: Name;
  input(tied: Tied): Omit<ChangeInput<Name>, 'accountId'>;
  lost: Counts;
  stays?(tied: Tied, fixture: StoreFixture): Promise<void>;
}

const removal = <Name extends ChangeName>(each: Removal<Name>): Removal<ChangeName> => each;

const removals = [
  removal({
    what: 'a role removes its grants',
    change: 'roles/remove',
    input: ({ onAgent }) => ({ id: onAgent }),
    lost: { role: 1, access_entry: 2, access_request: 1 },
  }),
  removal({
    what: 'a group removes the grants on it, and its devices and tokens stay without one',
    change: 'groups/remove',
    input: ({ groupId }) => ({ id: groupId }),
    lost: { agent_group: 1, access_entry: 2, access_request: 1, notification_subscription: 1 },
    stays: async ({ agentId, person }, { sql }) =>
      assert.deepEqual(
        await sql(`select group_id from agent where id = ${agentId}
                   union all select group_id from enrolment where member_id = ${person.id}`),
        [{ group_id: null }, { group_id: null }],
      ),
  }),
  removal({
    what: 'a department removes its grants and memberships, and its members stay',
    change: 'departments/remove',
    input: ({ department }) => ({ id: department }),
    lost: { department: 1, department_member: 1, access_entry: 2, provider_group: 1, scim_group: 1 },
  }),
  removal({
    what: 'a person takes keys, links, tokens, grants, memberships, favorites, sign-ins, notifications and by what they show who they are along; invitations and history stay',
    change: 'members/remove',
    input: ({ person }) => ({ email: person.email }),
    lost: {
      member: 1,
      api_key: 1,
      sign_in_link: 1,
      department_member: 1,
      access_entry: 2,
      access_request: 2,
      enrolment: 1,
      favorite: 1,
      link: 2,
      onetime_use: 1,
      panel_session: 1,
      known_network: 1,
      totp: 1,
      recovery_code: 1,
      passkey: 1,
      provider_identity: 1,
      notification_subscription: 2,
      notification_settings: 1,
      notification: 1,
      notification_item: 1,
      scim_token: 1,
      scim_user: 1,
    },
    stays: async ({ invitationId, agentId }, { sql }) =>
      assert.deepEqual(
        await sql(`select member_id, login from session where agent_id = ${agentId}
                   union all select member_id, '' from invitation where id = ${invitationId}`),
        [
          {
            member_id: null,
            login: (await sql(`select login from session where agent_id = ${agentId}`))[0]!['login'],
          },
          { member_id: null, login: '' },
        ],
      ),
  }),
  removal({
    what: 'a device removes its grants, links, path, presence, favorites, files, history, recordings and what it reported about updates',
    change: 'agents/remove',
    input: ({ agentId }) => ({ id: agentId }),
    lost: {
      agent: 1,
      access_entry: 2,
      access_request: 1,
      permanent_path: 1,
      presence: 1,
      favorite: 1,
      link: 1,
      onetime_use: 1,
      attached_file: 1,
      agent_update: 1,
      session: 1,
      recording: 1,
      recording_chunk: 1,
      notification_subscription: 1,
      notification_cause: 1,
      notification_item: 1,
    },
  }),
];

export function cascadesSuite(fixture: () => StoreFixture): void {
  for (const { what, change, input, lost, stays } of removals)
    test(`removing ${what}, and nothing else`, async () => {
      const [account, other] = [await openAccount(fixture().store), await openAccount(fixture().store)];
      const tied = await createTiedRows(fixture(), account);
      await createTiedRows(fixture(), account);
      await createTiedRows(fixture(), other);
      const before = await countsOf(fixture(), account.accountId);
      const beforeOther = await countsOf(fixture(), other.accountId);

      await must(fixture().store, change, { accountId: account.accountId, ...input(tied) });

      assert.deepEqual(await countsOf(fixture(), account.accountId), lessThan(before, lost));
      assert.deepEqual(await countsOf(fixture(), other.accountId), beforeOther);
      await stays?.(tied, fixture());
    });
}
