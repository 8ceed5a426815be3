/** Reads webhooks and the messages that wait for them, in SQL. */
import type { WebhookEvent } from '@drawbridge/contract/choices';
import type { Kysely } from 'kysely';
import type { WebhookTarget } from '../../../domain/webhooks.ts';
import type { Reader } from '../../engine/database.ts';
import type { Tables } from '../../engine/schema.ts';
import type { SecretBox, SecretPlace } from '../../secrets/secret-box.ts';
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
    oldUntil: row.old_until,
  }));
}

interface TargetRow {
  account_id: number;
  webhook_id: number;
  url: string;
  ca: string;
  secret: string;
  old_secret: string;
  old_until: number;
}

const targetColumns = [
  'webhook.account_id',
  'webhook.id as webhook_id',
  'webhook.url',
  'webhook.ca',
  'webhook.secret',
  'webhook.old_secret',
  'webhook.old_until',
] as const;

export const webhookSecretOf = (accountId: number, id: number): SecretPlace => ({
  column: 'webhook.secret',
  accountId,
  id,
});

/** Nothing is signed without the current secret: receivers that know only this one would refuse it. */
function secretsOf(row: TargetRow, now: number, secrets: SecretBox): string[] {
  const place = webhookSecretOf(row.account_id, row.webhook_id);
  const current = secrets.open(place, row.secret);
  if (current === undefined) return [];
  const old = row.old_until > now ? secrets.open(place, row.old_secret) : undefined;
  return old === undefined ? [current] : [current, old];
}

const toTarget = (row: TargetRow, now: number, secrets: SecretBox): WebhookTarget => ({
  url: row.url,
  ca: row.ca,
  secrets: secretsOf(row, now, secrets),
});

export const webhookReads = (reader: Reader, now: () => number, secrets: SecretBox): WebhookReads => ({
  async hasDue(time) {
    const row = await reader('all')
      .selectFrom('webhook_delivery')
      .select('id')
      .where('next_time', '<=', time)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  },

  list: (accountId) => listWebhooks(reader(accountId), accountId),

  async target(accountId, id) {
    const row = await reader(accountId)
      .selectFrom('webhook')
      .select(targetColumns)
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && toTarget(row, now(), secrets);
  },

  async delivery(accountId, id) {
    const row = await reader(accountId)
      .selectFrom('webhook_delivery as delivery')
      .innerJoin('webhook', 'webhook.id', 'delivery.webhook_id')
      .select(['delivery.id', 'delivery.event', 'delivery.content', 'delivery.create_time'])
      .select(targetColumns)
      .where('delivery.account_id', '=', accountId)
      .where('delivery.id', '=', id)
      .executeTakeFirst();
    if (!row) return undefined;
    const { event, content, create_time: createTime } = row;
    return { target: toTarget(row, now(), secrets), delivery: { id: row.id, event, content, createTime } };
  },
});
