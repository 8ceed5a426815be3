/** Which permissions a role can have, and the roles every account starts with. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import { permissionIds, type Permission, type RoleType } from '@drawbridge/contract/permissions';

export interface Role {
  id: number;
  name: string;
  type: RoleType;
  description: string;
  permissions: readonly Permission[];
  /** A system role exists from the start and cannot be edited or removed. */
  system: boolean;
}

/** The first permission that a role of this type cannot have. */
export const findInvalidPermission = (type: RoleType, permissions: readonly string[]): string | undefined =>
  permissions.find((each) => !permissionIds(type).includes(each as Permission));

export const invalidPermissionFault = (permission: string, type: RoleType): Fault<'invalid'> =>
  fault('invalid', {
    field: 'permission',
    message: `${permission} is not a permission of a role of type ${type}.`,
  });

/** Each permission once, in the order of the catalogue. */
export const normalizePermissions = (type: RoleType, permissions: readonly string[]): Permission[] =>
  permissionIds(type).filter((each) => permissions.includes(each));

/** Which of agent_id and group_id a grant of this role type needs. */
export const scopeFieldOf = (type: RoleType): 'agent_id' | 'group_id' | undefined =>
  type === 'agent' ? 'agent_id' : type === 'group' ? 'group_id' : undefined;

const supportTools = permissionIds('quick_support').filter((each) => !each.startsWith('quick_support_'));

export const systemRoles: readonly Omit<Role, 'id' | 'system'>[] = [
  {
    name: 'Full access to a device',
    type: 'agent',
    description: 'Everything on one device.',
    permissions: permissionIds('agent'),
  },
  {
    name: 'View only',
    type: 'agent',
    description: 'See the screen of one device without touching it.',
    permissions: ['agent_connect', 'agent_preview'],
  },
  {
    name: 'Full access to a group',
    type: 'group',
    description: 'Everything on every device of a group.',
    permissions: permissionIds('group'),
  },
  {
    name: 'Own invitations',
    type: 'quick_support',
    description: 'Invite clients and help them; see own invitations only.',
    permissions: ['quick_support_admin', ...supportTools],
  },
  {
    name: 'All invitations',
    type: 'quick_support',
    description: 'Invite clients and help them; see all invitations of the team.',
    permissions: ['quick_support_technical', ...supportTools],
  },
  {
    name: 'Team administrator',
    type: 'team',
    description: 'Manage technicians, roles, keys, branding, the plan and the audit log.',
    permissions: permissionIds('team'),
  },
];
