/** Nobody gives themselves more than they hold, and nobody grants team permissions that they do not hold. */
import type { Permission, TeamPermission } from '@drawbridge/contract/permissions';
import { mayTeam, type Actor, type RoleGrant, type AgentRef } from './access.ts';

const scopeOf = (grant: RoleGrant): string => `${grant.type}:${grant.agentId ?? ''}:${grant.groupId ?? ''}`;

/** Each right as one text: the permission and its scope. Two roles with the same permission give the same text. */
function rightsOf(grants: readonly RoleGrant[]): Set<string> {
  return new Set(grants.flatMap((grant) => grant.permissions.map((each) => `${scopeOf(grant)}:${each}`)));
}

const permissionsOn = (actor: Actor, agent: AgentRef): Permission[] =>
  actor.grants
    .filter(
      (grant) => grant.agentId === agent.id || (agent.groupId !== null && grant.groupId === agent.groupId),
    )
    .flatMap((grant) => [...grant.permissions]);

/**
 * True when the later grants of the same person permit something, on exactly that device or group, that the earlier
 * ones did not. A right on a group does not justify one on a device in it: the device may leave the group, and the
 * right would stay.
 */
export function gainsRights(before: Actor, after: Actor): boolean {
  if (before.owner) return false;
  const held = rightsOf(before.grants);
  return [...rightsOf(after.grants)].some((right) => !held.has(right));
}

/** True when moving the device gives the caller a permission on it that they did not hold before. */
export function gainsRightsByMove(actor: Actor, from: AgentRef, to: AgentRef): boolean {
  if (actor.owner) return false;
  const held = permissionsOn(actor, from);
  return permissionsOn(actor, to).some((permission) => !held.includes(permission));
}

/** The first team permission among these that the caller does not hold, and so may not grant. */
export const findUnheldTeamPermission = (
  actor: Actor,
  permissions: readonly Permission[],
): Permission | undefined =>
  permissions.find((each) => each.startsWith('team_') && !mayTeam(actor, each as TeamPermission));

/**
 * True when the actor already holds every right of the person, so that they may receive a link to sign in as them.
 * Nobody else may act as the owner, and everyone may act as themselves.
 */
export const mayActAs = (actor: Actor, person: Actor): boolean =>
  actor.memberId === person.memberId || (!person.owner && !gainsRights(actor, person));
