/** Migration 19: identity providers can provision people and departments by SCIM, with tokens of their own. */
import type { Migration } from '../migration.ts';

export const provisioning: Migration = ({ key, int, reference }) => [
  `create table scim_token (
    id ${key},
    account_id ${reference('account(account_id)', 'cascade')} not null,
    member_id ${reference('member(id)', 'cascade')} not null,
    digest text not null,
    prefix text not null,
    name text not null,
    create_time ${int} not null,
    expire_time ${int},
    last_used_time ${int}
  )`,
  `create unique index scim_token_digest on scim_token (digest)`,
  `create index scim_token_account on scim_token (account_id)`,
  `create index scim_token_member on scim_token (member_id)`,
  `create table scim_user (
    account_id ${reference('account(account_id)', 'cascade')} not null,
    member_id ${reference('member(id)', 'cascade')} not null primary key,
    user_name text not null,
    user_name_folded text not null,
    external_id text,
    profile text not null,
    removed ${int} not null,
    modify_time ${int} not null
  )`,
  `create unique index scim_user_name on scim_user (account_id, user_name_folded)`,
  `create index scim_user_external on scim_user (account_id, external_id)`,
  `create table scim_group (
    account_id ${reference('account(account_id)', 'cascade')} not null,
    department_id ${reference('department(id)', 'cascade')} not null primary key,
    external_id text
  )`,
  `create index scim_group_account on scim_group (account_id)`,
];
