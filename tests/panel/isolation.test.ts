/**
 * What belongs to another account or person is answered at the panel's own rows like what never existed, byte
 * for byte.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inputLocation } from '@drawbridge/contract/operation';
import { panel, panelPrefix, type PanelId } from '@drawbridge/contract/panel/index';
import { fieldsOf, schemaOf } from '@drawbridge/contract/documents/schema';
import { notificationViewer } from '@drawbridge/server/domain/notifications/notifications';
import type { MemberRef } from '@drawbridge/server/domain/people/panel';
import { random } from '@drawbridge/server/edges/random';
import { must, type TestPerson, type TestAccount } from '../kit/server/account.ts';
import { databases } from '../kit/server/database.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { startRounds } from '../kit/server/notification-rounds.ts';
import { openSignedInPanel, type PanelClient } from '../kit/server/panel.ts';
import { someProvider } from '../suites/store/fixture.ts';

/** Every parameter that names a thing. */
const naming = /^(id|ids|emails?|(.*_)?(agent|device|group|role|department|account)_id)$/;

/** Rows that create what they name, or identify a person who is not signed in yet. */
const makers: ReadonlySet<string> = new Set<PanelId>(['server/accounts/create']);

const pairs = (Object.keys(panel) as PanelId[])
  .filter((id) => panel[id].who !== 'anyone' && !makers.has(id))
  .flatMap((id) =>
    fieldsOf(schemaOf(panel[id].input))
      .map(({ name }) => name)
      .filter((name) => naming.test(name))
      .map((parameter): [PanelId, string] => [id, parameter]),
  );

interface AccountResources {
  agent: number;
  group: number;
  role: number;
  department: number;
  passkey: number;
  session: number;
  provider: number;
  subscription: number;
  notification: number;
  invitation: number;
  email: string;
}

const never: AccountResources = {
  agent: 9_007_199_254_740_991,
  group: 9_007_199_254_740_991,
  role: 9_007_199_254_740_991,
  department: 9_007_199_254_740_991,
  passkey: 9_007_199_254_740_991,
  session: 9_007_199_254_740_991,
  provider: 9_007_199_254_740_991,
  subscription: 9_007_199_254_740_991,
  notification: 9_007_199_254_740_991,
  invitation: 9_007_199_254_740_991,
  email: 'nobody-here@example.com',
};

/** The value of a parameter, by its row and name. */
const named: Record<string, (resources: AccountResources) => string | number | number[]> = {
  'me/passkeys/remove id': ({ passkey }) => passkey,
  'me/sessions/end id': ({ session }) => session,
  'me/sso/begin id': ({ provider }) => provider,
  'me/sso/remove id': ({ provider }) => provider,
  'me/confirm/sso/begin id': ({ provider }) => provider,
  'devices ids': ({ agent }) => String(agent),
  'support/clients ids': ({ invitation }) => String(invitation),
  'groups/order ids': ({ group }) => [group],
  'access/entries agent_id': ({ agent }) => agent,
  'access/entries group_id': ({ group }) => group,
  'access/entries role_id': ({ role }) => role,
  'access/entries department_id': ({ department }) => department,
  'access/entries email': ({ email }) => email,
  'access/person email': ({ email }) => email,
  'access/device agent_id': ({ agent }) => agent,
  'notifications/read ids': ({ notification }) => [notification],
  'notifications/subscribe/device agent_id': ({ agent }) => agent,
  'notifications/subscribe/group group_id': ({ group }) => group,
  'notifications/unsubscribe id': ({ subscription }) => subscription,
  'team/names emails': ({ email }) => email,
  'member/reset email': ({ email }) => email,
};

/** The server's administrators see every account. */
const everybodys = ['server/accounts/plan account_id'];

test('every parameter that names a thing is tried', () => {
  assert.deepEqual(
    pairs.map((pair) => pair.join(' ')).toSorted(),
    [...Object.keys(named), ...everybodys].toSorted(),
  );
});

