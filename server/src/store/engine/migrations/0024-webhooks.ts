/** Migration 24: accounts have webhooks, and messages for them wait until they are delivered. */
import type { Migration } from '../migration.ts';

export const webhooks: Migration = ({ key, int, reference }) => [
  `create table webhook (
    id ${key},
    account_id ${reference('account(account_id)', 'cascade')} not null,
    name text not null,
    url text not null,
    ca text not null,
    secret text not null,
    events text not null,
    enabled ${int} not null,
    create_time ${int} not null,
    problem text not null,
    http_status ${int} not null,
    last_time ${int},
    failing_since ${int},
    lost ${int} not null,
    disabled_time ${int}
  )`,
  `create index webhook_account on webhook (account_id)`,
  `create table webhook_delivery (
    id ${key},
    account_id ${reference('account(account_id)', 'cascade')} not null,
    webhook_id ${reference('webhook(id)', 'cascade')} not null,
    event text not null,
    content text not null,
    create_time ${int} not null,
    attempts ${int} not null,
    next_time ${int} not null
  )`,
  `create index webhook_delivery_account on webhook_delivery (account_id)`,
  `create index webhook_delivery_webhook on webhook_delivery (webhook_id, next_time)`,
  `create index webhook_delivery_next on webhook_delivery (next_time)`,
];
