/** Who may do what. Pure: grants in, decision out. */
import type { AgentRight } from '@drawbridge/contract/operation';
import type {
  AgentPermission,
  Permission,
  RoleType,
  SupportPermission,
  TeamPermission,
} from '@drawbridge/contract/permissions';
import type { ProviderSignIn } from './provider.ts';

/** One role granted to a person, directly or through a department. */
export interface RoleGrant {
  roleId: number;
  roleName: string;
  type: RoleType;
  permissions: readonly Permission[];
  /** The device or group of the grant; null for a role without such a scope. */
  agentId: number | null;
  groupId: number | null;
  departmentId: number | null;
  /** When it ends, in unix seconds; null for a grant without an end. */
  until: number | null;
}

/** The caller: a person of an account with their current grants. */
export interface Actor {
  accountId: number;
  memberId: number;
  email: string;
  /** The owner of the account has every permission on everything in it. */
  owner: boolean;
  grants: readonly RoleGrant[];
  /** How they signed in to the panel, if it was with an identity provider. */
  signIn?: ProviderSignIn;
}

/** What the grant of an agent or group role applies to. */
export interface AgentRef {
  id: number;
  groupId: number | null;
}

/** The devices a caller may see: all of the account, or those named. */
export type AgentScope = 'all' | { agentIds: readonly number[]; groupIds: readonly number[] };

/** The invitations a caller may see: everyone's, their own, or none. */
export type InvitationScope = 'all' | 'own' | 'none';

const reaches = (grant: RoleGrant, agent: AgentRef): boolean =>
  (grant.type === 'agent' && grant.agentId === agent.id) ||
  (grant.type === 'group' && agent.groupId !== null && grant.groupId === agent.groupId);

const holds = (actor: Actor, type: RoleType, permission: Permission): boolean =>
  actor.grants.some((grant) => grant.type === type && grant.permissions.includes(permission));

export const mayTeam = (actor: Actor, permission: TeamPermission): boolean =>
  actor.owner || holds(actor, 'team', permission);

export const maySupport = (actor: Actor, permission: SupportPermission): boolean =>
  actor.owner || holds(actor, 'quick_support', permission);

export function mayAgent(actor: Actor, right: AgentRight, agent: AgentRef): boolean {
  if (actor.owner || right === 'exists') return true;
  return actor.grants.some(
    (grant) =>
      reaches(grant, agent) &&
      (right === 'any' ? grant.permissions.length > 0 : grant.permissions.includes(right)),
  );
}

export const mayGroup = (actor: Actor, permission: AgentPermission, groupId: number): boolean =>
  actor.owner ||
  actor.grants.some(
    (grant) => grant.type === 'group' && grant.groupId === groupId && grant.permissions.includes(permission),
  );

/** The same rule as a list filter: a device is in scope exactly when some grant with any permission applies to it. */
export function agentScope(actor: Actor, permission?: AgentPermission): AgentScope {
  if (actor.owner) return 'all';
  const useful = actor.grants.filter((grant) =>
    permission === undefined ? grant.permissions.length > 0 : grant.permissions.includes(permission),
  );
  return {
    agentIds: useful.flatMap((grant) =>
      grant.type === 'agent' && grant.agentId !== null ? [grant.agentId] : [],
    ),
    groupIds: useful.flatMap((grant) =>
      grant.type === 'group' && grant.groupId !== null ? [grant.groupId] : [],
    ),
  };
}

export function invitationScope(actor: Actor): InvitationScope {
  if (maySupport(actor, 'quick_support_technical')) return 'all';
  return maySupport(actor, 'quick_support_admin') ? 'own' : 'none';
}

/** The grants through which somebody holds each permission on a device. */
export const grantsByPermissionOnAgent = (actor: Actor, agent: AgentRef): Map<Permission, RoleGrant[]> =>
  groupByPermission(actor.grants.filter((grant) => reaches(grant, agent)));

/** The grants through which somebody holds each permission that is not on a device. */
export const grantsByPermissionOfType = (
  actor: Actor,
  type: 'team' | 'quick_support',
): Map<Permission, RoleGrant[]> => groupByPermission(actor.grants.filter((grant) => grant.type === type));

function groupByPermission(grants: readonly RoleGrant[]): Map<Permission, RoleGrant[]> {
  const grouped = new Map<Permission, RoleGrant[]>();
  for (const grant of grants)
    for (const permission of grant.permissions)
      grouped.set(permission, [...(grouped.get(permission) ?? []), grant]);
  return grouped;
}

/** Decides quickly, for many devices, whether the caller holds a permission on one, or any at all. */
export function permissionIndex(actor: Actor, permission?: AgentPermission): (agent: AgentRef) => boolean {
  const scope = agentScope(actor, permission);
  if (scope === 'all') return () => true;
  const [agents, groups] = [new Set(scope.agentIds), new Set(scope.groupIds)];
  return (agent) => agents.has(agent.id) || (agent.groupId !== null && groups.has(agent.groupId));
}

/**
 * For many devices: the same person with only those grants that may apply to one, so that each is decided quickly.
 * Devices of a group without grants of their own share the same value.
 */
export function scopedActorIndex(actor: Actor): (agent: AgentRef) => Actor {
  const agents = Map.groupBy(actor.grants, (grant) => grant.agentId);
  const groups = Map.groupBy(actor.grants, (grant) => grant.groupId);
  const shared = new Map<number | null, Actor>();
  const inGroup = (groupId: number | null): Actor => {
    const grants = groupId === null ? [] : (groups.get(groupId) ?? []);
    const known = shared.get(groupId) ?? { ...actor, grants };
    shared.set(groupId, known);
    return known;
  };
  return ({ id, groupId }) => {
    const [own, group] = [agents.get(id), inGroup(groupId)];
    return own ? { ...actor, grants: [...own, ...group.grants] } : group;
  };
}
