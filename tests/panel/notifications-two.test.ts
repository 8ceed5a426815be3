/** Notifications over two servers on one PostgreSQL and one NATS: each is delivered and mailed once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../kit/server/account.ts';
import { openDatabaseFor } from '../kit/server/database.ts';
import { openEventReader } from '../kit/server/event-reader.ts';
import { openMailbox } from '../kit/server/mailbox.ts';
import { startNats } from '../kit/server/nats.ts';
import { createSharedSettings } from '../kit/server/shared-settings.ts';
import { openSignedInPanel } from '../kit/server/panel.ts';
import { skipWithout } from '../kit/requirements.ts';
import { startService, type TestService } from '../kit/server/service.ts';

const skip = skipWithout('PostgreSQL') || skipWithout('nats-server');

test(
  'two servers deliver and mail a notification once, and one goes on without the other',
  { skip },
  async () => {
    await using mailbox = await openMailbox();
    await using nats = await startNats();
    const database = await openDatabaseFor('postgres');
    using shared = await createSharedSettings();
    const env = { ...database.env, ...shared.env, ...mailbox.env, DRAWBRIDGE_BUS: nats.url };
    try {
      await using one = await startService({ env });
      await using other = await startService({ env });
      const account = await one.account();
      const { id } = await account.agent({ name: 'Till' });
      const memberRef = { accountId: account.id, memberId: account.owner.id };
      const rule = { agentId: null, groupId: null, kinds: ['offline', 'back', 'new_device'] as const };
      await must(one.server.store, 'notifications/subscribe', { ...memberRef, ...rule, minutes: 1 });
      const renew = (service: TestService) =>
        must(service.server.store, 'presence/renew', {
          node: 'one',
          agents: [{ id }],
          leaseUntil: service.server.store.now() + 86_400,
        });
      const pass = async (seconds: number, ...running: TestService[]): Promise<void> => {
        for (let left = seconds; left > 0; left -= 10) {
          for (const service of [one, other]) service.advance(10);
          await Promise.all(running.map(({ server }) => server.notifier.run()));
        }
      };
      await using heard = await openEventReader(
        other.testClient,
        await openSignedInPanel(other, account, account.owner),
      );

      await renew(one);
      await pass(60, one, other);
      await must(one.server.store, 'presence/end', { node: 'one', ids: [id] });
      await pass(200, one, other);
      await heard.until(({ topic }) => topic === 'notifications');
      await renew(other);
      await account.agent({ name: 'Lamp' });
      await one.server.close(0);
      await pass(300, other);

      const panel = await openSignedInPanel(other, account, account.owner);
      const { body } = await panel.ask('notifications');
      const titles = body['data'].map(({ title }: { title: string }) => title);
      const expected = ['New device: Lamp', 'Till is back online', 'Till is offline'];
      assert.deepEqual(titles.toSorted(), expected);
      assert.deepEqual(
        mailbox.emails.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1]?.trim()).toSorted(),
        expected,
      );
    } finally {
      await database.drop();
    }
  },
);
