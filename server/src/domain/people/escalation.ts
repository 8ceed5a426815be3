/** Nobody gives themselves more than they hold, and nobody grants team permissions that they do not hold. */
import type { Permission, TeamPermission } from '@drawbridge/contract/permissions';
import { mayTeam, type Actor, type RoleGrant, type AgentRef } from './access.ts';

const scopeOf = (grant: RoleGrant): string => `${grant.type}:${grant.agentId ?? ''}:${grant.groupId ?? ''}`;

const endOf = ({ until }: Pick<RoleGrant, 'until'>): number => until ?? Infinity;

/** Until when each right is held, by a text that names it: of several grants, the one that ends last counts. */
function endsOf(grants: readonly RoleGrant[], nameOf: (grant: RoleGrant, permission: Permission) => string) {
  const ends = new Map<string, number>();
  for (const grant of grants)
    for (const permission of grant.permissions) {
      const right = nameOf(grant, permission);
      ends.set(right, Math.max(ends.get(right) ?? 0, endOf(grant)));
    }
  return ends;
}

/** Each right as one text: the permission and its scope. Two roles with the same permission give the same text. */
const rightsOf = (grants: readonly RoleGrant[]): Map<string, number> =>
  endsOf(grants, (grant, permission) => `${scopeOf(grant)}:${permission}`);

const permissionsOn = (actor: Actor, agent: AgentRef): Map<string, number> =>
  endsOf(
    actor.grants.filter(
      (grant) => grant.agentId === agent.id || (agent.groupId !== null && grant.groupId === agent.groupId),
    ),
    (_grant, permission) => permission,
  );

/** True when something is held now that was not held before, or is held for longer. */
const hasMore = (before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): boolean =>
  [...after].some(([right, end]) => end > (before.get(right) ?? 0));

/**
 * True when the later grants of the same person permit something, on exactly that device or group, that the earlier
 * ones did not, or for longer. A right on a group does not justify one on a device in it: the device may leave the group, and the
 * right would stay.
 */
export function gainsRights(before: Actor, after: Actor): boolean {
  if (before.owner) return false;
  return hasMore(rightsOf(before.grants), rightsOf(after.grants));
}

/** True when moving the device gives the caller a permission on it that they did not hold before. */
export function gainsRightsByMove(actor: Actor, from: AgentRef, to: AgentRef): boolean {
  if (actor.owner) return false;
  return hasMore(permissionsOn(actor, from), permissionsOn(actor, to));
}

/** The caller with only those grants that last at least until then; null stands for grants without an end. */
export const actorUntil = (actor: Actor, until: number | null): Actor => ({
  ...actor,
  grants: actor.grants.filter((grant) => endOf(grant) >= endOf({ until })),
});

/** The first team permission among these that the caller does not hold until then, and so may not grant. */
export function findUnheldTeamPermission(
  actor: Actor,
  permissions: readonly Permission[],
  until: number | null,
): Permission | undefined {
  const lasting = actorUntil(actor, until);
  return permissions.find((each) => each.startsWith('team_') && !mayTeam(lasting, each as TeamPermission));
}

/**
 * True when the actor already holds every right of the person, so that they may receive a link to sign in as them.
 * Nobody else may act as the owner, and everyone may act as themselves.
 */
export const mayActAs = (actor: Actor, person: Actor): boolean =>
  actor.memberId === person.memberId || (!person.owner && !gainsRights(actor, person));
