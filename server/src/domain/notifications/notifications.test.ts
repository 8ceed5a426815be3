/** Which subscription applies, when a device counts as offline, and how messages are limited. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NotificationKind } from '@drawbridge/contract/choices';
import type { Actor, RoleGrant } from '../people/access.ts';
import { notificationTitle } from './notification-text.ts';
import {
  createSubscriber,
  decide,
  flapDamping,
  isCollected,
  isReached,
  mailRetryAfter,
  nextRound,
  offlineDue,
  type NotificationRound,
  type Subscription,
  type WaitingCause,
} from './notifications.ts';

const ann = 7;
const [site, elsewhere] = [1, 2];
const grant = (permissions: RoleGrant['permissions'], on: Partial<RoleGrant>): RoleGrant => ({
  roleId: 1,
  roleName: 'role',
  type: on.groupId ? 'group' : on.agentId ? 'agent' : 'quick_support',
  permissions,
  agentId: null,
  groupId: null,
  departmentId: null,
  until: null,
  ...on,
});
const actor = (...grants: RoleGrant[]): Actor => ({
  accountId: 1,
  memberId: ann,
  email: 'ann@example.com',
  owner: false,
  grants,
});
const subscription = (kinds: readonly NotificationKind[], on: Partial<Subscription> = {}): Subscription => ({
  id: 1,
  memberId: ann,
  agentId: null,
  groupId: null,
  kinds,
  minutes: 5,
  since: 0,
  ...on,
});
const onSite = grant(['agent_notification'], { groupId: site });
const device = { id: 5, groupId: site };

test('the subscription of the device decides, then that of its group, then that of everything', () => {
  const all = [
    subscription(['offline']),
    subscription(['back'], { groupId: site }),
    subscription([], { agentId: 5 }),
  ];
  const { subscriptionOf } = createSubscriber(actor(onSite), all);

  assert.deepEqual(subscriptionOf(device)?.kinds, []);
  assert.deepEqual(subscriptionOf({ id: 6, groupId: site })?.kinds, ['back']);
  assert.deepEqual(
    createSubscriber({ ...actor(), owner: true }, all).subscriptionOf({ id: 6, groupId: null })?.kinds,
    ['offline'],
  );
});

test('a subscription is silent without the permission on the device', () => {
  const all = [subscription(['offline', 'session_began', 'client_waits'])];
  const subscriber = createSubscriber(actor(onSite), all);

  assert.equal(subscriber.wants('offline', device), true);
  assert.equal(subscriber.wants('offline', { id: 5, groupId: elsewhere }), false);
  assert.equal(subscriber.wants('session_began', device), false);
  assert.equal(
    createSubscriber(actor(onSite, grant(['agent_sessions'], { agentId: 5 })), all).wants(
      'session_began',
      device,
    ),
    true,
  );
  assert.equal(createSubscriber(actor(), all).wants('offline', device), false);
});

test('of clients people learn as far as they may see the invitation', () => {
  const all = [subscription(['client_waits'])];
  const may = (permission: 'quick_support_admin' | 'quick_support_technical') =>
    createSubscriber(actor(grant([permission], {})), all);

  assert.deepEqual(
    [may('quick_support_admin').wantsClient(ann), may('quick_support_admin').wantsClient(8)],
    [true, false],
  );
  assert.equal(may('quick_support_technical').wantsClient(8), true);
  assert.equal(createSubscriber(actor(onSite), all).wantsClient(ann), false);
});

const first: NotificationRound = { from: 1_000, to: 1_000, gapFrom: 0, gapTo: 0 };

/** Runs rounds until the time, and returns when a device that was last seen then was reported. */
function reportsOf(seenTime: number, until: number, isPaused = (_time: number): boolean => false): number[] {
  const reports: number[] = [];
  let round = first;
  for (let now = 1_005; now <= until; now += 5) {
    if (isPaused(now)) continue;
    round = nextRound(round, now);
    if (isReached(round, { minutes: 5, since: 0 }, seenTime)) reports.push(now);
  }
  return reports;
}

test('a device is reported once, when it has been away for as long as the person chose', () => {
  assert.deepEqual(reportsOf(1_002, 3_000), [1_305]);
  assert.deepEqual(reportsOf(1_000, 3_000), [1_300]);
  assert.deepEqual(reportsOf(400, 3_000), []);
});

test('a short pause neither loses nor repeats a report', () => {
  for (const seen of [1_000, 1_002, 1_020]) {
    const reports = reportsOf(seen, 3_000, (now) => now > 1_295 && now < 1_320);

    assert.equal(reports.length, 1, String(seen));
  }
});

test('when the service was away, devices count from its return', () => {
  const isAway = (now: number): boolean => now > 1_100 && now < 2_000;

  assert.deepEqual(reportsOf(1_050, 4_000, isAway), [2_300]);
  assert.deepEqual(reportsOf(1_100, 4_000, isAway), [2_300]);
  assert.deepEqual(reportsOf(1_999, 4_000, isAway), [2_300]);
  assert.deepEqual(reportsOf(2_001, 4_000, isAway), [2_305]);
});

