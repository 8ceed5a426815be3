/** Reads webhooks and the messages that wait for them, in SQL. */
import type { WebhookEvent } from '@drawbridge/contract/choices';
import type { Kysely } from 'kysely';
import type { Reader } from '../../engine/database.ts';
import type { Tables } from '../../engine/schema.ts';
import type { ListedWebhook, WebhookReads } from './webhook-records.ts';

async function listWebhooks(db: Kysely<Tables>, accountId: number): Promise<ListedWebhook[]> {
  const rows = await db
    .selectFrom('webhook')
    .leftJoin('webhook_delivery as delivery', 'delivery.webhook_id', 'webhook.id')
    .selectAll('webhook')
    .select((eb) => [eb.fn.count<number>('delivery.id').as('waiting'), eb.fn.min('next_time').as('next')])
    .where('webhook.account_id', '=', accountId)
    .groupBy('webhook.id')
    .orderBy('webhook.id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    url: row.url,
    ca: row.ca,
    events: JSON.parse(row.events) as WebhookEvent[],
    enabled: row.enabled === 1,
    createTime: row.create_time,
    problem: row.problem,
    httpStatus: row.http_status,
    lastTime: row.last_time,
    waiting: Number(row.waiting),
    nextTime: row.next === null ? null : Number(row.next),
    failingSince: row.failing_since,
    lost: row.lost,
    disabledTime: row.disabled_time,
  }));
}

export const webhookReads = (reader: Reader): WebhookReads => ({
  async hasDue(now) {
    const row = await reader('all')
      .selectFrom('webhook_delivery')
      .select('id')
      .where('next_time', '<=', now)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  },

  list: (accountId) => listWebhooks(reader(accountId), accountId),

  target: (accountId, id) =>
    reader(accountId)
      .selectFrom('webhook')
      .select(['url', 'ca', 'secret'])
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst(),

  async delivery(accountId, id) {
    const row = await reader(accountId)
      .selectFrom('webhook_delivery as delivery')
      .innerJoin('webhook', 'webhook.id', 'delivery.webhook_id')
      .select(['delivery.id', 'delivery.event', 'delivery.content', 'delivery.create_time'])
      .select(['webhook.url', 'webhook.ca', 'webhook.secret'])
      .where('delivery.account_id', '=', accountId)
      .where('delivery.id', '=', id)
      .executeTakeFirst();
    if (!row) return undefined;
    const { url, ca, secret, create_time: createTime, ...delivery } = row;
    return { target: { url, ca, secret }, delivery: { ...delivery, createTime } };
  },
});
