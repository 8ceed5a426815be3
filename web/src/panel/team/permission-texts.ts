/** Permissions and grants in words: what somebody may do, on what, and why. */
import {
  permissionIds,
  permissionsOf,
  type Permission,
  type RoleType,
} from '@drawbridge/contract/permissions';
import { t } from '../texts/index.ts';
import type { GrantEntry, HeldPermission, GrantReason } from './team-data.ts';

const { short, why, grants } = t.team;

/** The sentence of the catalogue; a permission it does not know speaks for itself. */
export const permissionText = (permission: string, type: RoleType): string =>
  (permissionsOf[type] as Record<string, string>)[permission] ?? permission;

export const permissionShortText = (permission: string): string =>
  (short as Record<string, string>)[permission] ?? permission;

/** In the order of the catalogue, which is that of importance. */
export const sortPermissions = (permissions: readonly string[], type: RoleType): string[] => {
  const rank = (permission: string): number => {
    const at = permissionIds(type).indexOf(permission as Permission);
    return at < 0 ? Infinity : at;
  };
  return permissions.toSorted((one, other) => rank(one) - rank(other) || one.localeCompare(other));
};

/** How many are named before the rest is only counted. */
const maxNamed = 4;

/** What a set of permissions amounts to, in one line. */
export function permissionSummary(permissions: readonly string[], type: RoleType): string {
  if (permissions.length === 0) return t.team.nothing;
  if (permissionIds(type).every((each) => permissions.includes(each))) return t.team.everything;
  const words = sortPermissions(permissions, type).map(permissionShortText);
  // One more is as long as saying that there is one more.
  if (words.length <= maxNamed + 1) return words.join(', ');
  return t.team.andMore(words.slice(0, maxNamed).join(', '), words.length - maxNamed);
}

/** The names of what grants speak of by number. */
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

/** The groups that reasons speak of, by their names. */
export const groupsInReasons = (sets: readonly (readonly HeldPermission[])[]): Map<number, string> => {
  const groups = new Map<number, string>();
  for (const held of sets)
    for (const { through } of held)
      for (const { group_id, group } of through)
        if (group_id !== undefined && group !== undefined) groups.set(group_id, group);
  return groups;
};

/** One grant as a reason for rights on a device: through which role, on what, and by which department. */
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

/** Rights that come from the same grants are told together: the order is that of the catalogue. */
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

/** On what a grant holds. */
export function targetText({ type, agent, agent_id, group, group_id }: GrantEntry): string {
  if (type === 'agent') return grants.onAgent(agent ?? grants.unnamed(agent_id ?? 0));
  if (type === 'group') return grants.onGroup(group ?? grants.unnamed(group_id ?? 0));
  return type === 'team' ? grants.onTeam : grants.onSupport;
}

/** To whom a grant was given. */
export const holderText = ({ email, department, department_id }: GrantEntry): string =>
  email ?? grants.department(department ?? grants.unnamed(department_id ?? 0));
