/** Webhooks in SQL: their settings, and the messages that wait for them. */
import { fault } from '@drawbridge/contract/faults';
import { maxWebhooks, type ChangedWebhook } from '../../../domain/webhooks.ts';
import type { ChangesOf } from '../../engine/transaction.ts';
import { lockRights } from '../account-versions.ts';
import { deliveryChanges, dropDeliveries } from './deliveries.ts';
import { webhookSecretOf } from './webhook-reads.ts';

/** The columns of the settings that were given. Enabling begins again: earlier failures no longer count. */
const toColumns = ({ name, url, ca, events, enabled }: ChangedWebhook) => ({
  ...(name !== undefined && { name }),
  ...(url !== undefined && { url }),
  ...(ca !== undefined && { ca }),
  ...(events !== undefined && { events: JSON.stringify([...new Set(events)]) }),
  ...(enabled !== undefined && { enabled: enabled ? (1 as const) : (0 as const) }),
  ...(enabled === true && { disabled_time: null, failing_since: null }),
});

const settingsChanges: ChangesOf<`webhooks/${'create' | 'update' | 'renew' | 'remove'}`> = {
  'webhooks/create': async function ({ db, now, secrets }, { accountId, secret, settings }) {
    await lockRights(db, accountId);
    const { total } = await db
      .selectFrom('webhook')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    if (Number(total) >= maxWebhooks)
      return fault('invalid', {
        message: `An account can have at most ${maxWebhooks} webhooks. Remove one first.`,
      });
    const { id } = await db
      .insertInto('webhook')
      .values({
        account_id: accountId,
        name: settings.name,
        url: settings.url,
        ca: settings.ca,
        secret: '',
        events: JSON.stringify([...new Set(settings.events)]),
        enabled: settings.enabled ? 1 : 0,
        create_time: now,
        problem: '',
        http_status: 0,
        last_time: null,
        failing_since: null,
        lost: 0,
        disabled_time: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    // Sealed for its row, whose id the webhook has only now.
    await db
      .updateTable('webhook')
      .set({ secret: secrets.seal(webhookSecretOf(accountId, id), secret) })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
    return { id };
  },

  'webhooks/update': async function ({ db }, { accountId, id, settings }) {
    await lockRights(db, accountId);
    const columns = toColumns(settings);
    const row = await db
      .updateTable('webhook')
      .set((eb) => ({ lost: eb.ref('lost'), ...columns }))
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!row) return fault('not_found', { field: 'id' });
    if (settings.enabled === false) await dropDeliveries(db, accountId, id);
    return {};
  },

  'webhooks/renew': async function ({ db, secrets }, { accountId, id, secret, oldUntil }) {
    const sealed = secrets.seal(webhookSecretOf(accountId, id), secret);
    const row = await db
      .updateTable('webhook')
      .set((eb) => ({ old_secret: eb.ref('secret'), old_until: oldUntil, secret: sealed }))
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    return row ? {} : fault('not_found', { field: 'id' });
  },

  'webhooks/remove': async function ({ db }, { accountId, id }) {
    await lockRights(db, accountId);
    const row = await db
      .deleteFrom('webhook')
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    return row ? {} : fault('not_found', { field: 'id' });
  },
};

export const webhookChanges = { ...settingsChanges, ...deliveryChanges };
