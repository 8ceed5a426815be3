/**
 * Team and access rights in the panel: what is listed, how it is described, and what is asked when access is
 * given.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permissionIds } from '@drawbridge/contract/permissions';
import type {
  EffectiveRights,
  GrantEntry,
  HeldPermission,
  DeviceHolder,
  Person,
  TeamRole,
} from '@drawbridge/web/panel/team/team-data';
import {
  emptyGrantDraft,
  endOfGrant,
  toGrantRequest,
  toGrantParams,
  grantableRoles,
  addNamed,
} from '@drawbridge/web/panel/team/grants/grant-draft';
import {
  filterDeviceRights,
  filterPeople,
  entryKey,
  takeFirst,
  matchesSearch,
  excluding,
  rolesByType,
  sortedEntries,
  sortedHolders,
} from '@drawbridge/web/panel/team/lists';
import { emailFromPath, personHref } from '@drawbridge/web/panel/team/people/person-href';
import {
  groupByReasons,
  groupsInReasons,
  reasonText,
  permissionText,
  permissionSummary,
  targetText,
  holderText,
} from '@drawbridge/web/panel/team/access/permission-texts';

const person = (email: string, some: Partial<Person> = {}): Person => ({
  id: email.length,
  email,
  name: '',
  owner: false,
  state: 'active',
  create_time: 0,
  departments: [],
  ...some,
});

const role = (id: number, name: string, some: Partial<TeamRole> = {}): TeamRole => ({
  id,
  name,
  type: 'agent',
  permission: [],
  default: false,
  grants: 0,
  ...some,
});

const entry = (some: Partial<GrantEntry>): GrantEntry => ({
  role_id: 1,
  role: 'Helpers',
  type: 'agent',
  default: false,
  ...some,
});

const anybody = { search: '', state: '', department: '' };
const emailsOf = (people: readonly Person[]): string[] => people.map(({ email }) => email);

test('the owner comes first, the others by their name or address', () => {
  const people = [
    person('zoe@a'),
    person('Bob@a'),
    person('x@a', { name: 'Carl' }),
    person('anna@a'),
    person('owner@a', { owner: true }),
  ];

  assert.deepEqual(emailsOf(filterPeople(people, anybody)), ['owner@a', 'anna@a', 'Bob@a', 'x@a', 'zoe@a']);
});

test('members are found by parts of their name and address, by state and by department', () => {
  const people = [
    person('anna@example.com', { departments: [{ id: 7, name: 'Desk' }] }),
    person('bob@example.com', { name: 'Bob Smith', state: 'invited' }),
  ];
  const found = (filter: Partial<typeof anybody>): string[] =>
    emailsOf(filterPeople(people, { ...anybody, ...filter }));

  assert.deepEqual(found({ search: 'smith' }), ['bob@example.com']);
  assert.deepEqual(found({ search: 'ANN exam' }), ['anna@example.com']);
  assert.deepEqual(found({ state: 'invited' }), ['bob@example.com']);
  assert.deepEqual(found({ department: '7' }), ['anna@example.com']);
  assert.deepEqual(found({ department: '7', state: 'invited' }), []);
});

test('a search matches if each of its words occurs somewhere, in any case', () => {
  assert.ok(matchesSearch('Branch Zürich, till 3', 'zürich TILL'));
  assert.ok(matchesSearch('anything', '  '));
  assert.ok(!matchesSearch('Branch Bern', 'zürich'));
});

test('roles are sorted by type, built-in ones first, and types without a match are left out', () => {
  const roles = [
    role(3, 'Zebra'),
    role(2, 'View only', { default: true }),
    role(4, 'Apple'),
    role(5, 'Team lead', { type: 'team' }),
  ];

  assert.deepEqual(
    rolesByType(roles, '').map(({ type, roles: some }) => [type, some.map(({ name }) => name)]),
    [
      ['agent', ['View only', 'Apple', 'Zebra']],
      ['team', ['Team lead']],
    ],
  );
  assert.deepEqual(
    rolesByType(roles, 'lead').map(({ type }) => type),
    ['team'],
  );
});

test('grants are sorted by holder, then by role, and no two have the same key', () => {
  const entries = [
    entry({ email: 'b@a' }),
    entry({ email: 'y@a', name: 'Zoe' }),
    entry({ email: 'a@a', role: 'Watchers', role_id: 2 }),
    entry({ email: 'a@a', agent_id: 5, agent: 'desk' }),
    entry({ email: 'a@a', group_id: 5, group: 'desk', type: 'group' }),
  ];

  assert.deepEqual(
    sortedEntries(entries).map(({ email, role: name }) => `${email} ${name}`),
    ['a@a Helpers', 'a@a Helpers', 'a@a Watchers', 'b@a Helpers', 'y@a Helpers'],
  );
  assert.equal(new Set(entries.map(entryKey)).size, 5);
});

test('all permissions are described as everything, none as nothing, many as the first ones and a number', () => {
  assert.equal(permissionSummary(permissionIds('agent'), 'agent'), 'Everything');
  assert.equal(permissionSummary([], 'agent'), 'Nothing');
  assert.equal(permissionSummary(['agent_control', 'agent_connect'], 'agent'), 'View, Control');
  assert.equal(
    permissionSummary(permissionIds('agent').slice(0, 7), 'agent'),
    'View, Control, Files, Terminal and 3 more',
  );
});

test('five permissions are all named: saying that there is one more would be as long', () => {
  assert.equal(
    permissionSummary(permissionIds('agent').slice(0, 5), 'agent'),
    'View, Control, Files, Terminal, Wake',
  );
});

test('a permission that is not in the catalogue is shown by its own name', () => {
  assert.equal(permissionText('agent_connect', 'agent'), 'Connect to the device screen in view mode');
  assert.equal(permissionText('agent_fly', 'agent'), 'agent_fly');
});

test('a reason names the role, what it was given on, and the department that holds it', () => {
  const onGroup = { scope: 'group', group_id: 3, group: 'Branch Bern' } as const;

  assert.equal(
    reasonText({ role_id: 1, role: 'Helpers', ...onGroup, department_id: 9, department: 'Desk' }, 'desk'),
    'Through the role “Helpers”, on the group “Branch Bern”, by the department “Desk”',
  );
  assert.equal(
    reasonText({ role_id: 1, role: 'Helpers', scope: 'agent', agent_id: 5 }, 'desk'),
    'Through the role “Helpers”, on the device “desk”',
  );
  assert.equal(reasonText({ role_id: 1, role: 'Lead', scope: 'team' }, ''), 'Through the role “Lead”');
});

test('permissions with the same reasons are listed together, in the order of the catalogue', () => {
  const one = { role_id: 1, role: 'One', scope: 'agent' as const, agent_id: 5 };
  const two = { role_id: 2, role: 'Two', scope: 'agent' as const, agent_id: 5 };
  const held: HeldPermission[] = [
    { permission: 'agent_reboot', through: [one] },
    { permission: 'agent_control', through: [one, two] },
    { permission: 'agent_connect', through: [one] },
  ];
  const described = groupByReasons(held, 'agent', { device: 'desk', owner: false });

  assert.deepEqual(
    described.map(({ permissions, reasons }) => [permissions, reasons.length]),
    [
      [['agent_connect', 'agent_reboot'], 1],
      [['agent_control'], 2],
    ],
  );
});

test('the owner’s reason is being the owner', () => {
  const [described] = groupByReasons([{ permission: 'agent_connect', through: [] }], 'agent', {
    device: 'desk',
    owner: true,
  });

  assert.deepEqual(described?.reasons, ['Because this is the owner of the account.']);
});

test('the groups in reasons are shown by name', () => {
  const through = [{ role_id: 1, role: 'One', scope: 'group' as const, group_id: 3, group: 'Bern' }];

  assert.deepEqual(
    [
      ...groupsInReasons([
        [{ permission: 'agent_connect', through }],
        [{ permission: 'agent_reboot', through: [] }],
      ]),
    ],
    [[3, 'Bern']],
  );
});

test('only departments that a member is not in yet are offered', () => {
  const [one, two] = [
    { id: 1, name: 'One' },
    { id: 2, name: 'Two' },
  ];

  assert.deepEqual(excluding([one], [one, two]), [two]);
});

test('a grant says to whom it was given and on what', () => {
  assert.equal(holderText(entry({ email: 'a@a' })), 'a@a');
  assert.equal(holderText(entry({ email: 'a@a', name: 'Ann' })), 'Ann (a@a)');
  assert.equal(holderText(entry({ department_id: 4, department: 'Desk' })), 'Department Desk');
  assert.equal(targetText(entry({ agent_id: 5, agent: 'till 3' })), 'Device till 3');
  assert.equal(targetText(entry({ type: 'group', group_id: 5, group: 'Bern' })), 'Group Bern');
  assert.equal(targetText(entry({ type: 'team' })), 'The whole account');
  assert.equal(targetText(entry({ type: 'quick_support' })), 'Quick support');
});

test('what a member may do is shown per device with its group, and searched by both', () => {
  const held: HeldPermission = { permission: 'agent_connect', through: [] };
  const effective: Pick<EffectiveRights, 'devices' | 'rights'> = {
    rights: [[], [held]],
    devices: [
      { id: 2, name: 'till 10', group_id: 3, rights: 1 },
      { id: 1, name: 'till 9', group_id: 0, rights: 0 },
    ],
  };
  const groups = new Map([[3, 'Bern']]);

  assert.deepEqual(
    filterDeviceRights(effective, groups, '').map(({ name, group, permissions }) => [
      name,
      group,
      permissions.length,
    ]),
    [
      ['till 9', '', 0],
      ['till 10', 'Bern', 1],
    ],
  );
  assert.deepEqual(
    filterDeviceRights(effective, groups, 'bern till').map(({ id }) => id),
    [2],
  );
});

test('on a device the owner comes first, then by number of permissions; members with none are left out', () => {
  const may = (email: string, amount: number, owner = false): DeviceHolder => ({
    email,
    name: '',
    owner,
    permissions: permissionIds('agent')
      .slice(0, amount)
      .map((permission) => ({ permission, through: [] })),
  });

  assert.deepEqual(
    sortedHolders([may('a@a', 1), may('c@a', 0), may('b@a', 3), may('o@a', 0, true)]).map(
      ({ email }) => email,
    ),
    ['o@a', 'b@a', 'a@a'],
  );
});

test('of a long list the first are shown and the others counted', () => {
  assert.deepEqual(takeFirst([1, 2, 3], 2), { shown: [1, 2], more: 1 });
  assert.deepEqual(takeFirst([1], 2), { shown: [1], more: 0 });
});

test('on a device only roles for devices can be given, on a group only those for groups', () => {
  const roles = [role(1, 'One'), role(2, 'Two', { type: 'group' }), role(3, 'Three', { type: 'team' })];
  const typesOn = (on: Parameters<typeof grantableRoles>[1]): string[] =>
    grantableRoles(roles, on, { owner: true, team: [] }).map(({ type }) => type);

  assert.deepEqual(typesOn({ agent_id: 5, name: 'desk' }), ['agent']);
  assert.deepEqual(typesOn({ group_id: 5, name: 'Bern' }), ['group']);
  assert.deepEqual(typesOn(undefined), ['agent', 'group', 'team']);
});

test('roles of the team are offered to those who hold all that they allow', () => {
  const roles = [
    role(1, 'On devices', { permission: ['agent_connect'] }),
    role(2, 'Keys', { type: 'team', permission: ['team_api_key'] }),
    role(3, 'Both', { type: 'team', permission: ['team_api_key', 'team_user_admin'] }),
  ];
  const offeredTo = (owner: boolean, ...team: string[]): number[] =>
    grantableRoles(roles, undefined, { owner, team }).flatMap(({ roles: some }) => some.map(({ id }) => id));

  assert.deepEqual(offeredTo(true), [1, 3, 2]);
  assert.deepEqual(offeredTo(false, 'team_api_key'), [1, 2]);
  assert.deepEqual(offeredTo(false), [1]);
});

test('giving access asks for what is missing, step by step', () => {
  const missing = (some: object, type?: 'agent' | 'group' | 'team'): unknown =>
    toGrantRequest({}, { ...emptyGrantDraft, ...some }, type);

  assert.deepEqual(missing({}), { missing: 'email' });
  assert.deepEqual(missing({ kind: 'department' }), { missing: 'department_id' });
  assert.deepEqual(missing({ email: 'a@a' }), { missing: 'role_id' });
  assert.deepEqual(missing({ email: 'a@a', role: '1' }, 'agent'), { missing: 'agent_id' });
  assert.deepEqual(missing({ email: 'a@a', role: '1' }, 'group'), { missing: 'group_id' });
});

test('access is given on what the type of the role says, and on nothing else', () => {
  const draft = { ...emptyGrantDraft, email: 'a@a', role: '1', agent: '5', group: '3' };

  assert.deepEqual(toGrantRequest({}, draft, 'agent'), {
    to: { email: 'a@a' },
    grant: { role_id: 1, agent_id: 5 },
  });
  assert.deepEqual(toGrantRequest({}, draft, 'group'), {
    to: { email: 'a@a' },
    grant: { role_id: 1, group_id: 3 },
  });
  assert.deepEqual(toGrantRequest({}, draft, 'team'), { to: { email: 'a@a' }, grant: { role_id: 1 } });
});

test('what is known before the dialog opens is not asked', () => {
  const offer = {
    holder: { department_id: 4, department: 'Desk' },
    role: { id: 2, name: 'Watchers', type: 'agent' as const },
    on: { agent_id: 5, name: 'desk' },
  };

  assert.deepEqual(toGrantRequest(offer, emptyGrantDraft, 'agent'), {
    to: { department_id: 4 },
    grant: { role_id: 2, agent_id: 5 },
  });
});

test('access ends after the chosen time or with the chosen day, which must not be over, or never', () => {
  const now = Math.floor(new Date('2026-03-04T12:00').getTime() / 1_000);
  const end = (lasts: string, day = '') => endOfGrant({ ...emptyGrantDraft, lasts, day }, now);

  assert.deepEqual(end(''), {});
  assert.deepEqual(end('3600'), { until: now + 3_600 });
  assert.deepEqual(end('day', '2026-03-04'), { until: now + 12 * 3_600 });
  assert.deepEqual(end('day', '2026-03-03'), { missing: 'until' });
  assert.deepEqual(end('day', ''), { missing: 'until' });
});

test('a grant is removed with exactly the values it was given with', () => {
  assert.deepEqual(toGrantParams(entry({ agent_id: 5 })), { role_id: 1, agent_id: 5 });
  assert.deepEqual(toGrantParams(entry({ type: 'team' })), { role_id: 1 });
});

test('a group that is known only by a grant can be chosen too, and none is listed twice', () => {
  const all = addNamed(
    [{ id: 1, name: 'Bern' }],
    new Map([
      [1, 'Bern'],
      [2, 'Chur'],
    ]),
  );

  assert.deepEqual(
    all.map(({ name }) => name),
    ['Bern', 'Chur'],
  );
});

test('the page address of a member has no escapes in its path, whatever the e-mail address', () => {
  for (const email of ['anna+x@example.com', 'o/hara?@example.com', 'größe@example.com', '50%@example.com']) {
    const { pathname, searchParams } = new URL(personHref(email), 'https://localhost');

    assert.ok(!pathname.includes('%'), pathname);
    assert.equal(emailFromPath(pathname.split('/').at(-1)!, searchParams), email);
  }
});
