/**
 * Migration 30: which pairing holds a session, and which connection holds the client of an invitation. A server that missed
 * that they moved to another one learns it from here.
 */
import type { MigrationSteps } from '../migration.ts';

export const holders: MigrationSteps = {
  expand: () => [
    `alter table session add column holder text not null default ''`,
    `alter table invitation add column client_holder text not null default ''`,
  ],
};
