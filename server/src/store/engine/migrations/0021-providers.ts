/** Migration 19: people can sign in with identity providers (OpenID Connect) of their account. */
import type { Migration } from '../migration.ts';

export const providers: Migration = ({ key, int, reference }) => [
  `create table provider (
    id ${key},
    account_id ${reference('account(account_id)', 'cascade')} not null,
    sign_in_name text not null,
    name text not null,
    issuer text not null,
    ca text not null,
    client_id text not null,
    client_secret text not null,
    scopes text not null,
    groups_claim text not null,
    create_people ${int} not null,
    adopt ${int} not null,
    enabled ${int} not null,
    member_id ${int} not null,
    create_time ${int} not null
  )`,
  `create unique index provider_sign_in_name on provider (sign_in_name)`,
  `create index provider_account on provider (account_id)`,
  `create table provider_group (
    account_id ${reference('account(account_id)', 'cascade')} not null,
    provider_id ${reference('provider(id)', 'cascade')} not null,
    department_id ${reference('department(id)', 'cascade')} not null,
    group_name text not null,
    member_id ${int} not null,
    primary key (provider_id, group_name, department_id)
  )`,
  `create index provider_group_department on provider_group (department_id)`,
  `create table provider_identity (
    account_id ${reference('account(account_id)', 'cascade')} not null,
    provider_id ${reference('provider(id)', 'cascade')} not null,
    member_id ${reference('member(id)', 'cascade')} not null,
    subject text not null,
    email text not null,
    create_time ${int} not null,
    last_time ${int} not null,
    primary key (provider_id, subject)
  )`,
  `create unique index provider_identity_member on provider_identity (member_id, provider_id)`,
  `alter table department_member add column provider_id ${reference('provider(id)', 'set null')}`,
  `create index department_member_provider on department_member (provider_id) where provider_id is not null`,
  `alter table panel_session add column provider_id ${reference('provider(id)', 'cascade')}`,
  `create index panel_session_provider on panel_session (provider_id) where provider_id is not null`,
  `alter table account add column only_sso ${int} not null default 0`,
];