for (const { kind, skip } of databases)
  describe(`what belongs to others, at the panel on ${kind}`, { skip }, () => {
    let service: TestService;
    let home: TestAccount;
    let browser: PanelClient;
    const foreign = new Map<string, AccountResources>();
    before(async () => {
      service = await startService({ database: kind });
      home = await service.account();
      browser = await openSignedInPanel(service, home, home.owner);
      const abroad = await service.account();
      foreign.set('of another account', await thingsOf(abroad, abroad.owner));
      // Passkeys, sessions and notifications belong to one person: a colleague's are as inaccessible. The
      // rest of these never existed.
      const {
        agent: _agent,
        group: _group,
        role: _role,
        department: _department,
        email: _email,
        invitation: _invitation,
        provider: _provider,
        ...own
      } = await thingsOf(home, await home.member());
      foreign.set('of a colleague', { ...never, ...own });
    });
    after(() => service[Symbol.asyncDispose]());

    async function thingsOf(account: TestAccount, person: TestPerson): Promise<AccountResources> {
      const { store } = service.server;
      const whose = { accountId: account.id, memberId: person.id };
      const group = await account.group();
      const { id: agent } = await account.agent({ groupId: group });
      const key = { publicKey: 'k', counter: 0, transports: [], name: 'phone' };
      const made = await must(store, 'factors/passkey/add', { ...whose, credential: random.token(), ...key });
      const other = { ...key, credential: random.token() };
      await must(store, 'factors/passkey/add', { ...whose, ...other });
      const grant = { type: 'group', permissions: ['agent_notification'], groupId: group } as const;
      const { roleId: role } = await account.grant(person, grant);
      const { departmentId: department } = await account.grant(person, { ...grant, byDepartment: true });
      await openSignedInPanel(service, account, person);
      const [session] = await store.panel.sessions(whose);
      await must(store, 'members/name', { ...whose, name: 'Ann' });
      const client = { ...whose, clientName: 'Bob', connectToken: random.token() };
      const { id: invitation } = await must(store, 'invitations/create', {
        ...client,
        codes: [random.digits(9)],
      });
      const { id: provider } = await must(store, 'providers/create', {
        accountId: account.id,
        by: account.owner.id,
        ...someProvider,
        signInName: random.token(),
      });
      const own = { passkey: made.id, session: session!.id, email: person.email, provider };
      return {
        agent,
        group,
        role,
        department: department!,
        invitation,
        ...own,
        ...(await notify(account, person, group)),
      };
    }

    /** A subscription of the person to a group, and a notification of a new device in it. */
    async function notify(account: TestAccount, person: TestPerson, groupId: number) {
      const { store, notifier } = service.server;
      const whose = { accountId: account.id, memberId: person.id };
      const rule = { ...whose, agentId: null, groupId, kinds: ['new_device'], minutes: 5 } as const;
      const { id: subscription } = await must(store, 'notifications/subscribe', rule);
      await account.agent({ groupId });
      await startRounds(store, service.advance, notifier).pass(100);
      const notification = await newestNotification(whose);
      assert.equal(notification.read, false);
      return { subscription, notification: notification.id };
    }

    async function newestNotification({ accountId, memberId }: MemberRef) {
      const { store } = service.server;
      const actor = await store.actors.byId(accountId, memberId);
      const [newest] = await store.notifications.list(notificationViewer(actor!), { limit: 1 });
      return newest!;
    }

    async function answerTo(id: PanelId, parameter: string, value: string | number | number[]) {
      const row = panel[id];
      const headers = browser.headers(row.method);
      const path = panelPrefix + id;
      const {
        http,
        headers: responseHeaders,
        text,
      } = await (inputLocation(row) === 'query'
        ? service.testClient.send({
            method: row.method,
            headers,
            path: `${path}?${parameter}=${String(value)}`,
          })
        : service.testClient.send({
            method: row.method,
            headers,
            path,
            body: JSON.stringify({ [parameter]: value }),
          }));
      const { date: _, ...rest } = responseHeaders;
      return { http, rest, text };
    }

    for (const [id, parameter] of pairs.filter((pair) => !everybodys.includes(pair.join(' '))))
      test(`${id} reveals nothing of others by ${parameter}`, async () => {
        const valueOf = named[`${id} ${parameter}`]!;
        const unknown = await answerTo(id, parameter, valueOf(never));

        for (const [whose, resources] of foreign)
          assert.deepEqual(await answerTo(id, parameter, valueOf(resources)), unknown, whose);
      });

    test('and all of it still exists', async () => {
      const { passkey, session, subscription, notification } = foreign.get('of a colleague')!;
      const { store } = service.server;
      const members = await store.members.list(home.id, { offset: 0, limit: 9 });
      const colleague = members.members.find(({ owner }) => !owner)!;
      const whose = { accountId: home.id, memberId: colleague.id };

      assert.ok((await store.factors.passkeys(whose)).some(({ id }) => id === passkey));
      assert.ok((await store.panel.sessions(whose)).some(({ id }) => id === session));
      assert.ok((await store.notifications.subscriptions(whose)).some(({ id }) => id === subscription));
      const newest = await newestNotification(whose);
      assert.deepEqual([newest.id, newest.read], [notification, false]);
    });
  });
