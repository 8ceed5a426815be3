/** Who can ask for which roles. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RoleGrant } from './access.ts';
import { askableTypes } from './access-requests.ts';

const grant = (some: Partial<RoleGrant>): RoleGrant => ({
  roleId: 1,
  roleName: 'r',
  type: 'agent',
  permissions: ['agent_chat'],
  agentId: null,
  groupId: null,
  departmentId: null,
  until: null,
  ...some,
});

test('only roles of the types that can be given on what a person sees are named to them', () => {
  const typesFor = (grants: RoleGrant[], owner = false) =>
    askableTypes({ accountId: 1, memberId: 1, email: '', owner, grants });

  assert.deepEqual(typesFor([]), []);
  assert.deepEqual(typesFor([grant({ type: 'team', permissions: ['team_api_key'] })]), []);
  assert.deepEqual(typesFor([grant({ agentId: 1, permissions: [] })]), []);
  assert.deepEqual(typesFor([grant({ agentId: 1 })]), ['agent']);
  assert.deepEqual(typesFor([grant({ type: 'group', groupId: 1 })]), ['agent', 'group']);
  assert.deepEqual(typesFor([], true), ['agent', 'group']);
});
