/** Migration 15: the keys of messages between nodes, and the nodes that share the database. */
import type { Migration } from '../migration.ts';

export const nodes: Migration = ({ key, int, serverRowSecurity }) => [
  `create table bus_key (
    id ${key},
    secret text not null,
    created_time ${int} not null
  )`,
  ...serverRowSecurity('bus_key'),
  `create table node (
    id text primary key,
    alive_until ${int} not null,
    has_bus ${int} not null,
    shared text not null
  )`,
  ...serverRowSecurity('node'),
];
