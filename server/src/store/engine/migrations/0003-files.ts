/** Migration 3: what is known of attached files beside their name and size. */
import type { Migration } from '../migration.ts';

export const files: Migration = () => [
  `alter table attached_file add column type text not null default ''`,
  `alter table attached_file add column note text not null default ''`,
  `alter table attached_file add column author text not null default ''`,
  // The name under which the bytes lie, made up by the server; empty where there are none.
  `alter table attached_file add column place text not null default ''`,
  `create index attached_file_place on attached_file (account_id, place)`,
];
