/** Migration 17: accounts can import people and departments from LDAP directories, which can disable people. */
import type { Migration } from '../migration.ts';

export const directories: Migration = ({ key, int, reference }) => [
  `create table directory (
    id ${key},
    account_id ${reference('account(account_id)', 'cascade')} not null,
    member_id ${int} not null,
    name text not null,
    url text not null,
    ca text not null,
    bind_dn text not null,
    bind_password text not null,
    base text not null,
    person_filter text not null,
    group_filter text not null,
    adopt ${int} not null,
    every_minutes ${int} not null,
    removal_percent ${int} not null,
    next_time ${int},
    last_time ${int},
    last_problem text not null default ''
  )`,
  `create index directory_account on directory (account_id)`,
  `create index directory_next on directory (next_time) where next_time is not null`,
  `alter table member add column disabled ${int} not null default 0`,
  `alter table member add column directory_id ${reference('directory(id)', 'set null')}`,
  `alter table member add column directory_uid text`,
  `create unique index member_directory on member (directory_id, directory_uid) where directory_id is not null`,
  `alter table department add column directory_id ${reference('directory(id)', 'set null')}`,
  `alter table department add column directory_uid text`,
  `create unique index department_directory on department (directory_id, directory_uid) where directory_id is not null`,
];
