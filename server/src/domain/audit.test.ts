/** The chain of the audit log: changed, missing and moved rows are detected. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findChainBreak, toCanonicalText, type AuditRow } from './audit.ts';

/** Any function that maps different texts to different results will do. */
const hashOf = (text: string): string => `hash of ${text}`;

const rowAfter = (before: { seq: number; hash: string }, input: string): AuditRow => {
  const row = {
    accountId: 1,
    seq: before.seq + 1,
    time: 1_000,
    memberId: 2,
    email: 'ann@example.com',
    address: '192.0.2.1',
    operation: 'agents/reboot',
    outcome: 'done',
    input,
    previousHash: before.hash,
  };
  return { ...row, hash: hashOf(toCanonicalText(row)) };
};
const start = { seq: 0, hash: '' };
const first = rowAfter(start, '{"id":1}');
const second = rowAfter(first, '{"id":2}');

test('consecutive rows are valid', () => {
  assert.equal(findChainBreak(first, start, hashOf), undefined);
  assert.equal(findChainBreak(second, first, hashOf), undefined);
});

test('a change in any field of a row is detected', () => {
  const changes: Partial<AuditRow>[] = [
    { accountId: 9 },
    { time: 1_001 },
    { memberId: 9 },
    { memberId: null },
    { email: 'eve@example.com' },
    { address: '' },
    { operation: 'agents/wake' },
    { outcome: 'forbidden' },
    { input: '{}' },
    { hash: 'another' },
  ];
  for (const change of changes)
    assert.equal(
      findChainBreak({ ...second, ...change }, first, hashOf),
      'row 2 was changed',
      JSON.stringify(change),
    );
});

test('a missing, inserted or moved row is detected', () => {
  const third = rowAfter(second, '{"id":3}');

  assert.equal(findChainBreak(third, first, hashOf), 'row 2 is missing');
  assert.equal(findChainBreak(second, start, hashOf), 'row 1 is missing');
  assert.equal(findChainBreak(first, first, hashOf), 'row 2 is missing');
  const forged = rowAfter({ seq: 1, hash: 'another chain' }, '{}');
  assert.equal(findChainBreak(forged, first, hashOf), 'row 2 does not follow the row before it');
});

test('no two rows have the same canonical text, even if text moves between fields', () => {
  const { hash: _first, ...row } = first;

  assert.notEqual(
    toCanonicalText({ ...row, email: 'a', address: 'b' }),
    toCanonicalText({ ...row, email: 'a","b', address: '' }),
  );
  assert.notEqual(
    toCanonicalText({ ...row, email: 'a,b', address: 'c' }),
    toCanonicalText({ ...row, email: 'a', address: 'b,c' }),
  );
  assert.notEqual(toCanonicalText({ ...row, memberId: null }), toCanonicalText({ ...row, memberId: 0 }));
  assert.notEqual(
    toCanonicalText({ ...row, seq: 11, time: 1 }),
    toCanonicalText({ ...row, seq: 1, time: 11 }),
  );
});
