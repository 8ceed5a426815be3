/** The server and its commands as a later version: with one more migration, which removes a column in its contract step. */
import { migrations, type ListedMigration } from '@drawbridge/server/store/engine/migrate';

(migrations as ListedMigration[]).push({
  expand: () => [
    `alter table node add column color text not null default ''`,
    `alter table agent_group add column color text not null default ''`,
  ],
  contract: () => [`alter table department drop column ldap`],
});

await import(process.argv[2] === 'start' ? '@drawbridge/server/main' : '@drawbridge/server/admin/main');
