/**
 * Migration 5: sessions that are opened, interrupted and resumed, links of people without an account, and waiting
 * clients.
 */
import type { Migration } from '../migration.ts';

export const sessions: Migration = ({ int, reference }) => [
  // Links live for five minutes: people request those that are waiting now again.
  `drop table link`,
  `create table link (
    digest text primary key,
    account_id ${reference('account(account_id)', 'cascade')} not null,
    member_id ${reference('member(id)', 'cascade')},
    agent_id ${reference('agent(id)', 'cascade')},
    invitation_id ${reference('invitation(id)', 'cascade')},
    door text not null check (door in ('api', 'permanent', 'onetime', 'operator')),
    video ${int},
    expire_time ${int} not null,
    used_time ${int},
    check ((member_id is null) = (door <> 'api'))
  )`,
  `create index link_expiry on link (expire_time)`,
  `create index link_member on link (member_id)`,
  `create index link_agent on link (agent_id)`,
  `create index link_invitation on link (invitation_id)`,

  `alter table agent_group add column confirm text not null default 'never' check (confirm in ('never', 'ask'))`,

  `alter table invitation add column client_key text not null default ''`,
  // When the client counts as gone; the process that holds its connection renews this.
  `alter table invitation add column client_until ${int} not null default 0`,
  // The operator's URL works once for those without an account.
  `alter table invitation add column connect_used ${int} not null default 0`,
  `create index invitation_client on invitation (client_until) where status in (1, 2)`,
  `create unique index invitation_connect on invitation (connect_token)`,

  `alter table session add column door text not null default 'api'`,
  `alter table session add column permissions text not null default '[]'`,
  `alter table session add column secret_digest text not null default ''`,
  `alter table session add column record ${int} not null default 0`,
  // Whether both sides have connected: before that it does not count as a session.
  `alter table session add column begun ${int} not null default 1`,
  // Whether the operator is connected to the relay.
  `alter table session add column present ${int} not null default 0`,
  `alter table session add column ended_by text not null default ''`,
  `alter table session add column note text not null default ''`,
  `create index session_opening on session (id) where begun = 0`,
  `create index session_present on session (invitation_id) where present = 1`,
];
