/** Migration 14: accounts, groups and devices have policies, which also hold what was decided about consent and one-time URLs. */
import type { Migration } from '../migration.ts';

const column = `policy text not null default '{}'`;

export const policies: Migration = ({ int }) => [
  `alter table account add column ${column}`,
  `alter table agent_group add column ${column}`,
  `alter table agent add column ${column}`,
  `update account set policy = '{"onetime_url":"forbid"}' where onetime_url = 'forbid'`,
  `update agent set policy = '{"onetime_url":"' || onetime_url || '"}' where onetime_url <> 'inherit'`,
  `update agent_group set policy = '{"onetime_url":"' || onetime_url || '"}' where onetime_url <> 'inherit'`,
  `update agent_group set policy = '{"confirm":"ask"}' where confirm = 'ask' and onetime_url = 'inherit'`,
  `update agent_group set policy = '{"confirm":"ask","onetime_url":"' || onetime_url || '"}'
    where confirm = 'ask' and onetime_url <> 'inherit'`,
  `alter table account drop column onetime_url`,
  `alter table agent_group drop column onetime_url`,
  `alter table agent_group drop column confirm`,
  `alter table agent drop column onetime_url`,
  // Incremented when the policy of a device may have changed: the number with which devices receive it.
  `alter table account add column policy_version ${int} not null default 1`,
  // The version of the uplink that the agent used last; since version 3, agents enforce policies themselves.
  `alter table agent add column uplink_version ${int} not null default 1`,
];
