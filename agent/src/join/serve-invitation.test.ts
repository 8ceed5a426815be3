/** Tests of when an invitation has ended, and when a retry makes sense. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LobbySocketEnd } from './lobby-socket.ts';
import { finalEnd } from './serve-invitation.ts';

const known = (owner: string) => ({ known: { serverKey: '', certificate: '', owner } });
const lost: LobbySocketEnd = { welcomed: false, reason: 'the connection ended' };
const ended = (code: NonNullable<LobbySocketEnd['ended']>['code']): LobbySocketEnd => ({
  ...lost,
  ended: { kind: 'ended', code, message: 'A sentence.' },
});

test('the program keeps trying after too many attempts from the same network, before and after it was accepted', () => {
  assert.equal(finalEnd(known(''), ended('busy')), undefined);
  assert.equal(finalEnd(known('ann@example.com'), ended('busy')), undefined);
});

test('any other message from the server is final, and a server that was never reached is not retried', () => {
  assert.deepEqual(finalEnd(known(''), ended('taken')), { message: 'A sentence.', expected: false });
  assert.deepEqual(finalEnd(known('ann@example.com'), ended('unknown')), {
    message: 'A sentence.',
    expected: true,
  });
  assert.match(finalEnd(known(''), lost)!.message, /cannot be reached/);
  assert.equal(finalEnd(known('ann@example.com'), lost), undefined);
});