test('when the service was away twice, devices count from its last return', () => {
  const isAway = (now: number): boolean => (now > 1_100 && now < 2_000) || (now > 2_100 && now < 3_000);

  assert.deepEqual(reportsOf(1_050, 5_000, isAway), [3_300]);
});

test('a clock that is set back reports nothing twice', () => {
  const back = nextRound({ ...first, from: 900 }, 950);

  assert.deepEqual(back, { from: 1_000, to: 1_000, gapFrom: 0, gapTo: 0 });
});

test('what was over before the subscription was made is not reported', () => {
  const round = nextRound({ ...first, to: 1_300 }, 1_310);

  assert.equal(isReached(round, { minutes: 5, since: 1_305 }, 1_004), false);
  assert.equal(isReached(round, { minutes: 5, since: 1_305 }, 1_006), true);
});

test('a device is reported as offline at most once in half an hour', () => {
  assert.equal(offlineDue(undefined, 5_000), 5_000);
  assert.equal(offlineDue(4_000, 5_000), 4_000 + flapDamping);
  assert.equal(offlineDue(1_000, 5_000), 5_000);
});

/** After how many seconds a single cause becomes a message. */
function waitOf(kind: NotificationKind, sent: number): number {
  let now = 0;
  while (!isCollected(kind, { oldest: 0, newest: 0 }, sent, now)) now += 10;
  return now;
}

test('after a few messages in an hour the next ones wait longer, up to half an hour', () => {
  assert.deepEqual(
    [0, 2, 3, 4, 5, 6, 7, 60].map((sent) => waitOf('offline', sent)),
    [60, 60, 120, 240, 480, 960, 1_800, 1_800],
  );
  assert.deepEqual(
    [0, 4, 5, 6].map((sent) => waitOf('client_waits', sent)),
    [0, 0, 120, 240],
  );
});

test('a message waits while more devices follow, for five minutes at most', () => {
  const isDue = (newest: number, now: number) => isCollected('back', { oldest: 0, newest }, 0, now);

  assert.deepEqual([isDue(50, 60), isDue(50, 70)], [false, true]);
  assert.deepEqual([isDue(290, 299), isDue(290, 300)], [false, true]);
});

test('an e-mail is tried six times in all', () => {
  assert.deepEqual([1, 2, 5, 6].map(mailRetryAfter), [60, 120, 960, null]);
});

const waiting = (given: Partial<WaitingCause>): WaitingCause => ({
  kind: 'offline',
  time: 100,
  agent: device,
  online: false,
  seenTime: 100,
  invitation: null,
  ...given,
});
const decided = (cause: Partial<WaitingCause>, ...kinds: NotificationKind[]) =>
  decide(waiting(cause), createSubscriber({ ...actor(), owner: true }, [subscription(kinds)]));

test('what is no longer true is not reported', () => {
  assert.equal(decided({}, 'offline'), 'tell');
  assert.equal(decided({ online: true }, 'offline'), 'drop');
  assert.equal(decided({ seenTime: 110 }, 'offline'), 'drop');
  assert.equal(decided({}, 'back'), 'silent');
  assert.equal(decided({}, 'new_device'), 'drop');
  assert.equal(decided({ kind: 'back', online: true }, 'back'), 'tell');
  assert.equal(decided({ kind: 'back' }, 'back'), 'drop');
  assert.equal(decided({ kind: 'new_device' }, 'new_device'), 'tell');
  assert.equal(decided({ kind: 'new_device' }, 'offline'), 'drop');
  const invitation = { creator: 8, waits: true };
  const client = { kind: 'client_waits', agent: null } as const;
  assert.equal(decided({ ...client, invitation }, 'client_waits'), 'tell');
  assert.equal(decided({ ...client, invitation: { ...invitation, waits: false } }, 'client_waits'), 'drop');
});

test('a message names one device, or the number and a few', () => {
  const named = (count: number, ...names: string[]) =>
    notificationTitle({
      kind: 'offline',
      count,
      subjects: names.map((name) => ({ name, operator: '' })),
    });

  assert.equal(named(1, 'Till'), 'Till is offline');
  assert.equal(named(2, 'Till', 'Desk'), '2 devices are offline: Till and Desk');
  assert.equal(named(40, 'Till', 'Desk', 'Lamp'), '40 devices are offline: Till, Desk, Lamp and 37 more');
  assert.equal(
    notificationTitle({ kind: 'client_waits', count: 1, subjects: [{ name: '', operator: '' }] }),
    'A client is waiting',
  );
  assert.equal(
    notificationTitle({ kind: 'client_waits', count: 3, subjects: [{ name: '', operator: '' }] }),
    '3 clients are waiting',
  );
  assert.equal(
    notificationTitle({ kind: 'session_began', count: 1, subjects: [{ name: 'Till', operator: 'bob@x' }] }),
    'bob@x began a session with Till',
  );
});
