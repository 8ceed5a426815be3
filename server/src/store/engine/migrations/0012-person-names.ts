/** Migration 12: people can have a name beside their e-mail address. */
import type { Migration } from '../migration.ts';

export const personNames: Migration = () => [`alter table member add column name text not null default ''`];
