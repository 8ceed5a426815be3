/** Migration 8: one-time links and operator's URLs are made for one person each. */
import type { Migration } from '../migration.ts';

export const personalLinks: Migration = ({ int, reference }) => [
  // Links live for five minutes: people request those that are waiting now again. All links belong to a person, except
  // those by password.
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
    check ((member_id is null) = (door = 'permanent'))
  )`,
  `create index link_expiry on link (expire_time)`,
  `create index link_member on link (member_id)`,
  `create index link_agent on link (agent_id)`,
  `create index link_invitation on link (invitation_id)`,

  // Uses in windows that are over do not matter.
  `drop table onetime_use`,
  `create table onetime_use (
    account_id ${reference('account(account_id)', 'cascade')} not null,
    agent_id ${reference('agent(id)', 'cascade')} not null,
    member_id ${reference('member(id)', 'cascade')} not null,
    window_number ${int} not null,
    primary key (agent_id, member_id, window_number)
  )`,
  `create index onetime_use_member on onetime_use (member_id)`,

  // The secrets of these invitations were shown: anyone who kept one could derive the URL of any person from it.
  `update invitation set connect_used = 1`,
];
