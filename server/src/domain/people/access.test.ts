/** Access rules: who may do what. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission, RoleType } from '@drawbridge/contract/permissions';
import { askableTypes } from './access-requests.ts';
import {
  agentScope,
  invitationScope,
  mayAgent,
  mayGroup,
  maySupport,
  mayTeam,
  scopedActorIndex,
  permissionIndex,
  grantsByPermissionOfType,
  grantsByPermissionOnAgent,
  type Actor,
  type RoleGrant,
} from './access.ts';

let roles = 0;
const grant = (type: RoleType, permissions: Permission[], on: Partial<RoleGrant> = {}): RoleGrant => ({
  roleId: (roles += 1),
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
const desk = { id: 7, groupId: 70 };
const lamp = { id: 8, groupId: null };

test('the owner may do everything', () => {
  assert.ok(mayTeam(owner, 'team_user_admin'));
  assert.ok(maySupport(owner, 'quick_support_technical'));
  assert.ok(mayAgent(owner, 'agent_logout', desk));
  assert.ok(mayGroup(owner, 'agent_change_settings', 70));
  assert.equal(agentScope(owner), 'all');
  assert.equal(invitationScope(owner), 'all');
});

test('without a grant there is no permission', () => {
  const nobody = technician();

  assert.equal(mayTeam(nobody, 'team_user_admin'), false);
  assert.equal(maySupport(nobody, 'agent_connect'), false);
  assert.equal(mayAgent(nobody, 'any', desk), false);
  assert.equal(mayGroup(nobody, 'agent_change_settings', 70), false);
  assert.deepEqual(agentScope(nobody), { agentIds: [], groupIds: [] });
  assert.equal(invitationScope(nobody), 'none');
});

test('an agent role applies to its device, a group role to every device that is now in the group', () => {
  const byAgent = technician(grant('agent', ['agent_connect'], { agentId: 7 }));
  const byGroup = technician(grant('group', ['agent_connect'], { groupId: 70 }));

  assert.deepEqual(
    [mayAgent(byAgent, 'agent_connect', desk), mayAgent(byAgent, 'agent_connect', lamp)],
    [true, false],
  );
  assert.deepEqual(
    [mayAgent(byGroup, 'agent_connect', desk), mayAgent(byGroup, 'agent_connect', lamp)],
    [true, false],
  );
  assert.equal(mayAgent(byGroup, 'agent_connect', { id: 7, groupId: 71 }), false);
});

test('a role without a device does not apply to devices without a group', () => {
  const odd = technician(grant('group', ['agent_connect']), grant('agent', ['agent_connect']));

  assert.equal(mayAgent(odd, 'agent_connect', lamp), false);
  assert.equal(mayAgent(odd, 'any', lamp), false);
});

test('a device and a group with the same id are not confused', () => {
  const byAgent = technician(grant('agent', ['agent_change_settings'], { agentId: 70 }));
  const byGroup = technician(grant('group', ['agent_change_settings'], { groupId: 7 }));

  assert.equal(mayGroup(byAgent, 'agent_change_settings', 70), false);
  assert.equal(mayAgent(byAgent, 'any', desk), false);
  assert.equal(mayAgent(byGroup, 'any', desk), false);
});

test('a permission counts only from a role of its own type', () => {
  const helper = technician(grant('quick_support', ['agent_connect'], { agentId: 7, groupId: 70 }));
  const keeper = technician(grant('agent', ['agent_connect'], { agentId: 7 }));

  assert.equal(mayAgent(helper, 'agent_connect', desk), false);
  assert.deepEqual(agentScope(helper), { agentIds: [], groupIds: [] });
  assert.equal(maySupport(keeper, 'agent_connect'), false);
});

test('any permission makes a device visible; a role without permissions does not', () => {
  assert.ok(mayAgent(technician(grant('agent', ['agent_chat'], { agentId: 7 })), 'any', desk));
  const empty = technician(grant('agent', [], { agentId: 7 }), grant('group', [], { groupId: 70 }));
  assert.equal(mayAgent(empty, 'any', desk), false);
  assert.deepEqual(agentScope(empty), { agentIds: [], groupIds: [] });
});

test('everyone may ask whether a device exists', () => {
  assert.ok(mayAgent(technician(), 'exists', desk));
});

test('permissions of several grants add up', () => {
  const both = technician(
    grant('agent', ['agent_connect'], { agentId: 7 }),
    grant('group', ['agent_reboot'], { groupId: 70, departmentId: 3 }),
  );

  assert.ok(mayAgent(both, 'agent_connect', desk) && mayAgent(both, 'agent_reboot', desk));
  assert.deepEqual(agentScope(both), { agentIds: [7], groupIds: [70] });
  assert.deepEqual(agentScope(both, 'agent_reboot'), { agentIds: [], groupIds: [70] });
});

test('only group roles give permissions on a group', () => {
  const member = technician(grant('agent', ['agent_change_settings'], { agentId: 7 }));
  const keeper = technician(grant('group', ['agent_change_settings'], { groupId: 70 }));

  assert.equal(mayGroup(member, 'agent_change_settings', 70), false);
  assert.deepEqual(
    [mayGroup(keeper, 'agent_change_settings', 70), mayGroup(keeper, 'agent_change_settings', 71)],
    [true, false],
  );
  assert.equal(mayGroup(keeper, 'agent_logout', 70), false);
});

test('a person sees all invitations, their own, or none; the wider permission wins', () => {
  const own = grant('quick_support', ['quick_support_admin']);
  const all = grant('quick_support', ['quick_support_technical']);

  assert.equal(invitationScope(technician(own)), 'own');
  assert.equal(invitationScope(technician(own, all)), 'all');
  assert.equal(invitationScope(technician(grant('quick_support', ['agent_connect']))), 'none');
});

test('team permissions are held independently of each other', () => {
  const admin = technician(grant('team', ['team_user_admin']));

  assert.deepEqual([mayTeam(admin, 'team_user_admin'), mayTeam(admin, 'team_api_key')], [true, false]);
});

test('the permission index decides the same for many devices as the single check for each', () => {
  const actors = [
    owner,
    technician(),
    technician(grant('agent', ['agent_preview'], { agentId: 7 })),
    technician(grant('group', ['agent_preview', 'agent_sessions'], { groupId: 70 })),
    technician(grant('group', ['agent_preview']), grant('quick_support', ['agent_preview'])),
  ];
  for (const actor of actors)
    for (const permission of ['agent_preview', 'agent_sessions'] as const)
      for (const agentRef of [desk, lamp, { id: 70, groupId: 7 }])
        assert.equal(permissionIndex(actor, permission)(agentRef), mayAgent(actor, permission, agentRef));
});

test('each permission on a device is explained by every grant that gives it', () => {
  const [direct, shared, elsewhere] = [
    grant('agent', ['agent_connect', 'agent_chat'], { agentId: 7 }),
    grant('group', ['agent_connect'], { groupId: 70, departmentId: 3 }),
    grant('agent', ['agent_logout'], { agentId: 8 }),
  ];

  const through = grantsByPermissionOnAgent(technician(direct, shared, elsewhere), desk);

  assert.deepEqual(
    [...through],
    [
      ['agent_connect', [direct, shared]],
      ['agent_chat', [direct]],
    ],
  );
});

test('the scoped actor decides the same for many devices as the full actor for each', () => {
  const ann = technician(
    grant('group', ['agent_connect'], { groupId: 70 }),
    grant('group', ['agent_chat'], { groupId: 71 }),
    grant('agent', ['agent_reboot'], { agentId: 7 }),
    grant('agent', ['agent_reboot'], { agentId: 8 }),
    grant('team', ['team_api_key']),
  );
  const scopedActor = scopedActorIndex(ann);

  for (const agentRef of [
    desk,
    lamp,
    { id: 9, groupId: 70 },
    { id: 9, groupId: 72 },
    { id: 10, groupId: null },
  ])
    assert.deepEqual(
      new Set(grantsByPermissionOnAgent(scopedActor(agentRef), agentRef).keys()),
      new Set(grantsByPermissionOnAgent(ann, agentRef).keys()),
    );
  assert.equal(scopedActor({ id: 9, groupId: 70 }), scopedActor({ id: 10, groupId: 70 }));
});

test('permissions without a device are listed by role type', () => {
  const ann = technician(grant('team', ['team_api_key']), grant('quick_support', ['agent_chat']));

  assert.deepEqual([...grantsByPermissionOfType(ann, 'team').keys()], ['team_api_key']);
  assert.deepEqual([...grantsByPermissionOfType(ann, 'quick_support').keys()], ['agent_chat']);
});

test('only roles of the types that can be given on what a person sees are named to them', () => {
  const typesFor = (...grants: RoleGrant[]) => askableTypes(technician(...grants));

  assert.deepEqual(typesFor(), []);
  assert.deepEqual(typesFor(grant('team', ['team_api_key'])), []);
  assert.deepEqual(typesFor(grant('agent', [], { agentId: 7 })), []);
  assert.deepEqual(typesFor(grant('agent', ['agent_chat'], { agentId: 7 })), ['agent']);
  assert.deepEqual(typesFor(grant('group', ['agent_chat'], { groupId: 70 })), ['agent', 'group']);
  assert.deepEqual(askableTypes(owner), ['agent', 'group']);
});
