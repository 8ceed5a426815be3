/** Migration 28: until when a session waits for a second person, so that people can see what waits on all their devices. */
import type { MigrationSteps } from '../migration.ts';

export const waitingApprovals: MigrationSteps = {
  expand: ({ int }) => [
    `alter table session add column approval_until ${int} not null default 0`,
    `create index session_approval on session (account_id, approval_until) where approval_until > 0`,
  ],
};
