/** Deliveries to webhooks in SQL: which process sends what, and what came of it. */
import type { Kysely, Selectable } from 'kysely';
import { automaticAuditLine } from '../../../domain/audit.ts';
import { maxToldOfRequest } from '../../../domain/people/access-requests.ts';
import { hasFailedTooLong, nextAttempt, type WebhookAnswer } from '../../../domain/webhooks.ts';
import { appendAudit } from '../../audit/audit.ts';
import type { Tables } from '../../engine/schema.ts';
import type { ChangesOf, Tx } from '../../engine/transaction.ts';
import { lockRights } from '../account-versions.ts';
import { decidersFor } from '../requests/deciders.ts';

type WebhookRow = Selectable<Tables['webhook']>;
type DeliveryRow = Selectable<Tables['webhook_delivery']>;

const removeDelivery = ({ db }: Tx, { account_id, id }: DeliveryRow) =>
  db.deleteFrom('webhook_delivery').where('account_id', '=', account_id).where('id', '=', id).execute();

/** Removes all messages that wait for a webhook. */
export const dropDeliveries = (db: Kysely<Tables>, accountId: number, webhookId: number) =>
  db
    .deleteFrom('webhook_delivery')
    .where('account_id', '=', accountId)
    .where('webhook_id', '=', webhookId)
    .executeTakeFirst();

const updateWebhook = ({ db }: Tx, { account_id, id }: WebhookRow, set: Partial<Omit<WebhookRow, 'id'>>) =>
  db.updateTable('webhook').set(set).where('account_id', '=', account_id).where('id', '=', id).execute();

/** Removes everything that waits and tells those who look after the account. */
async function disable(
  tx: Tx,
  webhook: WebhookRow,
  lost: number,
): Promise<{ name: string; admins: string[] }> {
  const { account_id: accountId, id, name } = webhook;
  const { numDeletedRows } = await dropDeliveries(tx.db, accountId, id);
  await updateWebhook(tx, webhook, {
    enabled: 0,
    disabled_time: tx.now,
    lost: webhook.lost + lost + Number(numDeletedRows),
  });
  await appendAudit(tx, automaticAuditLine(accountId, 'server/webhook-disable', { id, name }), 'done');
  return { name, admins: await decidersFor(tx, { accountId, memberId: 0 }, maxToldOfRequest) };
}

/** Tries again later, or gives the message up, or the webhook. */
async function fail(tx: Tx, webhook: WebhookRow, delivery: DeliveryRow, answer: WebhookAnswer) {
  const next = nextAttempt({ attempts: delivery.attempts, createTime: delivery.create_time }, tx.now);
  const lost = next === undefined ? 1 : 0;
  if (next === undefined) await removeDelivery(tx, delivery);
  else
    await tx.db
      .updateTable('webhook_delivery')
      .set({ next_time: next })
      .where('account_id', '=', delivery.account_id)
      .where('id', '=', delivery.id)
      .execute();
  const failingSince = webhook.failing_since ?? tx.now;
  await updateWebhook(tx, webhook, {
    problem: answer.problem,
    http_status: answer.httpStatus,
    last_time: tx.now,
    failing_since: failingSince,
    lost: webhook.lost + lost,
  });
  return hasFailedTooLong(failingSince, tx.now) && webhook.enabled === 1
    ? { disabled: await disable(tx, webhook, lost) }
    : {};
}

export const deliveryChanges: ChangesOf<`webhooks/${'claim' | 'settle'}`> = {
  // One statement decides which process sends a message: one message per webhook, so that a slow receiver delays no other.
  'webhooks/claim': async function ({ db, now }, { until, limit }) {
    const claimed = await db
      .updateTable('webhook_delivery')
      .set((eb) => ({ next_time: until, attempts: eb('attempts', '+', 1) }))
      .where('next_time', '<=', now)
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('webhook_delivery as due')
          .select((inner) => inner.fn.min('due.id').as('id'))
          .where('due.next_time', '<=', now)
          .groupBy('due.webhook_id')
          .orderBy((inner) => inner.fn.min('due.id'))
          .limit(limit),
      )
      .returning(['id', 'account_id as accountId', 'attempts'])
      .execute();
    return { claimed };
  },

  'webhooks/settle': async function (tx, { accountId, id, attempts, answer }) {
    await lockRights(tx.db, accountId);
    const delivery = await tx.db
      .selectFrom('webhook_delivery')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('attempts', '=', attempts)
      .executeTakeFirst();
    // Removed meanwhile, or another process has tried it again.
    if (!delivery) return {};
    const webhook = await tx.db
      .selectFrom('webhook')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('id', '=', delivery.webhook_id)
      .executeTakeFirstOrThrow();
    if (answer.problem !== '') return fail(tx, webhook, delivery, answer);
    await removeDelivery(tx, delivery);
    const { httpStatus: http_status } = answer;
    await updateWebhook(tx, webhook, {
      problem: '',
      http_status,
      last_time: tx.now,
      failing_since: null,
      ...(webhook.old_until <= tx.now && { old_secret: '' }),
    });
    return {};
  },
};
