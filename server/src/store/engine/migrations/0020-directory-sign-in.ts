/** Migration 19: people can sign in with the password of their directory. */
import type { Migration } from '../migration.ts';

export const directorySignIn: Migration = ({ int }) => [
  `alter table directory add column sign_in ${int} not null default 0`,
];
