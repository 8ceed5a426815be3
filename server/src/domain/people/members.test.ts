/** When a key is usable, and how long invitations are valid. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inviteLifetime, isExpired, isUsable, visiblePrefixLength, type KeyHolder } from './members.ts';

const key = (part: Partial<KeyHolder>): KeyHolder =>
  ({ revoked: false, expireTime: null, ...part }) as KeyHolder;

test('a key expires at its exact second', () => {
  assert.equal(isExpired({ expireTime: 100 }, 99), false);
  assert.equal(isExpired({ expireTime: 100 }, 100), true);
  assert.equal(isExpired({ expireTime: null }, Number.MAX_SAFE_INTEGER), false);
});

test('a key is usable while it is neither revoked nor expired', () => {
  assert.equal(isUsable(key({}), 100), true);
  assert.equal(isUsable(key({ expireTime: 101 }), 100), true);
  assert.equal(isUsable(key({ expireTime: 100 }), 100), false);
  assert.equal(isUsable(key({ revoked: true }), 100), false);
  assert.equal(isUsable(key({ revoked: true, expireTime: 101 }), 100), false);
});

test('a technician can accept an invitation for seven days', () => {
  assert.equal(inviteLifetime, 7 * 24 * 3_600);
});

test('the visible part of a key is too short to guess the rest', () => {
  assert.equal(visiblePrefixLength, 6);
});
