/** Which permissions roles can have, and the roles every account starts with. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permissionIds, roleTypes } from '@drawbridge/contract/permissions';
import {
  scopeFieldOf,
  invalidPermissionFault,
  findInvalidPermission,
  systemRoles,
  normalizePermissions,
} from './roles.ts';

test('a role has only permissions of its type', () => {
  for (const type of roleTypes) assert.equal(findInvalidPermission(type, permissionIds(type)), undefined);
  assert.equal(findInvalidPermission('agent', ['agent_connect', 'team_api_key']), 'team_api_key');
  assert.equal(findInvalidPermission('team', ['agent_connect']), 'agent_connect');
  assert.equal(findInvalidPermission('agent', ['agent_app_install_request']), 'agent_app_install_request');
  assert.equal(findInvalidPermission('quick_support', ['agent_wake_on_lan']), 'agent_wake_on_lan');
  assert.equal(findInvalidPermission('agent', ['toString']), 'toString');
  assert.equal(findInvalidPermission('agent', []), undefined);
});

test('the refusal names the permission and the field', () => {
  assert.deepEqual(invalidPermissionFault('team_api_key', 'agent'), {
    fault: 'invalid',
    field: 'permission',
    message: 'team_api_key is not a permission of a role of type agent.',
  });
});

test('permissions are stored once each, in the order of the catalogue', () => {
  assert.deepEqual(normalizePermissions('agent', ['agent_chat', 'agent_connect', 'agent_chat']), [
    'agent_connect',
    'agent_chat',
  ]);
  assert.deepEqual(normalizePermissions('agent', []), []);
});

test('agent roles are granted on a device, group roles on a group, the others without a scope', () => {
  assert.deepEqual(roleTypes.map(scopeFieldOf), ['agent_id', 'group_id', undefined, undefined]);
});

test('the system roles cover every type, each with permissions of its own type', () => {
  assert.deepEqual(new Set(systemRoles.map((role) => role.type)), new Set(roleTypes));
  for (const { type, permissions } of systemRoles) {
    assert.equal(findInvalidPermission(type, permissions), undefined);
    assert.ok(permissions.length > 0);
  }
  assert.equal(new Set(systemRoles.map((role) => role.name)).size, systemRoles.length);
});

test('full access is everything, view only changes nothing, and own invitations do not include those of others', () => {
  const role = (name: string) => systemRoles.find((each) => each.name === name)!.permissions;

  assert.deepEqual(role('Full access to a device'), permissionIds('agent'));
  assert.deepEqual(role('Full access to a group'), permissionIds('group'));
  assert.deepEqual(role('Team administrator'), permissionIds('team'));
  assert.equal(role('View only').includes('agent_control'), false);
  assert.equal(role('Own invitations').includes('quick_support_technical'), false);
  assert.ok(role('All invitations').includes('quick_support_technical'));
});
