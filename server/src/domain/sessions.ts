/** Sessions: what is allowed in one, whether the person at the device is asked, and how long a cut may last. */
import { sessionPermissions, type SessionPermission } from '@drawbridge/contract/session/frame-kinds';
import { permissionIds } from '@drawbridge/contract/permissions';
import type { AgentPermission, SupportPermission } from '@drawbridge/contract/permissions';
import { isDisabled, type PlannedAgent, type PlanState } from './plan.ts';
import { invitationScope, mayAgent, maySupport, type Actor, type AgentRef } from './access.ts';
import { isOpen, isVisibleTo, type Invitation, type InvitationStatus } from './support.ts';

/** How somebody came in: with a link of their own, by the password of the device, or by somebody's one-time or operator's link. */
export type SessionOrigin = 'api' | 'permanent' | 'onetime' | 'operator';

/** How long an operator may be cut off from a session and still come back to it: a device that starts anew takes its time. */
export const resumeGrace = 600;

/** Whether a session ended so long ago that nobody comes back to it, however it ended. */
export const isPastResume = (stop: number | null, now: number): boolean =>
  stop !== null && stop <= now - resumeGrace;

/** How long the client of an invitation may be away unnoticed. */
export const clientGrace = 15;

/** When the person at a device is asked before anything is shown. */
export type ConfirmMode = 'never' | 'ask';

const sessionPermissionsOf = (type: 'agent' | 'quick_support'): SessionPermission[] =>
  sessionPermissions.filter((permission) => (permissionIds(type) as string[]).includes(permission));

/** All that can be allowed on a device; whoever knows its password holds it. */
export const devicePermissions: readonly SessionPermission[] = sessionPermissionsOf('agent');

/** All that can be allowed with the client of an invitation. */
export const clientPermissions: readonly SessionPermission[] = sessionPermissionsOf('quick_support');

/** What somebody may do on a device: nothing, where they may not even see its screen. */
export const permissionsOnDevice = (actor: Actor, agent: AgentRef): SessionPermission[] =>
  mayAgent(actor, 'agent_connect', agent)
    ? devicePermissions.filter((permission) => mayAgent(actor, permission as AgentPermission, agent))
    : [];

/** Whether somebody holds all that the password of a device gives: nobody else may set one, or open the link that takes it. */
export const mayGrantFullAccess = (actor: Actor, agent: AgentRef): boolean =>
  permissionsOnDevice(actor, agent).length === devicePermissions.length;

/** What somebody may do with the client of an invitation. */
export function permissionsWithClient(actor: Actor, invitation: Invitation): SessionPermission[] {
  const scope = invitationScope(actor);
  if (scope === 'none' || !isVisibleTo(invitation, actor, scope) || !maySupport(actor, 'agent_connect'))
    return [];
  return clientPermissions.filter((permission) => maySupport(actor, permission as SupportPermission));
}

/** The group's setting decides, and those who hold `agent_no_confirm` are spared it; nobody is who came by the link of another. */
export const needsConsent = (confirm: ConfirmMode, actor: Actor | undefined, agent: AgentRef): boolean =>
  confirm === 'ask' && !(actor && mayAgent(actor, 'agent_no_confirm', agent));

/** What a session keeps of its permissions when rights have changed: never more than it began with. */
export const narrowPermissions = (
  before: readonly string[],
  now: readonly SessionPermission[],
): SessionPermission[] => now.filter((permission) => before.includes(permission));

/** Where a running session stands in the store: all that can end it but what its holder is granted. */
export interface SessionValidity {
  id: number;
  stop: number | null;
  /** Null when the person whose rights it has is not in the account any more, or it was opened by the password. */
  memberId: number | null;
  /** Grows with every change of what somebody may do. */
  rightsVersion: number;
  agent: (PlannedAgent & AccessFlags & { groupId: number | null }) | null;
  /** Of the invitation. */
  status: InvitationStatus | null;
}

/** What a device says to those who would come in. */
interface AccessFlags {
  approved: boolean;
  permanentEnabled: boolean;
  onetimeAllowed: boolean;
}

/** Whether a device lets in who comes this way. */
export const isOriginAllowed = (origin: SessionOrigin, agent: AccessFlags): boolean =>
  agent.approved &&
  (origin !== 'permanent' || agent.permanentEnabled) &&
  (origin !== 'onetime' || agent.onetimeAllowed);

/** Why a session can not go on, whatever its holder is granted; undefined when it can. */
export function endReason(
  origin: SessionOrigin,
  validity: SessionValidity,
  state: PlanState,
  now: number,
): string | undefined {
  const { agent, status, memberId, stop } = validity;
  if (stop !== null) return 'The session was ended.';
  if (origin !== 'permanent' && memberId === null)
    return 'The person whose link was used is no longer in the team.';
  if (status !== null && !isOpen(status)) return 'The connection was closed.';
  if (agent === null) return undefined;
  if (!isOriginAllowed(origin, agent)) return 'The device no longer allows this kind of connection.';
  return isDisabled(agent, state, now) ? 'The device is blocked: the plan does not cover it.' : undefined;
}
