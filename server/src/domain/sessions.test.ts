/** The rules of sessions: what is held, who is asked, and when it is over. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission, RoleType } from '@drawbridge/contract/permissions';
import type { Actor } from './access.ts';
import type { PlanState } from './plan.ts';
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
import type { Invitation } from './support.ts';

const agentRef = { id: 1, groupId: 2 };
const actorWith = (type: RoleType, permissions: readonly Permission[]): Actor => ({
  accountId: 1,
  memberId: 7,
  email: 'ann@example.com',
  owner: false,
  grants: [{ roleId: 1, roleName: 'r', type, permissions, agentId: 1, groupId: null, departmentId: null }],
});
const owner: Actor = { ...actorWith('agent', []), owner: true };

test('on a device eleven things can be allowed, with a client nine', () => {
  assert.deepEqual([devicePermissions.length, clientPermissions.length], [11, 9]);
  assert.ok(!(devicePermissions as string[]).includes('agent_app_install_request'));
  assert.ok(!(clientPermissions as string[]).includes('agent_lock_screen'));
});

test('who may not see the screen may do nothing, and who may holds what is granted and no more', () => {
  assert.deepEqual(permissionsOnDevice(actorWith('agent', ['agent_control', 'agent_chat']), agentRef), []);
  assert.deepEqual(
    permissionsOnDevice(actorWith('agent', ['agent_chat', 'agent_connect', 'agent_logout']), agentRef),
    ['agent_connect', 'agent_chat'],
  );
  assert.deepEqual(permissionsOnDevice(owner, agentRef), [...devicePermissions]);
});

test('who holds all that the password of a device gives may set one, and nobody else', () => {
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

test('with a client, the rights of quick support count, for one’s own invitations or for all', () => {
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

test('the person at the device is asked where the group says so, but for those who need not ask', () => {
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

test('a session never gets more than it began with', () => {
  assert.deepEqual(narrowPermissions(['agent_connect', 'agent_chat'], ['agent_connect', 'agent_control']), [
    'agent_connect',
  ]);
});

test('a session is long over ten minutes after its end, and not before', () => {
  assert.deepEqual(
    [isPastResume(null, 1_000), isPastResume(401, 1_000), isPastResume(400, 1_000)],
    [false, false, true],
  );
});

test('a session is over when it was ended, its person or invitation is gone, or its device closed to it', () => {
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
  const validity: SessionValidity = { id: 1, stop: null, memberId: 7, rightsVersion: 1, agent, status: null };
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
  // Only a password is nobody's.
  assert.equal(over({ memberId: null, agent: { ...agent, onetimeAllowed: true } }, 'onetime'), true);
  assert.equal(over({ memberId: null, agent: null, status: 2 }, 'operator'), true);
});
