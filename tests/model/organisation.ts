/** Small organisations for the model, created without the service. */
import type { Permission, RoleType } from '@drawbridge/contract/permissions';
import { digestOf } from '@drawbridge/server/edges/random';
import { devicePermissions, clientPermissions } from '@drawbridge/server/domain/sessions/sessions';
import { importedUid, personUid } from './model-directory.ts';
import { insertProviders, isLocal, scimTokenOf, type ProviderKnowledge } from './provider-rows.ts';
import type { Insert, Values } from './row-inserter.ts';

const toLook: Permission[] = ['agent_connect', 'agent_chat'];
const restOf = (all: readonly string[]): Permission[] =>
  (all as Permission[]).filter((each) => !toLook.includes(each));
const onPlaces: Permission[][] = [
  ['agent_change_settings'],
  ['agent_logout'],
  toLook,
  restOf(devicePermissions),
];

/**
 * Few bundles of permissions, so that different roles often permit the same: only to view, or everything in a
 * session.
 */
const bundles: Record<RoleType, Permission[][]> = {
  agent: onPlaces,
  group: onPlaces,
  quick_support: [['quick_support_admin'], toLook, ['quick_support_technical'], restOf(clientPermissions)],
  team: [['team_user_admin'], ['team_api_key'], ['team_permanent_access']],
};
export const types = Object.keys(bundles) as RoleType[];

/** The time in the model, which stands still. */
export const modelMoment = 1_800_000_000;

/** Any number up to this one selects among the bundles of a type. */
export const allBundles = 15;

/** Those of a type's permissions whose bundle's bit is set. */
export const subset = (type: RoleType, mask: number): Permission[] =>
  bundles[type].filter((_, index) => mask & (1 << index)).flat();

/** How an organisation is generated: numbers are indices into its lists. */
export interface OrganisationPlan {
  people: number;
  /** The group of each device; 2 is none. */
  devices: readonly number[];
  roles: readonly { type: RoleType; mask: number }[];
  /** Who holds what on what; `to` counts the members, the two departments, the imported and the provisioned one. */
  grants: readonly { role: number; to: number; on: number; ends?: boolean }[];
  /** The members of the first and of the second department, as bits. */
  departments: readonly [number, number];
  /** The member who is a server administrator; nobody if absent. */
  operator?: number;
}

export interface ModelRole {
  id: number;
  type: RoleType;
}

export interface Organisation {
  accountId: number;
  owner: string;
  /** The server administrator; empty if there is none. */
  operator: string;
  people: string[];
  devices: number[];
  groups: number[];
  /** Two local ones, one that is imported, one that SCIM provisions, and one of another account. */
  departments: number[];
  roles: ModelRole[];
  invitations: number[];
  /** Requests for access that were made. */
  requests: number[];
  directory: number;
  provider: number;
  providerName: string;
  /** What the model knows of people whom identity providers sign in and disable. */
  known: ProviderKnowledge;
}

export const pickAt = <Item>(list: readonly Item[], index: number): Item => list[index % list.length]!;

/** The key of each member is derived from their address. */
export const modelApiKey = (email: string): string => `key of ${email}`;

/** The owner, and members: those with an even index came from one directory. */
function insertPeople(
  insert: Insert,
  account_id: number,
  { people: count, operator }: OrganisationPlan,
  serial: number,
) {
  const person = (name: string, owner: 0 | 1, origin: Values = {}) => {
    const email = `${name}-${serial}@example.com`;
    const some = { account_id, email, email_folded: email, owner, state: 'invited' };
    const id = insert('member', { ...some, ...origin });
    insert('api_key', { account_id, member_id: id, digest: digestOf(modelApiKey(email)), networks: '[]' });
    insert('scim_token', { account_id, member_id: id, digest: digestOf(scimTokenOf(email)) });
    return { id, email };
  };
  const owner = person('owner', 1);
  const settings = { member_id: owner.id, base: '15', removal_percent: 100 };
  const directory = insert('directory', { account_id, ...settings });
  const people = Array.from({ length: count }, (_, index) =>
    person(`person${index}`, 0, {
      ...(isLocal(index) ? {} : { directory_id: directory, directory_uid: personUid(index) }),
      operator: index === operator ? 1 : 0,
    }),
  );
  return { owner, people, directory, operator: people[operator ?? -1]?.email ?? '' };
}

