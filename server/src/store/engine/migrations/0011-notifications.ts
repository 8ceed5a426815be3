/** Migration 11: subscriptions to devices, what happened to them, and what people were notified of. */
import type { Migration } from '../migration.ts';

export const notifications: Migration = ({ key, int, reference, serverRowSecurity }) => [
  `create table notification_subscription (
    id ${key},
    account_id ${reference('account(account_id)', 'cascade')} not null,
    member_id ${reference('member(id)', 'cascade')} not null,
    agent_id ${reference('agent(id)', 'cascade')},
    group_id ${reference('agent_group(id)', 'cascade')},
    target text not null,
    offline ${int} not null,
    back ${int} not null,
    new_device ${int} not null,
    session_began ${int} not null,
    client_waits ${int} not null,
    minutes ${int} not null,
    since_time ${int} not null
  )`,
  `create unique index notification_subscription_target on notification_subscription (member_id, target)`,
  `create index notification_subscription_account on notification_subscription (account_id)`,
  `create index notification_subscription_agent on notification_subscription (agent_id)`,
  `create index notification_subscription_group on notification_subscription (group_id)`,

  // The kinds that the person also receives by mail, as JSON.
  `create table notification_settings (
    member_id ${reference('member(id)', 'cascade')} primary key not null,
    account_id ${reference('account(account_id)', 'cascade')} not null,
    mail text not null
  )`,

  // What happened and was not evaluated yet: added in the transaction in which it happens.
  `create table notification_cause (
    id ${key},
    account_id ${reference('account(account_id)', 'cascade')} not null,
    kind text not null,
    agent_id ${reference('agent(id)', 'cascade')},
    invitation_id ${reference('invitation(id)', 'cascade')},
    session_id ${reference('session(id)', 'cascade')},
    time ${int} not null
  )`,
  `create index notification_cause_agent on notification_cause (agent_id)`,
  `create index notification_cause_invitation on notification_cause (invitation_id)`,
  `create index notification_cause_session on notification_cause (session_id)`,

  `create table notification (
    id ${key},
    account_id ${reference('account(account_id)', 'cascade')} not null,
    member_id ${reference('member(id)', 'cascade')} not null,
    kind text not null,
    time ${int} not null,
    total ${int} not null,
    read_time ${int},
    mail_time ${int},
    mail_attempts ${int} not null default 0
  )`,
  `create index notification_member on notification (member_id, id)`,
  `create index notification_time on notification (time)`,
  `create index notification_mail on notification (mail_time) where mail_time is not null`,

  // One cause for one person.
  `create table notification_item (
    member_id ${reference('member(id)', 'cascade')} not null,
    cause text not null,
    account_id ${reference('account(account_id)', 'cascade')} not null,
    kind text not null,
    agent_id ${reference('agent(id)', 'cascade')},
    invitation_id ${reference('invitation(id)', 'cascade')},
    session_id ${reference('session(id)', 'cascade')},
    time ${int} not null,
    due_time ${int} not null,
    notification_id ${reference('notification(id)', 'set null')},
    told_time ${int},
    back_time ${int},
    open ${int} not null,
    primary key (member_id, cause)
  )`,
  `create index notification_item_agent on notification_item (agent_id, open)`,
  `create index notification_item_invitation on notification_item (invitation_id)`,
  `create index notification_item_session on notification_item (session_id)`,
  `create index notification_item_notification on notification_item (notification_id)`,
  `create index notification_item_told on notification_item (told_time)`,
  `create index notification_item_back on notification_item (back_time) where back_time is not null`,

  // One row: the process that evaluates, and up to when it has.
  `create table notification_round (
    number ${int} primary key check (number = 1),
    holder text not null,
    lease_until ${int} not null,
    evaluated ${int} not null,
    gap_from ${int} not null,
    gap_to ${int} not null
  )`,
  ...serverRowSecurity('notification_round'),
];
