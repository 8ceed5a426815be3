/** All handlers: exactly one for each row of the table. */
import type { V1 } from '@drawbridge/contract/v1/index';
import { accessHandlers } from './access.ts';
import { accountHandlers } from './account.ts';
import { agentExtraHandlers } from './agent-extras.ts';
import { agentHandlers } from './agents.ts';
import { brandingHandlers } from './branding.ts';
import { departmentHandlers } from './departments.ts';
import { directoryHandlers } from './directories.ts';
import { providerHandlers } from './identity/providers.ts';
import { enrolmentHandlers } from './enrolment.ts';
import { fileHandlers } from './files.ts';
import { groupSettingsHandlers } from './group-settings.ts';
import { groupHandlers } from './groups.ts';
import type { Handlers } from './handler.ts';
import { historyHandlers } from './history/history.ts';
import { keyHandlers } from './keys.ts';
import { memberHandlers } from './members.ts';
import { policyHandlers } from './policies.ts';
import { accessRequestHandlers } from './requests/access-requests.ts';
import { approvalHandlers } from './requests/approvals.ts';
import { provisioningHandlers } from './team/provisioning.ts';
import { webhookHandlers } from './team/webhooks.ts';
import { roleHandlers } from './roles.ts';
import { sessionHandlers } from './sessions.ts';
import { supportHandlers } from './support.ts';
import { updateHandlers } from './updates.ts';

export const handlers: Handlers<V1> = {
  ...supportHandlers,
  ...agentHandlers,
  ...groupHandlers,
  ...roleHandlers,
  ...accessHandlers,
  ...departmentHandlers,
  ...historyHandlers,
  ...memberHandlers,
  ...keyHandlers,
  ...accountHandlers,
  ...enrolmentHandlers,
  ...agentExtraHandlers,
  ...fileHandlers,
  ...groupSettingsHandlers,
  ...sessionHandlers,
  ...brandingHandlers,
  ...policyHandlers,
  ...updateHandlers,
  ...directoryHandlers,
  ...accessRequestHandlers,
  ...providerHandlers,
  ...provisioningHandlers,
  ...webhookHandlers,
  ...approvalHandlers,
};
