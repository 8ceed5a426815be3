/** Migration 9: the networks where people signed in, which wrong guesses from elsewhere do not block. */
import type { Migration } from '../migration.ts';

export const knownNetworks: Migration = ({ int, reference }) => [
  `create table known_network (
    member_id ${reference('member(id)', 'cascade')} not null,
    network text not null,
    account_id ${reference('account(account_id)', 'cascade')} not null,
    seen_time ${int} not null,
    primary key (member_id, network)
  )`,
  `create index known_network_seen on known_network (seen_time)`,
];
