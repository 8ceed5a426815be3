/** Migration 31: what a role permitted when somebody asked for it, so that an approval gives this and nothing else. */
import type { MigrationSteps } from '../migration.ts';

/** Nothing better is known of earlier requests than what their roles permit now. */
const fillIn = `update access_request set permissions =
  (select role.permissions from role where role.id = access_request.role_id) where permissions is null`;

export const askedPermissions: MigrationSteps = {
  expand: () => [`alter table access_request add column permissions text`, fillIn],
  // Servers of the version before do not store them.
  contract: () => [fillIn],
};
