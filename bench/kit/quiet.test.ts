/** Tests which CPU time a benchmark counts as its own and which as that of other processes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { busyTicks, familyTicks, shareOfOthers } from './quiet.ts';

const stat = (pid: number, parent: number, times: string, name = 'node'): [number, string] => [
  pid,
  `${pid} (${name}) S ${parent} 0 0 0 -1 0 0 0 0 0 ${times} 20 0 1 0 0 0 0`,
];

test('busy time includes stolen time and excludes idle time, disks and guests, which "user" contains', () => {
  assert.equal(busyTicks('cpu  100 20 3 1000 500 4 5 6 70 8'), 138);
});

test('the time of descendants counts as own, also of those that have ended', () => {
  const stats = new Map([
    stat(1, 0, '900 0 0 0'),
    stat(10, 1, '1 2 3 4'),
    stat(11, 10, '10 20 30 40', 'a program) S 1 (x'),
    stat(12, 11, '100 0 0 0'),
    stat(13, 1, '5000 0 0 0'),
  ]);
  assert.equal(familyTicks(stats, 10), 210);
});

test('what the machine used beyond the own time is the share of others, and never negative', () => {
  const before = { at: 10, machine: 100, own: 50 };
  assert.equal(shareOfOthers(before, { at: 12, machine: 103, own: 52 }, 2), 0.25);
  assert.equal(shareOfOthers(before, { at: 12, machine: 101, own: 52 }, 2), 0);
});
