/** Migration 7: people who sign in to the panel, their second factors, server administrators, and brands. */
import type { Migration } from '../migration.ts';

export const panel: Migration = ({ key, int, reference, serverRowSecurity }) => [
  // Server administrators: at first the owner of the first account.
  `alter table member add column operator ${int} not null default 0`,
  `update member set operator = 1 where owner = 1 and account_id = (select min(account_id) from account)`,

  // One row for each browser where somebody is signed in. Only the digest of the cookie is stored.
  `create table panel_session (
    id ${key},
    account_id ${reference('account(account_id)', 'cascade')} not null,
    member_id ${reference('member(id)', 'cascade')} not null,
    digest text not null,
    create_time ${int} not null,
    seen_time ${int} not null,
    fresh_time ${int} not null,
    address text not null,
    user_agent text not null
  )`,
  `create unique index panel_session_digest on panel_session (digest)`,
  `create index panel_session_member on panel_session (member_id)`,
  `create index panel_session_seen on panel_session (seen_time)`,

  // Steps that must be finished within minutes: the challenge of a passkey, a code, the choice of an account.
  `create table sign_in_step (
    digest text primary key,
    kind text not null,
    member_ids text not null,
    challenge text not null,
    tries_left ${int} not null,
    expire_time ${int} not null
  )`,
  ...serverRowSecurity('sign_in_step'),

  // A secret without `confirm_time` does not count yet. A time step can be used once.
  `create table totp (
    member_id ${reference('member(id)', 'cascade')} primary key not null,
    account_id ${reference('account(account_id)', 'cascade')} not null,
    secret text not null,
    confirm_time ${int},
    last_step ${int} not null default 0
  )`,

  `create table recovery_code (
    member_id ${reference('member(id)', 'cascade')} not null,
    account_id ${reference('account(account_id)', 'cascade')} not null,
    digest text not null,
    primary key (member_id, digest)
  )`,

  `create table passkey (
    id ${key},
    account_id ${reference('account(account_id)', 'cascade')} not null,
    member_id ${reference('member(id)', 'cascade')} not null,
    credential text not null,
    public_key text not null,
    counter ${int} not null,
    transports text not null,
    name text not null,
    create_time ${int} not null,
    last_used_time ${int}
  )`,
  `create unique index passkey_credential on passkey (credential)`,
  `create index passkey_member on passkey (member_id)`,

  // The picture is small and stored in the row, as base64.
  `create table brand (
    account_id ${reference('account(account_id)', 'cascade')} primary key not null,
    name text not null,
    accent text not null,
    logo_type text not null,
    logo_digest text not null,
    logo text not null
  )`,
  `create index brand_logo on brand (logo_digest)`,
];
