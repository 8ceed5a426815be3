/** Nobody gives themselves more rights than they hold. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission, RoleType } from '@drawbridge/contract/permissions';
import type { Actor, RoleGrant } from './access.ts';
import { findUnheldTeamPermission, gainsRights, gainsRightsByMove, mayActAs } from './escalation.ts';

const grant = (type: RoleType, permissions: Permission[], on: Partial<RoleGrant> = {}): RoleGrant => ({
  roleId: 1,
  roleName: 'a role',
  type,
  permissions,
  agentId: null,
  groupId: null,
  departmentId: null,
  until: null,
  ...on,
});
const technician = (...grants: RoleGrant[]): Actor => ({
  accountId: 1,
  memberId: 2,
  email: 'ann@example.com',
  owner: false,
  grants,
});
const owner: Actor = { ...technician(), owner: true };

test('a new right is a gain, the same right through another role or department is not', () => {
  const before = technician(grant('team', ['team_user_admin']));

  assert.equal(gainsRights(before, technician(grant('team', ['team_user_admin', 'team_api_key']))), true);
  assert.equal(
    gainsRights(before, technician(grant('team', ['team_user_admin'], { roleId: 9, departmentId: 3 }))),
    false,
  );
  assert.equal(gainsRights(before, before), false);
  assert.equal(gainsRights(technician(), before), true);
});

test('fewer rights than before are no gain', () => {
  assert.equal(
    gainsRights(technician(grant('team', ['team_user_admin', 'team_api_key'])), technician()),
    false,
  );
});

test('the owner cannot gain rights', () => {
  assert.equal(gainsRights(owner, { ...owner, grants: [grant('team', ['team_api_key'])] }), false);
  const granted = { ...owner, grants: [grant('group', ['agent_control'], { groupId: 70 })] };
  assert.equal(gainsRightsByMove(granted, { id: 7, groupId: null }, { id: 7, groupId: 70 }), false);
});

test('a right on one device is no right on another', () => {
  const before = technician(grant('agent', ['agent_control'], { agentId: 7 }));

  assert.equal(gainsRights(before, technician(grant('agent', ['agent_control'], { agentId: 8 }))), true);
});

test('a permission of a device role differs from that of a quick-support role', () => {
  const before = technician(grant('quick_support', ['agent_control']));

  assert.equal(gainsRights(before, technician(grant('agent', ['agent_control'], { agentId: 7 }))), true);
});

test('a right on a group does not justify a permanent one on a device in it', () => {
  const before = technician(grant('group', ['agent_control'], { groupId: 70 }));
  const after = technician(...before.grants, grant('agent', ['agent_control'], { agentId: 7 }));

  assert.equal(gainsRights(before, after), true);
});

test('a right on every device of a group does not justify one on the group', () => {
  const before = technician(grant('agent', ['agent_control'], { agentId: 7 }));

  assert.equal(gainsRights(before, technician(grant('group', ['agent_control'], { groupId: 70 }))), true);
});

test('moving a device into a group is a gain when the group gives more rights than the caller holds on it', () => {
  const [out, inside] = [
    { id: 7, groupId: null },
    { id: 7, groupId: 70 },
  ];
  const more = technician(
    grant('agent', ['agent_change_settings'], { agentId: 7 }),
    grant('group', ['agent_change_settings', 'agent_control'], { groupId: 70 }),
  );
  const same = technician(
    grant('agent', ['agent_change_settings', 'agent_control'], { agentId: 7 }),
    grant('group', ['agent_change_settings', 'agent_control'], { groupId: 70 }),
  );

  assert.equal(gainsRightsByMove(more, out, inside), true);
  assert.equal(gainsRightsByMove(more, inside, out), false);
  assert.equal(gainsRightsByMove(same, out, inside), false);
  assert.equal(gainsRightsByMove(more, inside, { id: 7, groupId: 71 }), false);
});

test('only holders of a team permission may grant it; other permissions are not checked', () => {
  const admin = technician(grant('team', ['team_user_admin']));

  assert.equal(findUnheldTeamPermission(admin, ['team_user_admin'], null), undefined);
  assert.equal(findUnheldTeamPermission(admin, ['team_user_admin', 'team_api_key'], null), 'team_api_key');
  assert.equal(
    findUnheldTeamPermission(admin, ['agent_control', 'quick_support_technical'], null),
    undefined,
  );
  assert.equal(findUnheldTeamPermission(owner, ['team_api_key', 'team_billing_admin'], null), undefined);
});

test('a person may act as those whose rights they all hold and as themselves, never as the owner', () => {
  const other = (...grants: RoleGrant[]): Actor => ({ ...technician(...grants), memberId: 3 });
  const admin = technician(grant('team', ['team_user_admin']));

  assert.equal(mayActAs(admin, other(grant('team', ['team_user_admin']))), true);
  assert.equal(mayActAs(admin, other()), true);
  assert.equal(mayActAs(admin, admin), true);
  assert.equal(mayActAs(owner, other(grant('team', ['team_api_key']))), true);
  assert.equal(mayActAs(owner, owner), true);
  assert.equal(mayActAs(admin, other(grant('agent', ['agent_connect'], { agentId: 7 }))), false);
  assert.equal(mayActAs(admin, { ...other(), owner: true }), false);
});
