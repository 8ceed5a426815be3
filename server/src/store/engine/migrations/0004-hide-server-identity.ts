/** Migration 4: row-level security for the server's own key, so that no connection of an account can read it. */
import type { Migration } from '../migration.ts';

export const hideServerIdentity: Migration = ({ serverRowSecurity }) => serverRowSecurity('server_identity');
