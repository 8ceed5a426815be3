/** Migration 19: granted roles can end, and people can ask for one for a while. */
import type { Migration } from '../migration.ts';

export const accessRequests: Migration = ({ key, int, reference }) => [
  `create table access_request (
    id ${key},
    account_id ${reference('account(account_id)', 'cascade')} not null,
    member_id ${reference('member(id)', 'cascade')} not null,
    role_id ${reference('role(id)', 'cascade')} not null,
    agent_id ${reference('agent(id)', 'cascade')},
    group_id ${reference('agent_group(id)', 'cascade')},
    reason text not null,
    minutes ${int} not null,
    emergency ${int} not null,
    state text not null,
    create_time ${int} not null,
    expire_time ${int} not null,
    decided_by ${reference('member(id)', 'set null')},
    decide_time ${int},
    decision text not null,
    until_time ${int}
  )`,
  `create index access_request_account on access_request (account_id, id)`,
  `create index access_request_member on access_request (member_id)`,
  `create index access_request_role on access_request (role_id)`,
  `create index access_request_agent on access_request (agent_id)`,
  `create index access_request_group on access_request (group_id)`,
  `create index access_request_decided on access_request (decided_by)`,
  `alter table access_entry add column until_time ${int}`,
  `alter table access_entry add column request_id ${reference('access_request(id)', 'cascade')}`,
  `drop index access_entry_once`,
  `create unique index access_entry_once on access_entry
    (role_id, coalesce(member_id, 0), coalesce(department_id, 0), coalesce(agent_id, 0), coalesce(group_id, 0), coalesce(request_id, 0))`,
  `create index access_entry_until on access_entry (account_id, until_time) where until_time is not null`,
  `create index access_entry_request on access_entry (request_id) where request_id is not null`,
  `alter table account add column request_minutes ${int} not null default 480`,
  `alter table account add column emergency_access ${int} not null default 0`,
  `alter table session add column reason text not null default ''`,
];
