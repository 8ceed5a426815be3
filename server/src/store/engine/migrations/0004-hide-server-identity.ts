/** Migration 4: the server's own key is behind a wall too, so that no connection of an account can read it. */
import type { Migration } from '../migration.ts';

export const hideServerIdentity: Migration = ({ serverRowSecurity }) => serverRowSecurity('server_identity');
