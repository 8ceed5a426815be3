/** Every kind of caller of the rights matrix: its name, how it is created, and what it holds. */
import type { Permission, RoleType } from '@drawbridge/contract/permissions';
import type { TestPerson, TestGrant } from '../../kit/server/account.ts';
import type { HeldRights } from '../operation-rows/rules.ts';
import * as reference from '../reference.ts';
import type { AccountResources } from '../account-resources.ts';

/** A technician, by what they are granted on the targets of requests. */
export interface Technician {
  name: string;
  grants(resources: AccountResources): Promise<TestGrant[]>;
  held: HeldRights;
  /** Whether they hold it all through one department, which was imported from a directory. */
  isImported?: true;
}

/** Where a role is held: on the device, its group, the other device of a merge, or without a target. */
type Where = 'device' | 'group' | 'target' | 'elsewhere' | 'team' | 'quick';

interface Right {
  where: Where;
  permissions: readonly string[];
  byDepartment?: boolean;
}

const typeOf: Record<Where, RoleType> = {
  device: 'agent',
  target: 'agent',
  elsewhere: 'agent',
  group: 'group',
  team: 'team',
  quick: 'quick_support',
};

async function scopeOf(
  where: Where,
  resources: AccountResources,
): Promise<{ agentId?: number; groupId?: number }> {
  if (where === 'device') return { agentId: (await resources.agent()).id };
  if (where === 'target') return { agentId: (await resources.target()).id };
  if (where === 'elsewhere') return { agentId: (await resources.account.agent()).id };
  return where === 'group' ? { groupId: await resources.group() } : {};
}

const holds = (rights: readonly Right[], ...places: Where[]) => {
  const held = rights.filter(({ where }) => places.includes(where)).flatMap(({ permissions }) => permissions);
  return (permission: string): boolean => held.includes(permission);
};

/** Both devices are in the group, so a permission on the group is one on each of them. */
const heldBy = (rights: readonly Right[]): HeldRights => ({
  team: holds(rights, 'team'),
  quick: holds(rights, 'quick'),
  device: holds(rights, 'device', 'group'),
  anyOnDevice: rights.some(({ where }) => where === 'device' || where === 'group'),
  target: holds(rights, 'target', 'group'),
  group: holds(rights, 'group'),
});

export const technician = (name: string, rights: readonly Right[]): Technician => ({
  name,
  held: heldBy(rights),
  grants: (resources) =>
    Promise.all(
      rights.map(async ({ where, permissions, byDepartment = false }) => ({
        type: typeOf[where],
        permissions: permissions as readonly Permission[],
        byDepartment,
        ...(await scopeOf(where, resources)),
      })),
    ),
});

const oneRightEach = (where: Where, place: string): Technician[] =>
  reference.documentedPermissions[typeOf[where]]!.flatMap((permission) => [
    technician(`${permission} ${place}`, [{ where, permissions: [permission] }]),
    technician(`${permission} ${place} through a department`, [
      { where, permissions: [permission], byDepartment: true },
    ]),
  ]);

export const whole = (where: Where): Right => ({
  where,
  permissions: reference.documentedPermissions[typeOf[where]]!,
});
const everything: Right[] = [whole('group'), whole('team'), whole('quick')];

export const withAllRights = technician('every permission', everything);
export const withAllRightsByDepartment = technician(
  'every permission through departments',
  everything.map((right) => ({ ...right, byDepartment: true })),
);
export const withoutRights = technician('nothing', []);

export const withAllRightsByImport: Technician = {
  ...technician('every permission through an imported department', everything),
  isImported: true,
};

export const technicians: Technician[] = [
  withoutRights,
  withAllRights,
  withAllRightsByDepartment,
  withAllRightsByImport,
  ...oneRightEach('device', 'on the device'),
  ...oneRightEach('group', 'on the group'),
  ...oneRightEach('quick', 'in quick support'),
  ...oneRightEach('team', 'in the team'),
  technician('every permission on another device', [whole('elsewhere')]),
  technician('every permission on the device but none in the team', [whole('device')]),
  technician('agent_logout on the one and agent_change_settings on the other device', [
    { where: 'device', permissions: ['agent_logout'] },
    { where: 'target', permissions: ['agent_change_settings'] },
  ]),
  technician('agent_change_settings on the one and agent_logout on the other device', [
    { where: 'device', permissions: ['agent_change_settings'] },
    { where: 'target', permissions: ['agent_logout'] },
  ]),
  technician('agent_change_settings on the other device only', [
    { where: 'target', permissions: ['agent_change_settings'] },
  ]),
  technician('all invitations and connecting', [
    { where: 'quick', permissions: ['quick_support_technical'] },
    { where: 'quick', permissions: ['agent_connect'], byDepartment: true },
  ]),
  technician('own invitations and connecting', [
    { where: 'quick', permissions: ['quick_support_admin', 'agent_connect'] },
  ]),
];

export async function createTechnician(resources: AccountResources, who: Technician): Promise<TestPerson> {
  const grants = await who.grants(resources);
  return who.isImported ? (await createImported(resources, grants)).person : resources.account.member(grants);
}

export async function createImported({ account }: AccountResources, grants: readonly TestGrant[]) {
  const person = await account.member();
  const department = await account.importedDepartment(person);
  for (const grant of grants) await account.grant(person, { ...grant, departmentId: department.id });
  return { person, department };
}
