/** The plan of an account as stored in its row. */
import type { Plan } from '../../domain/people/plan.ts';
import type { AccountTable } from '../engine/schema.ts';

export type PlanColumns = Pick<
  AccountTable,
  'plan_computers' | 'plan_invitations' | 'plan_files' | 'plan_requests' | 'plan_recording_mb'
>;

export const planColumns = [
  'plan_computers',
  'plan_invitations',
  'plan_files',
  'plan_requests',
  'plan_recording_mb',
] as const;

export const toPlan = (row: PlanColumns): Plan => ({
  computers: row.plan_computers,
  invitations: row.plan_invitations,
  files: row.plan_files,
  requests: row.plan_requests,
  recordingMb: row.plan_recording_mb,
});
