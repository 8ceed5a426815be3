/** Giving access: what is still missing, what is then asked of the server, and which field its refusal blames. */
import type { RoleType } from '@drawbridge/contract/permissions';
import type { GrantEntry, NamedItem, TeamRole } from './data.ts';
import { rolesByType } from './lists.ts';

export type Holder = { email: string } | { department_id: number; department: string };
export type Target = { agent_id: number; name: string } | { group_id: number; name: string };

/** What the dialog is opened with: whatever is given is not asked for. */
export interface Offer {
  holder?: Holder;
  on?: Target;
  role?: Pick<TeamRole, 'id' | 'name' | 'type'>;
}

/** What is chosen in the dialog; empty while it is not. */
export interface Wish {
  kind: 'person' | 'department';
  email: string;
  department: string;
  role: string;
  agent: string;
  group: string;
}

export const emptyWish: Wish = { kind: 'person', email: '', department: '', role: '', agent: '', group: '' };

/** Of which types roles can be given there. */
export const typesFor = (on: Target | undefined): readonly RoleType[] | undefined =>
  on === undefined ? undefined : 'agent_id' in on ? ['agent'] : ['group'];

/** Nobody hands out a team permission that they lack. */
const isGivenBy = (giver: Giver, { type, permission }: TeamRole): boolean =>
  giver.owner || type !== 'team' || permission.every((each) => giver.team.includes(each));

interface Giver {
  owner: boolean;
  team: readonly string[];
}

export const rolesFor = (roles: readonly TeamRole[], on: Target | undefined, giver: Giver) => {
  const types = typesFor(on);
  const given = roles.filter((role) => isGivenBy(giver, role));
  return rolesByType(given, '').filter(({ type }) => types?.includes(type) ?? true);
};

export interface Grant {
  role_id: number;
  agent_id?: number;
  group_id?: number;
}
export type Given = { to: { email: string } | { department_id: number }; grant: Grant };

type Field = 'email' | 'department_id' | 'role_id' | 'agent_id' | 'group_id';

/** The grant that is wished for, or the first field that is missing. */
export function givenBy(offer: Offer, wish: Wish, type: RoleType | undefined): Given | { missing: Field } {
  const to = holderOf(offer.holder, wish);
  if ('missing' in to) return to;
  const role_id = offer.role?.id ?? Number(wish.role);
  if (!role_id) return { missing: 'role_id' };
  if (type === 'agent') return withScope(to, role_id, 'agent_id', idOf(offer.on, 'agent_id', wish.agent));
  if (type === 'group') return withScope(to, role_id, 'group_id', idOf(offer.on, 'group_id', wish.group));
  return { to, grant: { role_id } };
}

function holderOf(holder: Holder | undefined, wish: Wish): Given['to'] | { missing: Field } {
  if (holder) return 'email' in holder ? { email: holder.email } : { department_id: holder.department_id };
  if (wish.kind === 'person') return wish.email ? { email: wish.email } : { missing: 'email' };
  return wish.department ? { department_id: Number(wish.department) } : { missing: 'department_id' };
}

const idOf = (on: Target | undefined, field: 'agent_id' | 'group_id', chosen: string): number => {
  const settled: { agent_id?: number; group_id?: number } = on ?? {};
  return settled[field] ?? Number(chosen);
};

const withScope = (
  to: Given['to'],
  role_id: number,
  field: 'agent_id' | 'group_id',
  id: number,
): Given | { missing: Field } => (id ? { to, grant: { role_id, [field]: id } } : { missing: field });

/** The grant of an entry, to take it away again. */
export const grantOf = ({ role_id, agent_id, group_id }: GrantEntry): Grant => ({
  role_id,
  ...(agent_id !== undefined && { agent_id }),
  ...(group_id !== undefined && { group_id }),
});

/** Those that were named elsewhere are known too, though one may not see them: they can be chosen all the same. */
export function withNames(seen: readonly NamedItem[], named: ReadonlyMap<number, string>): NamedItem[] {
  const known = new Set(seen.map(({ id }) => id));
  const more = [...named].filter(([id]) => !known.has(id)).map(([id, name]) => ({ id, name }));
  return [...seen, ...more];
}
