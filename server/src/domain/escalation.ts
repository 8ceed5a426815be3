/** Nobody gives themselves more than they hold, and nobody hands out team permissions that they do not hold. */
import type { Permission, TeamPermission } from '@drawbridge/contract/permissions';
import { mayTeam, type Actor, type RoleGrant, type AgentRef } from './access.ts';

const scopeOf = (grant: RoleGrant): string => `${grant.type}:${grant.agentId ?? ''}:${grant.groupId ?? ''}`;

/** Each right as one word: what, and on what. Two roles that permit the same thing make the same word. */
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
 * True when the later grants of the same person permit something, on just that device or group, that the earlier did
 * not. A right on a group does not excuse one on a device of it: the device may leave the group, and the right would stay.
 */
export function gainsRights(before: Actor, after: Actor): boolean {
  if (before.owner) return false;
  const held = rightsOf(before.grants);
  return [...rightsOf(after.grants)].some((right) => !held.has(right));
}

/** True when standing in another place gives the caller a permission on the device that they did not hold before. */
export function gainsRightsByMove(actor: Actor, from: AgentRef, to: AgentRef): boolean {
  if (actor.owner) return false;
  const held = permissionsOn(actor, from);
  return permissionsOn(actor, to).some((permission) => !held.includes(permission));
}

/** The first team permission among these that the caller does not hold, and so may not hand out. */
export const findUnheldTeamPermission = (
  actor: Actor,
  permissions: readonly Permission[],
): Permission | undefined =>
  permissions.find((each) => each.startsWith('team_') && !mayTeam(actor, each as TeamPermission));

/**
 * True when somebody may be handed what lets them act as another person: they hold every right of theirs already. The
 * owner's place is taken by nobody else, and anybody may take their own.
 */
export const mayActAs = (actor: Actor, person: Actor): boolean =>
  actor.memberId === person.memberId || (!person.owner && !gainsRights(actor, person));
