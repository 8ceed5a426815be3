/** Which monitor an operator sees when monitors come and go. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followMonitor } from './choose-monitor.ts';

const named = (...names: string[]): { name: string }[] => names.map((name) => ({ name }));

test('a chosen monitor is followed by its name, and replaced by the primary one when it is gone', () => {
  assert.equal(followMonitor(named('A', 'C'), 2, 'C'), 1);
  assert.equal(followMonitor(named('X', 'A', 'C'), 1, 'C'), 2);
  assert.equal(followMonitor(named('A', 'B'), 2, 'C'), undefined);
});

test('all monitors, the primary one and a new choice stay as they were asked for', () => {
  assert.equal(followMonitor(named('A'), -1, 'C'), -1);
  assert.equal(followMonitor(named('A'), undefined, undefined), undefined);
  assert.equal(followMonitor(named('A', 'B'), 1, undefined), 1);
});
