/** Migration 29: where the picture of a brand is stored, if it is not in its row. */
import type { MigrationSteps } from '../migration.ts';

export const storedPictures: MigrationSteps = {
  expand: ({ int }) => [
    `alter table brand add column logo_place text not null default ''`,
    `alter table brand add column logo_size ${int} not null default 0`,
  ],
  // Changes nothing: from then on no server is alive that finds pictures only in their rows.
  contract: () => [],
};
