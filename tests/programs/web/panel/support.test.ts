/** The rules of the quick-support page: codes, messages to send, who joined, and what is left of the plan. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monthEnds, unlimitedRemaining } from '@drawbridge/server/domain/people/plan';
import {
  newlyJoined,
  sortByUrgency,
  toCodePageUrl,
  invitationMessage,
  toMailtoUrl,
  nextMonth,
  formatInviteCode,
  remainText,
  unlimitedRemain,
  clientLabel,
} from '@drawbridge/web/panel/support/invitation';

const invitation = { invite_code: '123456789', invite_url: 'https://drawbridge.example/i/123456789' };

test('a code is shown in groups of three', () => {
  assert.equal(formatInviteCode('123456789'), '123 456 789');
  assert.equal(formatInviteCode('000000001'), '000 000 001');
  assert.equal(formatInviteCode(''), '');
});

test('a client is called by name, or by code if there is none', () => {
  assert.equal(clientLabel({ ...invitation, client_name: 'Bob' }), 'Bob');
  assert.equal(clientLabel({ ...invitation, client_name: '' }), '123 456 789');
});

test('the message contains the link, the page for the code, and the code', () => {
  const letter = invitationMessage(invitation);

  assert.equal(toCodePageUrl(invitation.invite_url), 'https://drawbridge.example/i');
  assert.match(letter, /^https:\/\/drawbridge\.example\/i\/123456789$/m);
  assert.match(letter, /https:\/\/drawbridge\.example\/i and type the code 123 456 789/);
});

test('the mail contains the whole message, whatever characters are in it', () => {
  const { protocol, searchParams } = new URL(toMailtoUrl(invitation));

  assert.equal(protocol, 'mailto:');
  assert.equal(searchParams.get('body'), invitationMessage(invitation));
});

test('a client has joined when one was awaited and is connected now', () => {
  const before = [1, 2, 3, 4].map((id) => ({ id, status: id === 4 ? 2 : 0 }));
  const now = [
    { id: 1, status: 1 },
    { id: 2, status: 0 },
    { id: 4, status: 1 },
    { id: 5, status: 1 },
  ];

  assert.deepEqual(newlyJoined(before, now), [{ id: 1, status: 1 }]);
});

test('waiting clients come first, then those being helped, then those still to join, the newest first', () => {
  const listed = [0, 1, 2, 0, 1].map((status, index) => ({ id: index + 1, status }));

  assert.deepEqual(
    sortByUrgency(listed).map(({ id }) => id),
    [5, 2, 3, 4, 1],
  );
});

test('what is left of the plan is shown, and nothing if there is no limit', () => {
  const november = Date.UTC(2026, 10, 15) / 1_000;

  assert.equal(unlimitedRemain, unlimitedRemaining);
  assert.equal(remainText(unlimitedRemaining, november), undefined);
  assert.equal(remainText(1, november), 'One invitation is left this month.');
  assert.equal(remainText(12, november), '12 invitations are left this month.');
  assert.match(remainText(0, november)!, /used up.* from December 1 on/);
});

test('the count of invitations resets when the server resets it', () => {
  for (const now of [Date.UTC(2026, 10, 15), Date.UTC(2026, 11, 31, 23, 59)].map((ms) => ms / 1_000))
    assert.equal(nextMonth(now).getTime() / 1_000, monthEnds(now));
});
