/** Notifications in the panel: who may subscribe to what, what they see, live events, e-mails and restarts. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { must, type TestAccount, type TestPerson } from '../kit/server/account.ts';
import { databases } from '../kit/server/database.ts';
import { openEventReader } from '../kit/server/event-reader.ts';
import { openMailbox } from '../kit/server/mailbox.ts';
import { startRounds, type NotificationRounds } from '../kit/server/notification-rounds.ts';
import { openSignedInPanel, type PanelClient, type PanelResponse } from '../kit/server/panel.ts';
import { startService, type TestService } from '../kit/server/service.ts';

const minute = 60;
const mayNotify = (on: { agentId: number } | { groupId: number }) =>
  ({ type: 'agentId' in on ? 'agent' : 'group', permissions: ['agent_notification'], ...on }) as const;

const failure = ({ http, body }: PanelResponse) => [http, body.error?.code, body.error?.field];
const titles = async (panel: PanelClient): Promise<string[]> =>
  (await panel.ask('notifications')).body['data'].map(({ title }: { title: string }) => title);

const roundsOf = (service: TestService): NotificationRounds =>
  startRounds(service.server.store, service.advance, service.server.notifier);

for (const { kind, skip } of databases)
  describe(`notifications in the panel on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => void (service = await startService({ database: kind })));
    after(() => service[Symbol.asyncDispose]());

    const at = (account: TestAccount, person: TestPerson) => openSignedInPanel(service, account, person);

    test('a person subscribes to what they may manage notifications of, and to nothing else', async () => {
      const account = await service.account();
      const [group, other] = [await account.group(), await account.group()];
      const mine = await account.agent({ name: 'Till' });
      const hidden = await account.agent({ groupId: other });
      const ann = await account.member([
        mayNotify({ agentId: mine.id }),
        mayNotify({ groupId: group }),
        { type: 'group', permissions: ['agent_connect'], groupId: other },
      ]);
      const panel = await at(account, ann);

      const own = await panel.ask('notifications/subscribe/device', { agent_id: mine.id });
      const ofGroup = await panel.ask('notifications/subscribe/group', { group_id: group, kinds: ['back'] });
      const refused = [
        await panel.ask('notifications/subscribe/device', { agent_id: hidden.id }),
        await panel.ask('notifications/subscribe/group', { group_id: other }),
        await panel.ask('notifications/subscribe/all', { kinds: ['client_waits'] }),
      ];
      const { body } = await panel.ask('notifications/subscriptions');

      assert.deepEqual([own.http, ofGroup.http], [200, 200]);
      assert.deepEqual(refused.map(failure), [
        [403, 'forbidden', undefined],
        [403, 'forbidden', undefined],
        [403, 'forbidden', 'kinds'],
      ]);
      assert.deepEqual(
        body['data'].map((each: { name: string; kinds: string[] }) => [each.name, each.kinds]),
        [
          ['Till', ['offline', 'back']],
          [body['data'][1].name, ['back']],
        ],
      );
    });

    test('a wrong choice is refused with the field that is wrong', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      const panel = await at(account, account.owner);
      const nobody = await at(account, await account.member());
      const subscribe = (given: object) =>
        panel.ask('notifications/subscribe/device', { agent_id: id, ...given });

      assert.deepEqual(failure(await subscribe({ minutes: 0 })), [400, 'invalid_request', 'minutes']);
      assert.deepEqual(failure(await subscribe({ minutes: 1_441 })), [400, 'invalid_request', 'minutes']);
      const [http, code, field] = failure(await subscribe({ kinds: ['client_waits'] }));
      assert.deepEqual([http, code, String(field).startsWith('kinds')], [400, 'invalid_request', true]);
      assert.deepEqual(failure(await panel.ask('notifications/read', {})), [400, 'invalid_request', 'ids']);
      assert.deepEqual(failure(await nobody.ask('notifications/subscribe/all', {})), [
        403,
        'forbidden',
        'kinds',
      ]);
    });

    test('a subscription whose permission was lost is silent and does not say what it was for', async () => {
      const account = await service.account();
      const { id } = await account.agent({ name: 'Till' });
      const ann = await account.member();
      const { roleId } = await account.grant(ann, mayNotify({ agentId: id }));
      const panel = await at(account, ann);
      const rounds = roundsOf(service);
      await panel.ask('notifications/subscribe/device', { agent_id: id, minutes: 1 });
      await rounds.online(id);
      await rounds.pass(minute);
      await rounds.offline(id);
      await rounds.pass(3 * minute);
      const told = await titles(panel);

      const by = { accountId: account.id, by: account.owner.id };
      await must(service.server.store, 'access/remove', {
        ...by,
        holder: { email: ann.email },
        roleId,
        agentId: id,
      });
      const { body } = await panel.ask('notifications/subscriptions');
      await rounds.online(id);
      await rounds.pass(5 * minute);

      assert.deepEqual(told, ['Till is offline']);
      assert.deepEqual(
        body['data'].map((each: { name: string; agent_id: number; silent: boolean }) => [
          each.name,
          each.agent_id,
          each.silent,
        ]),
        [['', 0, true]],
      );
      const { body: now } = await panel.ask('notifications');
      assert.deepEqual([now['data'], now['unread']], [[], 0]);
    });

    test('a new notification is announced to its person alone, counted, and marked as read', async () => {
      const account = await service.account();
      const ann = await account.member();
      const panel = await at(account, account.owner);
      await panel.ask('notifications/subscribe/all', { kinds: ['client_waits'] });
      await using forOwner = await openEventReader(service.testClient, panel);
      await using forAnn = await openEventReader(service.testClient, await at(account, ann));
      const invited = await account.owner.call('support/create', { client_name: 'Zoë' });
      const code = String(invited.body['data'].invite_url).split('/').at(-1)!;
      const client = { code, key: 'k', os: '', preview: 'p', lifetime: 9_999 } as const;
      const { store } = service.server;
      await must(store, 'invitations/join', { ...client, until: store.now() + 9_999 });

      await service.server.notifier.run();

      await forOwner.until(({ topic }) => topic === 'notifications');
      const { body } = await panel.ask('notifications');
      assert.deepEqual(
        [body['data'][0].title, body['unread'], body['more']],
        ['Zoë is waiting for support', 1, false],
      );
      assert.ok(!forAnn.changes().some(({ topic }) => topic === 'notifications'));
      await panel.ask('notifications/read', { up_to: body['data'][0].id });
      assert.equal((await panel.ask('notifications')).body['unread'], 0);
    });

    test('subscriptions and settings are audited', async () => {
      const account = await service.account();
      const panel = await at(account, account.owner);
      const { body } = await panel.ask('notifications/subscribe/all', { kinds: ['offline'], minutes: 7 });
      await panel.ask('notifications/settings/update', { mail: ['offline'] });
      await panel.ask('notifications/unsubscribe', { id: body['id'] });

      const log = await account.owner.call('audit/list', { limit: 3 });

      assert.deepEqual(
        log.body['data'].map((line: { operation: string }) => line.operation),
        [
          'panel/notifications/unsubscribe',
          'panel/notifications/settings/update',
          'panel/notifications/subscribe/all',
        ],
      );
    });
  });

for (const { kind, skip } of databases)
  test(`a restart neither loses nor repeats a notification on ${kind}`, { skip }, async () => {
    await using service = await startService({ database: kind });
    const account = await service.account();
    const { id } = await account.agent({ name: 'Till' });
    const { store } = service.server;
    const rule = { accountId: account.id, memberId: account.owner.id, agentId: null, groupId: null };
    const kinds = ['offline', 'new_device'] as const;
    await must(store, 'notifications/subscribe', { ...rule, kinds, minutes: 2 });
    const earlier = roundsOf(service);
    await earlier.online(id);
    await earlier.pass(minute);
    await earlier.offline(id);
    await earlier.pass(2 * minute);
    await account.agent({ name: 'Lamp' });

    await service.restart();
    const rounds = roundsOf(service);
    await rounds.pass(5 * minute);
    await service.restart();
    await roundsOf(service).pass(5 * minute);

    const panel = await openSignedInPanel(service, account, account.owner);
    assert.deepEqual((await titles(panel)).toSorted(), ['New device: Lamp', 'Till is offline']);
  });

test('devices are not reported because the server itself was away', async () => {
  await using service = await startService();
  const account = await service.account();
  const devices = [await account.agent({ name: 'Till' }), await account.agent({ name: 'Desk' })];
  const ids = devices.map(({ id }) => id);
  const panel = await openSignedInPanel(service, account, account.owner);
  await panel.ask('notifications/subscribe/all', { kinds: ['offline'], minutes: 5 });
  const earlier = roundsOf(service);
  await earlier.online(...ids);
  await earlier.pass(minute);

  await service.server.close(0);
  service.advance(20 * minute);
  await service.restart();
  const rounds = roundsOf(service);
  await rounds.pass(3 * minute);
  await rounds.online(ids[0]!);
  await rounds.pass(10 * minute);

  const again = await openSignedInPanel(service, account, account.owner);
  assert.deepEqual(await titles(again), ['Desk is offline']);
});

test('an e-mail names what happened, is sent once, and only for what the person may still see', async () => {
  await using mailbox = await openMailbox();
  await using service = await startService({ env: mailbox.env });
  const account = await service.account();
  const groupId = await account.group();
  const ids: number[] = [];
  for (const name of ['Till', 'Desk', 'Lamp', 'Safe', 'Door'])
    ids.push((await account.agent({ name, groupId })).id);
  const [ann, bob] = [await account.member([mayNotify({ groupId })]), await account.member()];
  const { roleId } = await account.grant(bob, mayNotify({ groupId }));
  for (const person of [ann, bob]) {
    const panel = await openSignedInPanel(service, account, person);
    await panel.ask('notifications/subscribe/group', { group_id: groupId, kinds: ['offline'], minutes: 1 });
  }
  const rounds = roundsOf(service);
  await rounds.online(...ids);
  await rounds.pass(minute);
  await rounds.offline(...ids);
  await rounds.pass(80);
  const holder = { email: bob.email };
  const by = { accountId: account.id, by: account.owner.id };
  await must(service.server.store, 'access/remove', { ...by, holder, roleId, groupId });

  await rounds.pass(5 * minute);

  const email = await mailbox.next();
  assert.deepEqual(email.to, [ann.email]);
  assert.match(email.raw, /^Subject: 5 devices are offline: /m);
  assert.match(email.raw, /^Message-ID: <notification-\d+@localhost>/m);
  const { body } = await (await openSignedInPanel(service, account, ann)).ask('notifications');
  const [{ title, time }] = body['data'];
  assert.match(title, /^5 devices are offline: \w+, \w+, \w+ and 2 more$/);
  const [mailedTitle, mailedTime = ''] = email.text.split(/\r?\n/);
  assert.deepEqual([mailedTitle, Date.parse(mailedTime) / 1_000], [title, time - (time % minute)]);
  assert.ok(email.text.includes(`${service.server.config.publicUrl}/panel/notifications/settings`));
  assert.equal(mailbox.emails.length, 1);
});

test('an e-mail that the mail server refuses is sent later, and not at all once the notification is read', async () => {
  await using mailbox = await openMailbox();
  await using service = await startService({ env: mailbox.env });
  const account = await service.account();
  const panel = await openSignedInPanel(service, account, account.owner);
  await panel.ask('notifications/subscribe/all', { kinds: ['new_device'] });
  const rounds = roundsOf(service);
  mailbox.refuse = true;
  await account.agent({ name: 'Till' });
  await rounds.pass(100);
  const refused = mailbox.emails.length;
  mailbox.refuse = false;

  await rounds.pass(4 * minute);
  mailbox.refuse = true;
  await account.agent({ name: 'Lamp' });
  await rounds.pass(100);
  const { body } = await panel.ask('notifications');
  await panel.ask('notifications/read', { up_to: body['data'][0].id });
  mailbox.refuse = false;
  await rounds.pass(10 * minute);

  assert.equal(refused, 0);
  assert.deepEqual(
    mailbox.emails.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1]?.trim()),
    ['New device: Till'],
  );
});

test('an e-mail that is tried again is not sent once the person no longer wants its kind by mail', async () => {
  await using mailbox = await openMailbox();
  await using service = await startService({ env: mailbox.env });
  const account = await service.account();
  const panel = await openSignedInPanel(service, account, account.owner);
  await panel.ask('notifications/subscribe/all', { kinds: ['new_device'] });
  const rounds = roundsOf(service);
  mailbox.refuse = true;
  await account.agent({ name: 'Till' });
  await rounds.pass(100);

  await panel.ask('notifications/settings/update', { mail: ['offline'] });
  mailbox.refuse = false;
  await rounds.pass(10 * minute);

  assert.deepEqual(await titles(panel), ['New device: Till']);
  assert.deepEqual(mailbox.emails, []);
});

test('nothing is mailed that the person did not choose', async () => {
  await using mailbox = await openMailbox();
  await using service = await startService({ env: mailbox.env });
  const account = await service.account();
  const panel = await openSignedInPanel(service, account, account.owner);
  await panel.ask('notifications/subscribe/all', { kinds: ['new_device'] });
  const standard = await panel.ask('notifications/settings');
  await panel.ask('notifications/settings/update', { mail: ['offline'] });

  await account.agent({ name: 'Till' });
  await roundsOf(service).pass(3 * minute);

  assert.deepEqual(standard.body['mail'], ['offline', 'back', 'new_device']);
  assert.deepEqual(await titles(panel), ['New device: Till']);
  assert.deepEqual(mailbox.emails, []);
});
