/** Sessions: their permissions, whether the person at the device is asked, and how long a disconnect may last. */
import { sessionPermissions, type SessionPermission } from '@drawbridge/contract/session/frame-kinds';
import type { Policy } from '@drawbridge/contract/policy';
import { permissionIds } from '@drawbridge/contract/permissions';
import type { AgentPermission, SupportPermission } from '@drawbridge/contract/permissions';
import { isDisabled, type PlannedAgent, type PlanState } from '../people/plan.ts';
import { invitationScope, mayAgent, maySupport, type Actor, type AgentRef } from '../people/access.ts';
import { actorUntil } from '../people/escalation.ts';
import { isOpen, isVisibleTo, type Invitation, type InvitationStatus } from '../support.ts';

/**
 * How somebody connected: with a link of their own, by the password of the device, or by somebody's one-time or
 * operator's link.
 */
export type SessionOrigin = 'api' | 'permanent' | 'onetime' | 'operator';

/** How long an operator may be disconnected from a session and still return: a device needs time to restart. */
export const resumeGrace = 600;

/** Whether a session ended too long ago to be resumed, however it ended. */
export const isPastResume = (stop: number | null, now: number): boolean =>
  stop !== null && stop <= now - resumeGrace;

/** How long the client of an invitation may be away unnoticed. */
export const clientGrace = 15;

const sessionPermissionsOf = (type: 'agent' | 'quick_support'): SessionPermission[] =>
  sessionPermissions.filter((permission) => (permissionIds(type) as string[]).includes(permission));

/** Everything that can be permitted on a device; the password of the device gives all of it. */
export const devicePermissions: readonly SessionPermission[] = sessionPermissionsOf('agent');

/** Everything that can be permitted with the client of an invitation. */
export const clientPermissions: readonly SessionPermission[] = sessionPermissionsOf('quick_support');

/** What somebody may do on a device: nothing, if they may not even see its screen. */
export const permissionsOnDevice = (actor: Actor, agent: AgentRef): SessionPermission[] =>
  mayAgent(actor, 'agent_connect', agent)
    ? devicePermissions.filter((permission) => mayAgent(actor, permission as AgentPermission, agent))
    : [];

/**
 * Whether somebody holds everything that the password of a device gives, without an end: nobody else may set one, or enable the link
 * that accepts it.
 */
export const mayGrantFullAccess = (actor: Actor, agent: AgentRef): boolean =>
  permissionsOnDevice(actorUntil(actor, null), agent).length === devicePermissions.length;

/** What somebody may do with the client of an invitation. */
export function permissionsWithClient(actor: Actor, invitation: Invitation): SessionPermission[] {
  const scope = invitationScope(actor);
  if (scope === 'none' || !isVisibleTo(invitation, actor, scope) || !maySupport(actor, 'agent_connect'))
    return [];
  return clientPermissions.filter((permission) => maySupport(actor, permission as SupportPermission));
}

/** The name of a client for somebody who connects: only the owner sees it, and not a person to whom the owner gave a link. */
export const clientNameFor = (
  { clientName }: Invitation,
  actor: Actor | undefined,
  origin: SessionOrigin,
): string => (origin === 'api' && actor?.owner ? clientName : '');

/**
 * The policy decides. With `ask`, holders of `agent_no_confirm` are exempt, but never through the link of another person.
 */
export const needsConsent = (
  confirm: Policy['confirm'],
  actor: Actor | undefined,
  agent: AgentRef,
): boolean =>
  confirm === 'always' || (confirm === 'ask' && !(actor && mayAgent(actor, 'agent_no_confirm', agent)));

/** The permissions that a session keeps after rights changed: never more than it began with. */
export const narrowPermissions = (
  before: readonly string[],
  now: readonly SessionPermission[],
): SessionPermission[] => now.filter((permission) => before.includes(permission));

/** The stored facts that can end a running session, apart from its holder's grants. */
export interface SessionValidity {
  id: number;
  /** The pairing that holds it; empty if a server of an earlier version opened it. */
  holder: string;
  stop: number | null;
  /** Null when the person whose rights it has was removed from the account, or it was opened by password. */
  memberId: number | null;
  /** Incremented by every change of rights. */
  rightsVersion: number;
  agent: (PlannedAgent & AccessFlags & { groupId: number | null }) | null;
  /** The status of the invitation. */
  status: InvitationStatus | null;
}

/** How a device may be accessed. */
interface AccessFlags {
  approved: boolean;
  permanentEnabled: boolean;
  onetimeAllowed: boolean;
}

/** Whether a device accepts sessions of this origin. */
export const isOriginAllowed = (origin: SessionOrigin, agent: AccessFlags): boolean =>
  agent.approved &&
  (origin !== 'permanent' || agent.permanentEnabled) &&
  (origin !== 'onetime' || agent.onetimeAllowed);

/** Why a session cannot continue, regardless of its holder's grants; undefined when it can. */
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
