/** The state machine of an invitation. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFault } from '@drawbridge/contract/faults';
import type { Actor } from './people/access.ts';
import {
  isOpen,
  isVisibleTo,
  nextState,
  statusAt,
  type InvitationEvent,
  type Invitation,
  type InvitationStatus,
} from './support.ts';

const invitation: Invitation = {
  id: 1,
  accountId: 1,
  memberId: 2,
  status: 0,
  createTime: 1_000,
  code: '123456789',
  connectToken: 'token',
  clientName: '',
  clientOs: '',
  clientPreview: '',
  operatorPresent: false,
  everJoined: false,
  clientKey: '',
  connectUsed: false,
};
const fresh = { status: 0 as InvitationStatus, operatorPresent: false, everJoined: false };

/** The status of a new invitation after these events; undefined when one of them is refused. */
function after(...happenings: InvitationEvent[]): InvitationStatus | undefined {
  let state = fresh;
  for (const event of happenings) {
    const then = nextState(state, event);
    if (isFault(then)) return undefined;
    state = then;
  }
  return state.status;
}

test('an invitation goes from new to client joined, to operator joined, to closed', () => {
  assert.equal(after('client_joins'), 1);
  assert.equal(after('client_joins', 'operator_joins'), 2);
  assert.equal(after('client_joins', 'operator_joins', 'close'), 3);
});

test('the operator may come first: the invitation stays new and becomes active with the client', () => {
  assert.equal(after('operator_joins'), 0);
  assert.equal(after('operator_joins', 'client_joins'), 2);
});

test('an operator who came first and left is not present when the client joins', () => {
  assert.equal(after('operator_joins', 'operator_leaves'), 0);
  assert.equal(after('operator_joins', 'operator_leaves', 'client_joins'), 1);
});

test('when the operator leaves, the client waits and can be joined again', () => {
  assert.equal(after('client_joins', 'operator_joins', 'operator_leaves'), 1);
  assert.equal(after('client_joins', 'operator_joins', 'operator_leaves', 'operator_joins'), 2);
});

test('when the client leaves, the invitation is new again and still has its operator when the client returns', () => {
  assert.equal(after('client_joins', 'client_leaves'), 0);
  assert.equal(after('client_joins', 'operator_joins', 'client_leaves'), 0);
  assert.equal(after('client_joins', 'operator_joins', 'client_leaves', 'client_joins'), 2);
});

test('every invitation can be closed once, and a closed one does not change', () => {
  for (const before of [[], ['client_joins'], ['client_joins', 'operator_joins']] as InvitationEvent[][])
    assert.equal(after(...before, 'close'), 3);
  for (const event of [
    'client_joins',
    'client_leaves',
    'operator_joins',
    'operator_leaves',
    'close',
  ] as const) {
    const refused = nextState({ status: 3, operatorPresent: false, everJoined: true }, event);
    assert.deepEqual(isFault(refused) && [refused.fault, refused.code], ['invalid', 'connection_closed']);
  }
});

test('impossible events are refused: a client joins twice, or leaves without having joined', () => {
  assert.equal(after('client_leaves'), undefined);
  assert.equal(after('client_joins', 'client_joins'), undefined);
  assert.equal(after('client_joins', 'operator_joins', 'operator_joins'), undefined);
  assert.equal(after('client_joins', 'operator_leaves'), undefined);
});

test('an invitation that somebody joined stays marked as joined', () => {
  for (const event of ['client_joins', 'operator_joins'] as const) {
    const state = nextState(fresh, event);
    assert.equal(!isFault(state) && state.everJoined, true);
  }
  const closed = nextState(fresh, 'close');
  assert.equal(!isFault(closed) && closed.everJoined, false);
});

test('an invitation that nobody joined is closed at the second its time ends', () => {
  assert.equal(statusAt(invitation, 1_099, 100), 0);
  assert.equal(statusAt(invitation, 1_100, 100), 3);
  assert.equal(statusAt({ ...invitation, everJoined: true }, 9_999, 100), 0);
  assert.equal(statusAt({ ...invitation, status: 1 }, 9_999, 100), 1);
  assert.equal(statusAt({ ...invitation, status: 2 }, 9_999, 100), 2);
});

test('every status but closed is open', () => {
  assert.deepEqual(([0, 1, 2, 3] as const).map(isOpen), [true, true, true, false]);
});

test('with access to own invitations, those of others and of removed people are hidden', () => {
  const ann = { memberId: 2 } as Actor;

  assert.equal(isVisibleTo(invitation, ann, 'own'), true);
  assert.equal(isVisibleTo({ ...invitation, memberId: 3 }, ann, 'own'), false);
  assert.equal(isVisibleTo({ ...invitation, memberId: null }, ann, 'own'), false);
  assert.equal(isVisibleTo({ ...invitation, memberId: 3 }, ann, 'all'), true);
});
