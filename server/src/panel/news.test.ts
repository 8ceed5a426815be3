/** Who hears of what: the sentences of the live panel. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Actor, RoleGrant } from '../domain/access.ts';
import { eventsFor, mostIds, sightOf, type News } from './news.ts';

const nothing: News = {
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
  ...on,
});
const heardBy = (news: Partial<News>, grants: readonly RoleGrant[] = [], owner = false) => {
  const actor: Actor = { accountId: 1, memberId: ann, email: 'ann@example.com', owner, grants };
  return eventsFor({ ...nothing, ...news }, sightOf(actor), here);
};
const onGroup = (groupId: number) => grant('group', ['agent_connect'], { groupId });

test('of nothing new, nobody hears', () => {
  assert.deepEqual(heardBy({}, [], true), []);
});

test('a device is heard of by who sees where it stood or where it stands', () => {
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

  assert.deepEqual(heardBy(moved, [onGroup(1)]), [{ topic: 'agents', ids: [5] }]);
  assert.deepEqual(heardBy(moved, [onGroup(2)]), [{ topic: 'agents', ids: [5] }]);
  assert.deepEqual(heardBy(moved, [onGroup(3)]), []);
  assert.deepEqual(heardBy(moved, [grant('group', [], { groupId: 1 })]), []);
});

test('two hundred devices are named, one more and none is', () => {
  const many = (count: number) => ({
    agents: new Map(Array.from({ length: count }, (_, id) => [id + 1, [{ id: id + 1, groupId: 1 }]])),
  });

  assert.equal(heardBy(many(mostIds), [onGroup(1)])[0]?.ids?.length, mostIds);
  assert.deepEqual(heardBy(many(mostIds + 1), [onGroup(1)]), [{ topic: 'agents' }]);
  assert.deepEqual(heardBy(many(mostIds + 1), [onGroup(2)]), []);
});

test('that any device may have changed is heard by who sees one', () => {
  assert.deepEqual(heardBy({ anyAgent: true }, [onGroup(1)]), [{ topic: 'agents' }]);
  assert.deepEqual(heardBy({ anyAgent: true }, [grant('team', ['team_user_admin'])]), []);
});

test('a mark on a device is heard by who made it alone', () => {
  assert.deepEqual(heardBy({ favorites: new Map([[ann, [5]]]) }), [{ topic: 'agents', ids: [5] }]);
  assert.deepEqual(heardBy({ favorites: new Map([[8, [5]]]) }, [], true), []);
});

test('a group comes or goes with a device for those who do not see all groups', () => {
  const moves = { moves: [{ id: 5, groupId: 1 }] };

  assert.deepEqual(heardBy(moves, [onGroup(1)]), [{ topic: 'groups' }]);
  assert.deepEqual(heardBy(moves, [], true), []);
  assert.deepEqual(heardBy({ groups: new Map([[1, []]]) }, [onGroup(1)]), []);
  assert.deepEqual(heardBy({ groups: new Map([[1, []]]) }, [grant('team', ['team_permanent_access'])]), [
    { topic: 'groups' },
  ]);
});

test('an invitation of somebody else is heard of by who sees the whole team’s', () => {
  const news = {
    invitations: new Map([
      [1, ann],
      [2, 8],
    ]),
  };
  const support = (permission: 'quick_support_admin' | 'quick_support_technical') => [
    grant('quick_support', [permission]),
  ];

  assert.deepEqual(heardBy(news, support('quick_support_admin')), [{ topic: 'support', ids: [1] }]);
  assert.deepEqual(heardBy(news, support('quick_support_technical')), [{ topic: 'support', ids: [1, 2] }]);
  assert.deepEqual(heardBy(news), []);
});

test('a session of an invitation is heard of by who sees the invitation', () => {
  const news = { sessions: new Map([[9, { agent: null, invitedBy: ann }]]) };

  assert.deepEqual(heardBy(news, [grant('quick_support', ['quick_support_admin'])]), [
    { topic: 'sessions', ids: [9] },
  ]);
  assert.deepEqual(heardBy(news, [onGroup(1)]), []);
});

test('one’s own keys are heard of with the right to have some, everybody’s by the owner', () => {
  const mayKeys = [grant('team', ['team_api_key'])];

  assert.deepEqual(heardBy({ keys: new Set([ann]) }, mayKeys), [{ topic: 'keys' }]);
  assert.deepEqual(heardBy({ keys: new Set([8]) }, mayKeys), []);
  assert.deepEqual(heardBy({ keys: new Set([ann]) }), []);
  assert.deepEqual(heardBy({ keys: new Set([8]) }, [], true), [{ topic: 'keys' }]);
});

test('what is about a person reaches that person, or the one place where they are signed in', () => {
  const me = (of: Partial<News['me']>) => ({ me: { ...nothing.me, ...of } });

  assert.deepEqual(heardBy(me({ members: new Set([ann]) })), [{ topic: 'me' }]);
  assert.deepEqual(heardBy(me({ members: new Set([8]) }), [], true), []);
  assert.deepEqual(heardBy(me({ sessions: new Set([here]) })), [{ topic: 'me' }]);
  assert.deepEqual(heardBy(me({ sessions: new Set([71]) })), []);
  assert.deepEqual(heardBy(me({ all: true })), [{ topic: 'me' }]);
});
