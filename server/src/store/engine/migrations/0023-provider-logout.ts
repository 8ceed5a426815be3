/** Migration 23: identity providers can end what began with a sign-in there (back-channel logout). */
import type { Migration } from '../migration.ts';

export const providerLogout: Migration = ({ int, reference }) => [
  `create table provider_logout (
    account_id ${reference('account(account_id)', 'cascade')} not null,
    provider_id ${reference('provider(id)', 'cascade')} not null,
    jti text not null,
    sid text not null,
    expire_time ${int} not null,
    primary key (provider_id, jti)
  )`,
  `create index provider_logout_account on provider_logout (account_id)`,
  `alter table panel_session add column sso_sid text not null default ''`,
  `alter table link add column provider_id ${reference('provider(id)', 'set null')}`,
  `alter table link add column sso_sid text not null default ''`,
  `create index link_provider on link (provider_id) where provider_id is not null`,
  `alter table session add column provider_id ${reference('provider(id)', 'set null')}`,
  `alter table session add column sso_sid text not null default ''`,
  `create index session_provider on session (provider_id) where provider_id is not null`,
];
