/** Opens the store: one implementation over either database. */
import { accessReads } from '../people/access.ts';
import { accountReads } from '../people/accounts.ts';
import { actorReads } from '../people/actors.ts';
import { agentReads } from '../devices/agents.ts';
import { auditReads } from '../audit/audit.ts';
import { brandReads } from '../people/brands.ts';
import { coalesce } from './coalesce.ts';
import { departmentReads } from '../people/departments.ts';
import { provisioningReads } from '../people/provisioning/provisioning.ts';
import type { IdentityReads } from '../people/identity-reads.ts';
import { directoryReads } from '../people/directory/directories.ts';
import { requestReads } from '../people/requests/request-reads.ts';
import { webhookReads } from '../people/webhooks/webhook-reads.ts';
import { providerReads } from '../people/provider/provider-reads.ts';
import type { Database, DatabaseOptions } from './database.ts';
import { openDatabase } from './dialect.ts';
import { deviceIdentityReads } from '../devices/device-identity-reads.ts';
import { factorReads } from '../people/sign-in/factors.ts';
import { fileReads } from '../blobs/files.ts';
import { policyReads } from '../devices/policies.ts';
import { groupReads } from '../devices/groups.ts';
import { visibilityReads } from '../people/visibility.ts';
import { invitationReads } from '../support/invitations.ts';
import { linkReads } from '../support/links.ts';
import { memberReads } from '../people/members.ts';
import { panelReads } from '../people/sign-in/sign-in-candidates.ts';
import { notificationReads } from '../notifications/notifications.ts';
import { planReads } from '../people/plan.ts';
import { recordingReads } from '../sessions/recording-reads.ts';
import { roleReads } from '../people/roles.ts';
import { historyReads } from '../sessions/history.ts';
import { approvalReads } from '../sessions/approvals.ts';
import { sessionReads } from '../sessions/session-reads.ts';
import { updateReads } from '../devices/updates.ts';
import type { ChangeName, ChangeOutput } from '../changes.ts';
import { placeAccounts } from '../placement.ts';
import type { Store } from '../store.ts';

export const openStore = async (options: DatabaseOptions): Promise<Store> =>
  createStore(placeAccounts([await openDatabase(options)]));

/** What comes from outside about people, and what they ask for. */
const identityReads = ({ reader, now, secrets }: Database): IdentityReads => ({
  directories: directoryReads(reader, now, secrets),
  requests: requestReads(reader, now),
  providers: providerReads(reader, now, secrets),
  provisioning: provisioningReads(reader, now),
  webhooks: webhookReads(reader, now, secrets),
});

export function createStore(database: Database): Store {
  const { reader, now } = database;
  const audit = auditReads(reader);
  return {
    actors: actorReads(reader, now),
    members: memberReads(reader),
    agents: agentReads(reader),
    deviceIdentity: deviceIdentityReads(reader),
    files: fileReads(reader),
    policies: policyReads(reader),
    groups: groupReads(reader),
    roles: roleReads(reader),
    access: accessReads(reader, now),
    departments: departmentReads(reader),
    ...identityReads(database),
    invitations: invitationReads(reader),
    links: linkReads(reader),
    brands: brandReads(reader),
    history: historyReads(reader),
    sessions: sessionReads(reader, now),
    approvals: approvalReads(reader, now),
    recordings: recordingReads(reader),
    panel: panelReads(reader, now),
    visibility: visibilityReads(reader, now),
    factors: factorReads(reader),
    notifications: notificationReads(reader),
    updates: updateReads(reader),
    plan: planReads(reader),
    // Verifying the whole log is the longest read, so concurrent calls share one run.
    audit: { ...audit, verify: coalesce(audit.verify) },
    accounts: accountReads(reader),
    change: (name, input, line) =>
      database.submit({ name, input, line }) as Promise<ChangeOutput<ChangeName>>,
    isExclusive: database.isExclusive,
    now,
    ping: async () => void (await database.submit({ name: 'server/probe', input: {} })),
    close: database.close,
  };
}
