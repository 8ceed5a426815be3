/** Migration 26: the time at which a provider last ended everything of a person, for sign-ins that are not finished. */
import type { MigrationSteps } from '../migration.ts';

export const logoutOfPerson: MigrationSteps = {
  expand: ({ int }) => [`alter table provider_identity add column logout_time ${int} not null default 0`],
};
