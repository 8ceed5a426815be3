/** Migration 16: agents update themselves as the account says, and report how it proceeds. */
import type { Migration } from '../migration.ts';

export const updates: Migration = ({ int, reference }) => [
  `create table update_settings (
    account_id ${reference('account(account_id)', 'cascade')} not null primary key,
    enabled ${int} not null,
    window_start ${int} not null,
    window_end ${int} not null,
    group_order text not null,
    canary ${int} not null,
    failure_percent ${int} not null,
    per_minute ${int} not null,
    paused text not null,
    round_time ${int} not null
  )`,
  `create table agent_update (
    agent_id ${reference('agent(id)', 'cascade')} not null primary key,
    account_id ${reference('account(account_id)', 'cascade')} not null,
    pin text not null default '',
    progress text not null default '',
    target text not null default '',
    message text not null default '',
    report_time ${int} not null default 0
  )`,
  `create index agent_update_account on agent_update (account_id)`,
];
