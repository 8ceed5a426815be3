/** The rules of sessions: permissions, consent, and when a session must end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission, RoleType } from '@drawbridge/contract/permissions';
import type { Actor } from '../people/access.ts';
import type { PlanState } from '../people/plan.ts';
import {
  needsConsent,
  permissionsOnDevice,
  permissionsWithClient,
  isPastResume,
  mayGrantFullAccess,
  devicePermissions,
  narrowPermissions,
  endReason,
  clientPermissions,
  type SessionValidity,
} from './sessions.ts';
import type { Invitation } from '../support.ts';

const agentRef = { id: 1, groupId: 2 };
const actorWith = (type: RoleType, permissions: readonly Permission[]): Actor => ({
  accountId: 1,
  memberId: 7,
  email: 'ann@example.com',
  owner: false,
  grants: [
    {
      roleId: 1,
      roleName: 'r',
      type,
      permissions,
      agentId: 1,
      groupId: null,
      departmentId: null,
      until: null,
    },
  ],
});
const owner: Actor = { ...actorWith('agent', []), owner: true };

test('a session with a device can have eleven permissions, one with a client nine', () => {
  assert.deepEqual([devicePermissions.length, clientPermissions.length], [11, 9]);
  assert.ok(!(devicePermissions as string[]).includes('agent_app_install_request'));
  assert.ok(!(clientPermissions as string[]).includes('agent_lock_screen'));
});

test('without the permission to see the screen there are none, with it exactly those granted', () => {
  assert.deepEqual(permissionsOnDevice(actorWith('agent', ['agent_control', 'agent_chat']), agentRef), []);
  assert.deepEqual(
    permissionsOnDevice(actorWith('agent', ['agent_chat', 'agent_connect', 'agent_logout']), agentRef),
    ['agent_connect', 'agent_chat'],
  );
  assert.deepEqual(permissionsOnDevice(owner, agentRef), [...devicePermissions]);
});

test('only holders of everything that a device password gives may set one', () => {
  const all = devicePermissions as readonly Permission[];

  assert.deepEqual(
    [mayGrantFullAccess(owner, agentRef), mayGrantFullAccess(actorWith('agent', all), agentRef)],
    [true, true],
  );
  for (const missing of all)
    assert.equal(
      mayGrantFullAccess(
        actorWith('agent', ['agent_change_settings', ...all.filter((each) => each !== missing)]),
        agentRef,
      ),
      false,
      missing,
    );
  assert.equal(mayGrantFullAccess(actorWith('agent', all), { id: 3, groupId: 2 }), false);
});

test('with a client, quick-support permissions count, for own invitations or for all', () => {
  const invitation = { memberId: 8 } as Invitation;
  const all = actorWith('quick_support', ['quick_support_technical', 'agent_connect', 'agent_reboot']);
  const own = actorWith('quick_support', ['quick_support_admin', 'agent_connect']);

  assert.deepEqual(permissionsWithClient(all, invitation), ['agent_connect', 'agent_reboot']);
  assert.deepEqual(permissionsWithClient(own, invitation), []);
  assert.deepEqual(permissionsWithClient(own, { ...invitation, memberId: 7 }), ['agent_connect']);
  assert.deepEqual(
    permissionsWithClient(actorWith('quick_support', ['quick_support_technical']), invitation),
    [],
  );
  assert.deepEqual(permissionsWithClient(owner, invitation), [...clientPermissions]);
});

test('the person at the device is asked if the group requires it, unless the operator is exempt', () => {
  const spared = actorWith('agent', ['agent_no_confirm']);

  assert.deepEqual(
    [needsConsent('never', undefined, agentRef), needsConsent('ask', undefined, agentRef)],
    [false, true],
  );
  assert.deepEqual(
    [actorWith('agent', ['agent_connect']), spared, owner].map((actor) =>
      needsConsent('ask', actor, agentRef),
    ),
    [true, false, false],
  );
});

test('a session never gets more permissions than it began with', () => {
  assert.deepEqual(narrowPermissions(['agent_connect', 'agent_chat'], ['agent_connect', 'agent_control']), [
    'agent_connect',
  ]);
});

test('a session can be resumed for ten minutes after its end', () => {
  assert.deepEqual(
    [isPastResume(null, 1_000), isPastResume(401, 1_000), isPastResume(400, 1_000)],
    [false, false, true],
  );
});

test('a session ends when it was stopped, its person or invitation is gone, or its device no longer allows it', () => {
  const state: PlanState = { lastWithin: 'all', overFiles: false };
  const agent = {
    id: 1,
    groupId: null,
    linkTime: 0,
    addedOverFiles: false,
    approved: true,
    permanentEnabled: false,
    onetimeAllowed: false,
  };
  const validity: SessionValidity = {
    id: 1,
    holder: '',
    stop: null,
    memberId: 7,
    rightsVersion: 1,
    agent,
    status: null,
  };
  const over = (
    some: Partial<SessionValidity>,
    origin: Parameters<typeof endReason>[0] = 'api',
    plan = state,
  ) => endReason(origin, { ...validity, ...some }, plan, 0) !== undefined;

  assert.equal(over({}), false);
  assert.deepEqual([over({ stop: 5 }), over({ memberId: null })], [true, true]);
  assert.deepEqual([over({ agent: null, status: 2 }), over({ agent: null, status: 3 })], [false, true]);
  assert.equal(over({ agent: { ...agent, approved: false } }), true);
  assert.equal(over({}, 'api', { ...state, lastWithin: 'none' }), true);
  for (const [origin, flag, memberId] of [
    ['permanent', 'permanentEnabled', null],
    ['onetime', 'onetimeAllowed', 7],
  ] as const) {
    assert.equal(over({ memberId }, origin), true);
    assert.equal(over({ memberId, agent: { ...agent, [flag]: true } }, origin), false);
  }
  // Only sessions by password belong to nobody.
  assert.equal(over({ memberId: null, agent: { ...agent, onetimeAllowed: true } }, 'onetime'), true);
  assert.equal(over({ memberId: null, agent: null, status: 2 }, 'operator'), true);
});
