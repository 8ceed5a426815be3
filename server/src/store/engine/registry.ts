/** Every change by name, and how one runs: its function and its audit line, inside a transaction that is already open. */
import { toErrorBody, fault, isFault } from '@drawbridge/contract/faults';
import type { Kysely } from 'kysely';
import { accountChanges } from '../people/accounts.ts';
import { accessChanges } from '../people/access.ts';
import { agentChanges } from '../devices/agent-changes.ts';
import { appendAudit, auditChanges } from '../audit/audit.ts';
import { brandChanges } from '../people/brands.ts';
import { busKeyChanges } from '../nodes/bus-keys.ts';
import { clientChanges } from '../support/invitation-clients.ts';
import { clockChanges } from '../nodes/clock.ts';
import { departmentChanges } from '../people/departments.ts';
import { directoryChanges } from '../people/directory/directories.ts';
import { requestChanges } from '../people/requests/requests.ts';
import { provisioningChanges } from '../people/provisioning/provisioning.ts';
import { webhookChanges } from '../people/webhooks/webhooks.ts';
import { deviceIdentityChanges } from '../devices/device-identity.ts';
import { enrolmentChanges } from '../devices/enrolment.ts';
import { factorChanges } from '../people/sign-in/factors.ts';
import { fileChanges } from '../blobs/files.ts';
import { policyChanges } from '../devices/policies.ts';
import { groupChanges } from '../devices/groups.ts';
import { identityChanges } from '../devices/server-identity.ts';
import { invitationChanges } from '../support/invitations.ts';
import { keyChanges } from '../people/keys.ts';
import { applyListEffect } from './list-effects.ts';
import { linkChanges } from '../support/links.ts';
import { memberNameChanges } from '../people/member-names.ts';
import { memberChanges } from '../people/members.ts';
import { panelSessionChanges } from '../people/sign-in/panel-sessions.ts';
import { evaluationChanges } from '../notifications/evaluation.ts';
import { notificationChanges } from '../notifications/notifications.ts';
import { subscriptionChanges } from '../notifications/subscriptions.ts';
import { nodeChanges } from '../nodes/nodes.ts';
import { noteChanges } from '../devices/notes.ts';
import { operatorChanges } from '../people/operators.ts';
import { planChanges } from '../people/plan.ts';
import { presenceChanges } from '../devices/presence.ts';
import { providerLogoutChanges } from '../people/provider/provider-logout.ts';
import { providerSignInChanges } from '../people/provider/provider-sign-in.ts';
import { providerChanges } from '../people/provider/providers.ts';
import { secretChanges } from '../secrets/stored-secrets.ts';
import { recordingChanges } from '../sessions/recordings.ts';
import { resetChanges } from '../people/sign-in/reset.ts';
import { roleChanges } from '../people/roles.ts';
import type { Tables } from './schema.ts';
import { updateChanges } from '../devices/updates.ts';
import { approvalChanges } from '../sessions/approvals.ts';
import { sessionChanges } from '../sessions/sessions.ts';
import { signInStepChanges } from '../people/sign-in/sign-in-steps.ts';
import type { ImportReport } from '../../domain/people/directory-report.ts';
import type { ChangeInput, ChangeName } from '../changes.ts';
import type { Change, ChangeJob, ChangesOf, ChangeTx } from './transaction.ts';

const changes: ChangesOf<ChangeName> = {
  ...accountChanges,
  ...accessChanges,
  ...agentChanges,
  ...auditChanges,
  ...brandChanges,
  ...busKeyChanges,
  ...clientChanges,
  ...clockChanges,
  ...departmentChanges,
  ...directoryChanges,
  ...requestChanges,
  ...providerChanges,
  ...providerSignInChanges,
  ...providerLogoutChanges,
  ...provisioningChanges,
  ...webhookChanges,
  ...evaluationChanges,
  ...notificationChanges,
  ...subscriptionChanges,
  ...deviceIdentityChanges,
  ...enrolmentChanges,
  ...factorChanges,
  ...fileChanges,
  ...groupChanges,
  ...policyChanges,
  ...identityChanges,
  ...invitationChanges,
  ...keyChanges,
  ...linkChanges,
  ...memberChanges,
  ...memberNameChanges,
  ...panelSessionChanges,
  ...nodeChanges,
  ...noteChanges,
  ...operatorChanges,
  ...planChanges,
  ...presenceChanges,
  ...recordingChanges,
  ...resetChanges,
  ...roleChanges,
  ...secretChanges,
  ...sessionChanges,
  ...approvalChanges,
  ...signInStepChanges,
  ...updateChanges,
};

/** Runs a job. A refused change is undone before its refusal is logged, so that the log and the tables always agree. */
export async function runChange(
  { db, secrets }: Pick<ChangeTx, 'db' | 'secrets'>,
  job: ChangeJob,
  undo: () => Promise<void> | void,
): Promise<unknown> {
  const change = changes[job.name] as Change<ChangeName>;
  const outcome: unknown = await change({ db, now: job.now, secrets }, job.input);
  if (isFault(outcome)) await undo();
  if (job.line) await appendAudit({ db, now: job.now }, job.line, outcomeOf(job, outcome));
  if (!isFault(outcome)) await applyListEffect(db, job);
  return outcome;
}

/**
 * The outcome of a change when something it refers to was removed at the same moment: the change was undone, and the
 * refusal is logged.
 */
export async function refuseGone(db: Kysely<Tables>, job: ChangeJob): Promise<unknown> {
  const removed = fault('not_found', { message: 'Something that this change needs has just been removed.' });
  if (job.line) await appendAudit({ db, now: job.now }, job.line, outcomeOf(job, removed));
  return removed;
}

const outcomeOf = (job: ChangeJob, outcome: unknown): string => {
  if (isFault(outcome)) return toErrorBody(outcome).code;
  if (job.name === 'audit/append') return (job.input as ChangeInput<'audit/append'>).outcome;
  // An import that changed nothing reports why, and notes it: it is no fault, which would be undone.
  if (job.name === 'directories/apply') return (outcome as ImportReport).problem || 'done';
  return 'done';
};
