/** Who is notified of which change in the live panel. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Actor, RoleGrant } from '../../domain/people/access.ts';
import { eventsFor, maxEventIds, visibilityOf, type AccountChanges } from './account-changes.ts';

const noChanges: AccountChanges = {
  agents: new Map(),
  anyAgent: false,
  favorites: new Map(),
  groups: new Map(),
  moves: [],
  invitations: new Map(),
  sessions: new Map(),
  anySession: false,
  team: new Map(),
  keys: new Set(),
  notifications: new Set(),
  approvals: [],
  server: new Set(),
  me: { all: false, members: new Set(), sessions: new Set() },
};
const [ann, here] = [7, 70];
const grant = (
  type: RoleGrant['type'],
  permissions: RoleGrant['permissions'],
  on: Partial<RoleGrant> = {},
): RoleGrant => ({
  roleId: 1,
  roleName: 'role',
  type,
  permissions,
  agentId: null,
  groupId: null,
  departmentId: null,
  until: null,
  ...on,
});
const eventsSeenBy = (changes: Partial<AccountChanges>, grants: readonly RoleGrant[] = [], owner = false) => {
  const actor: Actor = { accountId: 1, memberId: ann, email: 'ann@example.com', owner, grants };
  return eventsFor({ ...noChanges, ...changes }, visibilityOf(actor), here);
};
const onGroup = (groupId: number) => grant('group', ['agent_connect'], { groupId });

test('without changes nobody is notified', () => {
  assert.deepEqual(eventsSeenBy({}, [], true), []);
});

test('a device is announced to those who see its old or its new group', () => {
  const moved = {
    agents: new Map([
      [
        5,
        [
          { id: 5, groupId: 1 },
          { id: 5, groupId: 2 },
        ],
      ],
    ]),
  };

  assert.deepEqual(eventsSeenBy(moved, [onGroup(1)]), [{ topic: 'agents', ids: [5] }]);
  assert.deepEqual(eventsSeenBy(moved, [onGroup(2)]), [{ topic: 'agents', ids: [5] }]);
  assert.deepEqual(eventsSeenBy(moved, [onGroup(3)]), []);
  assert.deepEqual(eventsSeenBy(moved, [grant('group', [], { groupId: 1 })]), []);
});

test('up to two hundred devices are named, beyond that none is', () => {
  const many = (count: number) => ({
    agents: new Map(Array.from({ length: count }, (_, id) => [id + 1, [{ id: id + 1, groupId: 1 }]])),
  });

  assert.equal(eventsSeenBy(many(maxEventIds), [onGroup(1)])[0]?.ids?.length, maxEventIds);
  assert.deepEqual(eventsSeenBy(many(maxEventIds + 1), [onGroup(1)]), [{ topic: 'agents' }]);
  assert.deepEqual(eventsSeenBy(many(maxEventIds + 1), [onGroup(2)]), []);
});

test('a change of any device is announced to those who see at least one', () => {
  assert.deepEqual(eventsSeenBy({ anyAgent: true }, [onGroup(1)]), [{ topic: 'agents' }]);
  assert.deepEqual(eventsSeenBy({ anyAgent: true }, [grant('team', ['team_user_admin'])]), []);
});

test('a favorite is announced only to the person who set it', () => {
  assert.deepEqual(eventsSeenBy({ favorites: new Map([[ann, [5]]]) }), [{ topic: 'agents', ids: [5] }]);
  assert.deepEqual(eventsSeenBy({ favorites: new Map([[8, [5]]]) }, [], true), []);
});

test('a group appears or disappears with a device for those who do not see all groups', () => {
  const moves = { moves: [{ id: 5, groupId: 1 }] };

  assert.deepEqual(eventsSeenBy(moves, [onGroup(1)]), [{ topic: 'groups' }]);
  assert.deepEqual(eventsSeenBy(moves, [], true), []);
  assert.deepEqual(eventsSeenBy({ groups: new Map([[1, []]]) }, [onGroup(1)]), []);
  assert.deepEqual(eventsSeenBy({ groups: new Map([[1, []]]) }, [grant('team', ['team_permanent_access'])]), [
    { topic: 'groups' },
  ]);
});

test('an invitation of somebody else is announced to those who see the invitations of the whole team', () => {
  const changes = {
    invitations: new Map([
      [1, ann],
      [2, 8],
    ]),
  };
  const support = (permission: 'quick_support_admin' | 'quick_support_technical') => [
    grant('quick_support', [permission]),
  ];

  assert.deepEqual(eventsSeenBy(changes, support('quick_support_admin')), [{ topic: 'support', ids: [1] }]);
  assert.deepEqual(eventsSeenBy(changes, support('quick_support_technical')), [
    { topic: 'support', ids: [1, 2] },
  ]);
  assert.deepEqual(eventsSeenBy(changes), []);
});

test('a session of an invitation is announced to those who see the invitation', () => {
  const changes = { sessions: new Map([[9, { agent: null, invitedBy: ann }]]) };

  assert.deepEqual(eventsSeenBy(changes, [grant('quick_support', ['quick_support_admin'])]), [
    { topic: 'sessions', ids: [9] },
  ]);
  assert.deepEqual(eventsSeenBy(changes, [onGroup(1)]), []);
});

test('own keys are announced with the permission to have keys, everyone’s keys to the owner', () => {
  const mayKeys = [grant('team', ['team_api_key'])];

  assert.deepEqual(eventsSeenBy({ keys: new Set([ann]) }, mayKeys), [{ topic: 'keys' }]);
  assert.deepEqual(eventsSeenBy({ keys: new Set([8]) }, mayKeys), []);
  assert.deepEqual(eventsSeenBy({ keys: new Set([ann]) }), []);
  assert.deepEqual(eventsSeenBy({ keys: new Set([8]) }, [], true), [{ topic: 'keys' }]);
});

test('a change of the server is announced to its administrators only', () => {
  assert.deepEqual(eventsSeenBy({ server: new Set([ann]) }), [{ topic: 'server' }]);
  assert.deepEqual(eventsSeenBy({ server: new Set([8]) }, [], true), []);
});

test('a change about a person reaches only that person, or one of their panel sessions', () => {
  const me = (of: Partial<AccountChanges['me']>) => ({ me: { ...noChanges.me, ...of } });

  assert.deepEqual(eventsSeenBy(me({ members: new Set([ann]) })), [{ topic: 'me' }]);
  assert.deepEqual(eventsSeenBy(me({ members: new Set([8]) }), [], true), []);
  assert.deepEqual(eventsSeenBy(me({ sessions: new Set([here]) })), [{ topic: 'me' }]);
  assert.deepEqual(eventsSeenBy(me({ sessions: new Set([71]) })), []);
  assert.deepEqual(eventsSeenBy(me({ all: true })), [{ topic: 'me' }]);
});
