/** Migration 10: an account, a group or a device can forbid one-time URLs. */
import type { Migration } from '../migration.ts';

const column = (initial: 'allow' | 'inherit'): string => `onetime_url text not null default '${initial}'`;

export const onetimeUrls: Migration = () => [
  `alter table account add column ${column('allow')}`,
  `alter table agent_group add column ${column('inherit')}`,
  `alter table agent add column ${column('inherit')}`,
  // It was 1 for every device: nothing could change it.
  `alter table agent drop column onetime_allowed`,
];
