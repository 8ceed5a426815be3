/** The draft of a grant: which roles are possible, which field is missing, and the resulting request. */
import type { RoleType } from '@drawbridge/contract/permissions';
import type { GrantEntry, NamedItem, TeamRole } from '../team-data.ts';
import { rolesByType } from '../lists.ts';

type GrantHolder = { email: string } | { department_id: number; department: string };
export type GrantTarget = { agent_id: number; name: string } | { group_id: number; name: string };

/** The values that the dialog is opened with; it does not ask for these. */
export interface GrantPreset {
  holder?: GrantHolder;
  on?: GrantTarget;
  role?: Pick<TeamRole, 'id' | 'name' | 'type'>;
}

/** The values chosen in the dialog; empty until chosen. */
export interface GrantDraft {
  kind: 'person' | 'department';
  email: string;
  department: string;
  role: string;
  agent: string;
  group: string;
  /** How long it lasts, in seconds; `day` to choose one, empty for no end. */
  lasts: string;
  /** The last day, such as 2026-12-24. */
  day: string;
}

/** The durations that are offered, in seconds. */
export const grantDurations: readonly number[] = [3_600, 14_400, 28_800, 86_400, 604_800, 2_592_000];

export const emptyGrantDraft: GrantDraft = {
  kind: 'person',
  email: '',
  department: '',
  role: '',
  agent: '',
  group: '',
  lasts: '',
  day: '',
};

/** The types of roles that can be granted on this target. */
const roleTypesFor = (on: GrantTarget | undefined): readonly RoleType[] | undefined =>
  on === undefined ? undefined : 'agent_id' in on ? ['agent'] : ['group'];

/** Users cannot grant team permissions that they lack. */
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
export type GrantRequest = {
  to: { email: string } | { department_id: number };
  grant: GrantParams;
};

/** When the access ends, in unix seconds: after the chosen time, or with the chosen day. Undefined for no end. */
export function endOfGrant(
  { lasts, day }: GrantDraft,
  now: number,
): { until?: number } | { missing: 'until' } {
  if (lasts === '') return {};
  if (lasts !== 'day') return { until: now + Number(lasts) };
  const end = new Date(`${day}T00:00`);
  end.setDate(end.getDate() + 1);
  const until = Math.floor(end.getTime() / 1_000);
  return until > now ? { until } : { missing: 'until' };
}

type GrantField = 'email' | 'department_id' | 'role_id' | 'agent_id' | 'group_id';

/** The request for the grant, or the first missing field. */
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

/** The parameters that revoke the grant of an entry. */
export const toGrantParams = ({ role_id, agent_id, group_id }: GrantEntry): GrantParams => ({
  role_id,
  ...(agent_id !== undefined && { agent_id }),
  ...(group_id !== undefined && { group_id }),
});

/** Adds items that grants name although the user may not see them, because they can be chosen too. */
export function addNamed(seen: readonly NamedItem[], named: ReadonlyMap<number, string>): NamedItem[] {
  const known = new Set(seen.map(({ id }) => id));
  const more = [...named].filter(([id]) => !known.has(id)).map(([id, name]) => ({ id, name }));
  return [...seen, ...more];
}
