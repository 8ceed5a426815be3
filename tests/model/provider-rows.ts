/** What identity providers look after in an organisation of the model: its rows, and what the model knows about them. */
import type { Insert } from './row-inserter.ts';

/** Whether a member did not come from the directory, so that SCIM may disable them. No provider signs them in yet. */
export const isLocal = (index: number): boolean => index % 2 === 1;

/** The token of an identity provider that acts with the rights of this member. */
export const scimTokenOf = (email: string): string => `token-of-${email.replace(/\W/g, '-')}`;

/** The first is the one at the beginning. */
export const clientIds = ['client', 'other'] as const;

/** The groups at the provider. Those of the other account have the same names. */
export const providerGroups = ['group0', 'group1'] as const;

interface GroupMapping {
  group: string;
  department: number;
  /** Who mapped the group; empty if they have left. */
  by: string;
}

export interface ProviderKnowledge {
  mappings: GroupMapping[];
  /** The departments into which groups of the provider brought a member. */
  brought: Map<string, Set<number>>;
  /** Whom the provider signs in. */
  bound: Set<string>;
  /** Whether the provider recognises invited people by their address. */
  adopts: boolean;
  /** The client of the provider that people sign in to. */
  clientId: string;
  /** Who answers for the settings of the provider. */
  responsible: string;
  /** Whom SCIM has disabled. */
  disabled: Set<string>;
}

interface Person {
  id: number;
  email: string;
}

interface Account {
  account_id: number;
  owner: Person;
  people: readonly Person[];
  /** The department that SCIM provisions. */
  provisioned: number;
}

/** Sign-in names have no digits. */
const toLetters = (serial: number): string =>
  String(serial).replace(/\d/g, (digit) => 'abcdefghjk'.charAt(Number(digit)));

/**
 * Another account with groups of the same names, which bring everything in a team. Its provider has people with the same
 * subjects.
 */
function insertForeign(insert: Insert, people: readonly Person[], serial: number): number {
  const account_id = insert('account', { create_time: 0 });
  const person = (owner: 0 | 1, name: string): number => {
    const email = `foreign-${name}`;
    return insert('member', { account_id, email, email_folded: email, owner, state: 'active' });
  };
  const member_id = person(1, `owner-${serial}@example.com`);
  const department_id = insert('department', { account_id });
  const permissions = JSON.stringify(['team_user_admin', 'team_api_key']);
  const role_id = insert('role', { account_id, type: 'team', permissions });
  insert('access_entry', { account_id, role_id, department_id, member_id: null });
  const sign_in_name = `foreign-${toLetters(serial)}`;
  const provider_id = insert('provider', { account_id, member_id, sign_in_name, enabled: 1 });
  for (const group_name of providerGroups)
    insert('provider_group', { account_id, provider_id, department_id, group_name, member_id });
  for (const { email: subject } of people)
    insert('provider_identity', { account_id, provider_id, member_id: person(0, subject), subject });
  return department_id;
}

/** The provider of an account, which signs in the owner and those from the directory, and the department of another account. */
export function insertProviders(
  insert: Insert,
  { account_id, owner, people, provisioned }: Account,
  serial: number,
) {
  const foreign = insertForeign(insert, people, serial);
  insert('scim_group', { account_id, department_id: provisioned });
  const providerName = `own-${toLetters(serial)}`;
  const settings = { member_id: owner.id, enabled: 1, groups_claim: 'groups', client_id: clientIds[0] };
  const provider = insert('provider', { account_id, sign_in_name: providerName, ...settings });
  const bound = [owner, ...people.filter((_person, index) => !isLocal(index))];
  for (const { id: member_id, email: subject } of bound)
    insert('provider_identity', { account_id, provider_id: provider, member_id, subject });
  const known: ProviderKnowledge = {
    mappings: [],
    brought: new Map(),
    bound: new Set(bound.map(({ email }) => email)),
    adopts: false,
    clientId: clientIds[0],
    responsible: owner.email,
    disabled: new Set(),
  };
  return { foreign, provider, providerName, known };
}
