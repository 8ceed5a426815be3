/** The table: every operation under /v1, keyed by its path below /v1. */
import { access } from './access.ts';
import { accessRequests } from './access-requests.ts';
import { account } from './account.ts';
import { agents } from './agents.ts';
import { approvals } from './approvals.ts';
import { branding } from './branding.ts';
import { departments } from './departments.ts';
import { directories } from './directories.ts';
import { agentExtras } from './agent-extras.ts';
import { enrolment } from './enrolment.ts';
import { files } from './files.ts';
import { groupSettings } from './group-settings.ts';
import { groups } from './groups.ts';
import { history } from './history.ts';
import { keys } from './keys.ts';
import { members } from './members.ts';
import { policies } from './policies.ts';
import { providers } from './providers.ts';
import { provisioning } from './provisioning.ts';
import { roles } from './roles.ts';
import { sessions } from './sessions.ts';
import { support } from './support.ts';
import { updates } from './updates.ts';
import { webhooks } from './webhooks.ts';

export const v1 = {
  ...support,
  ...agents,
  ...groups,
  ...roles,
  ...access,
  ...departments,
  ...history,
  ...members,
  ...keys,
  ...account,
  ...enrolment,
  ...agentExtras,
  ...files,
  ...groupSettings,
  ...sessions,
  ...branding,
  ...policies,
  ...updates,
  ...directories,
  ...accessRequests,
  ...providers,
  ...provisioning,
  ...webhooks,
  ...approvals,
};

export type V1 = typeof v1;
export type OperationId = keyof V1;
