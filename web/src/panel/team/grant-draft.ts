/** Giving access: what is still missing, what is then asked of the server, and which field its refusal blames. */
import type { RoleType } from '@drawbridge/contract/permissions';
import type { GrantEntry, NamedItem, TeamRole } from './team-data.ts';
import { rolesByType } from './lists.ts';

export type GrantHolder = { email: string } | { department_id: number; department: string };
export type GrantTarget = { agent_id: number; name: string } | { group_id: number; name: string };

/** What the dialog is opened with: whatever is given is not asked for. */
export interface GrantPreset {
  holder?: GrantHolder;
  on?: GrantTarget;
  role?: Pick<TeamRole, 'id' | 'name' | 'type'>;
}

/** What is chosen in the dialog; empty while it is not. */
export interface GrantDraft {
  kind: 'person' | 'department';
  email: string;
  department: string;
  role: string;
  agent: string;
  group: string;
}

export const emptyGrantDraft: GrantDraft = {
  kind: 'person',
  email: '',
  department: '',
  role: '',
  agent: '',
  group: '',
};

/** Of which types roles can be given there. */
export const roleTypesFor = (on: GrantTarget | undefined): readonly RoleType[] | undefined =>
  on === undefined ? undefined : 'agent_id' in on ? ['agent'] : ['group'];

/** Nobody hands out a team permission that they lack. */
const mayGrant = (grantor: Grantor, { type, permission }: TeamRole): boolean =>
  grantor.owner || type !== 'team' || permission.every((each) => grantor.team.includes(each));

interface Grantor {
  owner: boolean;
  team: readonly string[];
}

export const grantableRoles = (roles: readonly TeamRole[], on: GrantTarget | undefined, grantor: Grantor) => {
  const types = roleTypesFor(on);
  const grantable = roles.filter((role) => mayGrant(grantor, role));
  return rolesByType(grantable, '').filter(({ type }) => types?.includes(type) ?? true);
};

export interface GrantParams {
  role_id: number;
  agent_id?: number;
  group_id?: number;
}
export type GrantRequest = { to: { email: string } | { department_id: number }; grant: GrantParams };

type GrantField = 'email' | 'department_id' | 'role_id' | 'agent_id' | 'group_id';

/** The grant that is wished for, or the first field that is missing. */
export function toGrantRequest(
  preset: GrantPreset,
  draft: GrantDraft,
  type: RoleType | undefined,
): GrantRequest | { missing: GrantField } {
  const to = toHolder(preset.holder, draft);
  if ('missing' in to) return to;
  const role_id = preset.role?.id ?? Number(draft.role);
  if (!role_id) return { missing: 'role_id' };
  if (type === 'agent') return withScope(to, role_id, 'agent_id', idOf(preset.on, 'agent_id', draft.agent));
  if (type === 'group') return withScope(to, role_id, 'group_id', idOf(preset.on, 'group_id', draft.group));
  return { to, grant: { role_id } };
}

function toHolder(
  holder: GrantHolder | undefined,
  draft: GrantDraft,
): GrantRequest['to'] | { missing: GrantField } {
  if (holder) return 'email' in holder ? { email: holder.email } : { department_id: holder.department_id };
  if (draft.kind === 'person') return draft.email ? { email: draft.email } : { missing: 'email' };
  return draft.department ? { department_id: Number(draft.department) } : { missing: 'department_id' };
}

const idOf = (on: GrantTarget | undefined, field: 'agent_id' | 'group_id', chosen: string): number => {
  const settled: { agent_id?: number; group_id?: number } = on ?? {};
  return settled[field] ?? Number(chosen);
};

const withScope = (
  to: GrantRequest['to'],
  role_id: number,
  field: 'agent_id' | 'group_id',
  id: number,
): GrantRequest | { missing: GrantField } =>
  id ? { to, grant: { role_id, [field]: id } } : { missing: field };

/** The grant of an entry, to take it away again. */
export const toGrantParams = ({ role_id, agent_id, group_id }: GrantEntry): GrantParams => ({
  role_id,
  ...(agent_id !== undefined && { agent_id }),
  ...(group_id !== undefined && { group_id }),
});

/** Those that were named elsewhere are known too, though one may not see them: they can be chosen all the same. */
export function addNamed(seen: readonly NamedItem[], named: ReadonlyMap<number, string>): NamedItem[] {
  const known = new Set(seen.map(({ id }) => id));
  const more = [...named].filter(([id]) => !known.has(id)).map(([id, name]) => ({ id, name }));
  return [...seen, ...more];
}
