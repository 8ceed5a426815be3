/** Migration 2: devices that prove their identity, enrolment, and the identity of the server. */
import type { Migration } from '../migration.ts';

export const devices: Migration = ({ key, int, reference }) => [
  `alter table account add column approve_devices ${int} not null default 0`,

  `alter table agent add column public_key text`,
  `alter table agent add column approved ${int} not null default 1`,
  `alter table agent add column epoch text not null default ''`,
  `alter table agent add column epoch_next text not null default ''`,
  `alter table agent add column copied_time ${int}`,
  `alter table agent add column machine_id text not null default ''`,
  `alter table agent add column serial text not null default ''`,
  `alter table agent add column macs text not null default ''`,
  `alter table agent add column software text not null default '[]'`,
  `alter table agent add column software_time ${int} not null default 0`,
  `create unique index agent_public_key on agent (public_key)`,

  `create table enrolment (
    id ${key},
    account_id ${reference('account(account_id)', 'cascade')} not null,
    member_id ${reference('member(id)', 'cascade')} not null,
    digest text not null,
    group_id ${reference('agent_group(id)', 'set null')},
    uses ${int} not null,
    uses_left ${int} not null,
    create_time ${int} not null,
    expire_time ${int} not null,
    revoke_time ${int}
  )`,
  `create unique index enrolment_digest on enrolment (digest)`,
  `create index enrolment_account on enrolment (account_id, id)`,
  `create index enrolment_member on enrolment (member_id)`,
  `create index enrolment_group on enrolment (group_id)`,

  // The server's own key belongs to no account: it identifies the server to the devices of all accounts.
  `create table server_identity (
    number ${int} primary key check (number = 1),
    private_key text not null,
    public_key text not null
  )`,
];
