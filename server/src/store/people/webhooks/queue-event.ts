/** Queues messages for the webhooks of an account, in the transaction of what they tell of. */
import type { WebhookEvent } from '@drawbridge/contract/choices';
import { maxWaitingDeliveries, requestContent } from '../../../domain/webhooks.ts';
import type { Tx } from '../../engine/transaction.ts';
import { requestRecord } from '../requests/request-reads.ts';

/** The webhooks that want this event, with the number of messages that wait for each. */
async function receiversOf({ db }: Tx, accountId: number, event: WebhookEvent) {
  const rows = await db
    .selectFrom('webhook')
    .leftJoin('webhook_delivery as delivery', 'delivery.webhook_id', 'webhook.id')
    .select(['webhook.id', 'webhook.events'])
    .select((eb) => eb.fn.count<number>('delivery.id').as('waiting'))
    .where('webhook.account_id', '=', accountId)
    .where('webhook.enabled', '=', 1)
    .groupBy(['webhook.id', 'webhook.events'])
    .execute();
  return rows.filter(({ events }) => (JSON.parse(events) as WebhookEvent[]).includes(event));
}

/** The account's row must be locked, so that no webhook is removed meanwhile. */
export async function queueRequestEvent(
  tx: Tx,
  accountId: number,
  event: WebhookEvent,
  requestId: number,
): Promise<void> {
  const receivers = await receiversOf(tx, accountId, event);
  if (receivers.length === 0) return;
  const request = await requestRecord(tx, accountId, requestId);
  if (!request) return;
  const message = { event, content: JSON.stringify(requestContent(request)) };
  for (const { id, waiting } of receivers) {
    if (Number(waiting) >= maxWaitingDeliveries) await countLost(tx, accountId, id);
    else await addDelivery(tx, { account_id: accountId, webhook_id: id, ...message });
  }
}

const countLost = ({ db }: Tx, accountId: number, id: number) =>
  db
    .updateTable('webhook')
    .set((eb) => ({ lost: eb('lost', '+', 1) }))
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();

const addDelivery = (
  { db, now }: Tx,
  message: { account_id: number; webhook_id: number; event: string; content: string },
) =>
  db
    .insertInto('webhook_delivery')
    .values({ ...message, create_time: now, attempts: 0, next_time: now })
    .execute();
