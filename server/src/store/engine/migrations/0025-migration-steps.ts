/** Migration 25: the database says which migrations older servers can work with, and each node which it knows. */
import type { MigrationSteps } from '../migration.ts';

export const migrationSteps: MigrationSteps = {
  expand: ({ int }) => [
    `alter table migration add column contracted ${int} not null default 1`,
    // Servers from before this migration do not enter a number.
    `alter table node add column schema ${int} not null default 0`,
  ],
};
