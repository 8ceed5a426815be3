/** Migration 17: where the nodes reach each other, as JSON. */
import type { Migration } from '../migration.ts';

export const nodeEndpoints: Migration = () => [`alter table node add column endpoint text`];
