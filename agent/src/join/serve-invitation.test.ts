/** When the program's visit is over, and when there is use in another try. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LobbySocketEnd } from './lobby-socket.ts';
import { finalEnd } from './serve-invitation.ts';

const known = (owner: string) => ({ known: { serverKey: '', certificate: '', owner } });
const lost: LobbySocketEnd = { welcomed: false, reason: 'the connection ended' };
const told = (code: NonNullable<LobbySocketEnd['ended']>['code']): LobbySocketEnd => ({
  ...lost,
  ended: { kind: 'ended', code, message: 'A sentence.' },
});

test('too many tries from the same network are no reason to give up, before the visit and during it', () => {
  assert.equal(finalEnd(known(''), told('busy')), undefined);
  assert.equal(finalEnd(known('ann@example.com'), told('busy')), undefined);
});

test('what the server says otherwise is the last word, and a server that was never reached is not waited for', () => {
  assert.deepEqual(finalEnd(known(''), told('taken')), { message: 'A sentence.', expected: false });
  assert.deepEqual(finalEnd(known('ann@example.com'), told('unknown')), {
    message: 'A sentence.',
    expected: true,
  });
  assert.match(finalEnd(known(''), lost)!.message, /cannot be reached/);
  assert.equal(finalEnd(known('ann@example.com'), lost), undefined);
});
