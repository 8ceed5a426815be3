/** Describes permissions and grants as text. */
import {
  permissionIds,
  permissionsOf,
  type Permission,
  type RoleType,
} from '@drawbridge/contract/permissions';
import { t } from '../../texts/index.ts';
import { labelWithName } from '../people/person-label.ts';
import type { GrantEntry, HeldPermission, GrantReason } from '../team-data.ts';

const { short, why, grants } = t.team;

/** The description from the catalogue; an unknown permission keeps its id. */
export const permissionText = (permission: string, type: RoleType): string =>
  (permissionsOf[type] as Record<string, string>)[permission] ?? permission;

export const permissionShortText = (permission: string): string =>
  (short as Record<string, string>)[permission] ?? permission;

/** Sorts as in the catalogue, which is ordered by importance. */
export const sortPermissions = (permissions: readonly string[], type: RoleType): string[] => {
  const rank = (permission: string): number => {
    const at = permissionIds(type).indexOf(permission as Permission);
    return at < 0 ? Infinity : at;
  };
  return permissions.toSorted((one, other) => rank(one) - rank(other) || one.localeCompare(other));
};

/** The number of permissions that are named; the rest is only counted. */
const maxNamed = 4;

/** Summarizes a set of permissions. */
export function permissionSummary(permissions: readonly string[], type: RoleType): string {
  if (permissions.length === 0) return t.team.nothing;
  if (permissionIds(type).every((each) => permissions.includes(each))) return t.team.everything;
  const names = sortPermissions(permissions, type).map(permissionShortText);
  // Naming one more permission takes no more space than "and 1 more".
  if (names.length <= maxNamed + 1) return names.join(', ');
  return t.team.andMore(names.slice(0, maxNamed).join(', '), names.length - maxNamed);
}

/** The names of the devices and groups that grants refer to by id. */
export interface GrantNames {
  agents: ReadonlyMap<number, string>;
  groups: ReadonlyMap<number, string>;
}

export const namesInEntries = (entries: readonly GrantEntry[]): GrantNames => {
  const [agents, groups] = [new Map<number, string>(), new Map<number, string>()];
  for (const { agent_id, agent, group_id, group } of entries) {
    if (agent_id !== undefined && agent !== undefined) agents.set(agent_id, agent);
    if (group_id !== undefined && group !== undefined) groups.set(group_id, group);
  }
  return { agents, groups };
};

/** The names of the groups that reasons mention, by id. */
export const groupsInReasons = (sets: readonly (readonly HeldPermission[])[]): Map<number, string> => {
  const groups = new Map<number, string>();
  for (const held of sets)
    for (const { through } of held)
      for (const { group_id, group } of through)
        if (group_id !== undefined && group !== undefined) groups.set(group_id, group);
  return groups;
};

/** A grant as a reason for permissions: the role, its target, and the department it comes from. */
export function reasonText(through: GrantReason, device: string): string {
  const { role, scope, group, department, department_id } = through;
  const parts = [why.role(role)];
  if (scope === 'agent') parts.push(why.onAgent(device));
  if (scope === 'group') parts.push(why.onGroup(group ?? ''));
  const held = department ?? (department_id === undefined ? undefined : grants.unnamed(department_id));
  if (held !== undefined) parts.push(why.byDepartment(held));
  return parts.join(', ');
}

export interface ReasonGroup {
  reasons: string[];
  permissions: string[];
}

/** Groups permissions that come from the same grants, in the order of the catalogue. */
export function groupByReasons(
  held: readonly HeldPermission[],
  type: RoleType,
  { device, owner }: { device: string; owner: boolean },
): ReasonGroup[] {
  const groups = new Map<string, ReasonGroup>();
  const throughOf = new Map(held.map(({ permission, through }) => [permission, through]));
  for (const permission of sortPermissions([...throughOf.keys()], type)) {
    const through = throughOf.get(permission)!.map((each) => reasonText(each, device));
    const reasons = [...new Set([...(owner ? [why.owner] : []), ...through])];
    const known = groups.get(reasons.join('\n')) ?? { reasons, permissions: [] };
    known.permissions.push(permission);
    groups.set(reasons.join('\n'), known);
  }
  return [...groups.values()];
}

/** The target of a grant. */
export function targetText({ type, agent, agent_id, group, group_id }: GrantEntry): string {
  if (type === 'agent') return grants.onAgent(agent ?? grants.unnamed(agent_id ?? 0));
  if (type === 'group') return grants.onGroup(group ?? grants.unnamed(group_id ?? 0));
  return type === 'team' ? grants.onTeam : grants.onSupport;
}

/** The holder of a grant. */
export const holderText = ({ email, name, department, department_id }: GrantEntry): string =>
  email === undefined
    ? grants.department(department ?? grants.unnamed(department_id ?? 0))
    : labelWithName(email, name);
