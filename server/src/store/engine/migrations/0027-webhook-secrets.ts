/** Migration 27: after a secret of a webhook was renewed, the one before signs too for a while. */
import type { MigrationSteps } from '../migration.ts';

export const webhookSecrets: MigrationSteps = {
  expand: ({ int }) => [
    `alter table webhook add column old_secret text not null default ''`,
    `alter table webhook add column old_until ${int} not null default 0`,
  ],
};
