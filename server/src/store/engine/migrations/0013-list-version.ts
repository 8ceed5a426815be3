/** Migration 13: accounts count the changes that lists of devices show, so that lists can be kept until the next one. */
import type { Migration } from '../migration.ts';

export const listVersion: Migration = ({ int, reference }) => [
  // The version is the sum of several counters, so that simultaneous changes seldom wait for the same row.
  `create table list_version (
    account_id ${reference('account(account_id)', 'cascade')} not null,
    shard ${int} not null,
    version ${int} not null,
    primary key (account_id, shard)
  )`,
];