/** Creates the organisation of a plan. */
export function insertOrganisation(insert: Insert, plan: OrganisationPlan, serial: number): Organisation {
  const account_id = insert('account', { create_time: 0, emergency_access: 1 });
  const { owner, people, directory, operator } = insertPeople(insert, account_id, plan, serial);
  const groups = [0, 1].map(() => insert('agent_group', { account_id }));
  const local = [0, 1].map(() => insert('department', { account_id }));
  const imported = { ldap: 1, directory_id: directory, directory_uid: importedUid };
  const owned = [
    ...local,
    insert('department', { account_id, ...imported }),
    insert('department', { account_id }),
  ];
  const { foreign, ...providers } = insertProviders(
    insert,
    { account_id, owner, people, provisioned: owned.at(-1)! },
    serial,
  );
  const groupsOfDevices = plan.devices.map((place) => groups[place]);
  const devices = insertDevices(insert, account_id, groupsOfDevices, serial);
  const invitations = insertInvitations(insert, account_id, [people[0]!.id, owner.id], serial);
  const roles = plan.roles.map(({ type, mask }) => ({
    id: insert('role', { account_id, type, permissions: JSON.stringify(subset(type, mask)) }),
    type,
  }));
  for (const [index, bits] of plan.departments.entries())
    for (const [place, { id }] of people.entries())
      if (bits & (1 << place))
        insert('department_member', { account_id, department_id: owned[index]!, member_id: id });
  for (const entry of accessEntriesOf(plan, { people, departments: owned, roles, devices, groups }))
    insert('access_entry', { account_id, ...entry });
  const emails = people.map(({ email }) => email);
  const departments = [...owned, foreign];
  const made = { people: emails, devices, groups, departments, roles, invitations, directory, requests: [] };
  return { accountId: account_id, owner: owner.email, operator, ...made, ...providers };
}

/** An invitation of quick support by each of these members. */
const insertInvitations = (
  insert: Insert,
  account_id: number,
  members: readonly number[],
  serial: number,
): number[] =>
  members.map((member_id, index) =>
    insert('invitation', {
      account_id,
      member_id,
      create_time: 2 ** 31,
      code: `${serial} ${index}`,
      connect_token: `token ${serial} ${index}`,
    }),
  );

/** One device that is online for each group; undefined stands for no group. */
function insertDevices(
  insert: Insert,
  account_id: number,
  groups: readonly (number | undefined)[],
  serial: number,
): number[] {
  const devices = groups.map((group, index) =>
    insert('agent', {
      account_id,
      device_id: serial * 10 + index,
      group_id: group ?? null,
      hardware: '{}',
      secret: `secret ${serial} ${index}`,
      public_key: `key ${serial} ${index}`,
    }),
  );
  for (const agent_id of devices) insert('presence', { agent_id, account_id, lease_until: 2 ** 40 });
  return devices;
}

interface Made extends Pick<Organisation, 'departments' | 'roles' | 'devices' | 'groups'> {
  people: readonly { id: number }[];
}

/** The grants of a plan as rows, each once. The first member holds the first role, whatever it is. */
function accessEntriesOf(
  { grants }: OrganisationPlan,
  { people, departments, roles, devices, groups }: Made,
): Values[] {
  const holders = [
    ...people.map(({ id }) => ({ member_id: id, department_id: null })),
    ...departments.map((id) => ({ member_id: null, department_id: id })),
  ];
  const first = { role: 0, to: 0, on: 0, ends: false };
  const rows = [first, ...grants].map(({ role, to, on, ends = false }) => {
    const { id, type } = pickAt(roles, role);
    return {
      role_id: id,
      ...pickAt(holders, to),
      agent_id: type === 'agent' ? pickAt(devices, on) : null,
      group_id: type === 'group' ? pickAt(groups, on) : null,
      until_time: ends ? modelMoment + 600 : null,
    };
  });
  const keyOf = ({ until_time: _end, ...row }: Values): string => JSON.stringify(row);
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}
