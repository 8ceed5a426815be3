/** When a key was copied, and which devices look like one machine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDuplicates, isCopied, duplicateReasons, type Machine } from './device-identity.ts';
import { startStopwatch } from '../../../../tests/kit/stopwatch.ts';

test('a device that presents the latest epoch, or the one it stored before, is genuine', () => {
  assert.equal(isCopied('given', 'kept', 'given'), false);
  assert.equal(isCopied('kept', 'kept', 'given'), false);
  assert.equal(isCopied('kept', 'kept', ''), false);
});

test('a device that has just joined presents nothing, even if it was disconnected at once', () => {
  assert.equal(isCopied('', '', ''), false);
  assert.equal(isCopied('', '', 'given'), false);
});

test('an epoch that was replaced, never issued or is missing means a copy', () => {
  assert.equal(isCopied('old', 'kept', 'given'), true);
  assert.equal(isCopied('made up', '', 'given'), true);
  assert.equal(isCopied('', 'kept', ''), true);
  assert.equal(isCopied('', 'kept', 'given'), true);
});

const machine = (id: number, some: Partial<Machine> = {}): Machine => ({
  id,
  machineId: '',
  serial: '',
  macs: [],
  lastTime: id,
  ...some,
});

test('machines match by identifiers that makers and systems assign to one machine only', () => {
  const one = machine(1, { machineId: 'm', serial: 's', macs: ['02:00:00:00:00:01', '02:00:00:00:00:02'] });

  assert.deepEqual(duplicateReasons(one, { ...one, id: 2 }), ['machine_id', 'serial', 'mac']);
  assert.deepEqual(duplicateReasons(one, machine(2, { macs: ['02:00:00:00:00:02'] })), ['mac']);
  assert.deepEqual(duplicateReasons(one, machine(2, { machineId: 'M', serial: 'S' })), []);
});

test('default identifiers that makers leave in every machine do not match', () => {
  for (const serial of [
    '',
    '0',
    '0000',
    'None',
    'Default string',
    'To Be Filled By O.E.M.',
    ' System Serial Number ',
  ])
    assert.deepEqual(duplicateReasons(machine(1, { serial }), machine(2, { serial })), []);
});

test('of matching machines, the one that was seen last is kept', () => {
  const found = findDuplicates([
    machine(1, { serial: 's', lastTime: 30 }),
    machine(2, { serial: 's', machineId: 'm', lastTime: 10 }),
    machine(3, { machineId: 'm', lastTime: 20 }),
    machine(4, { serial: 'another', lastTime: 40 }),
  ]);

  const pairs = found.map(
    ({ source, target, because }) => `${source.id} of ${target.id} by ${because.join()}`,
  );
  assert.deepEqual(pairs.toSorted(), ['2 of 1 by serial', '2 of 3 by machine_id']);
});

test('the same text in different fields does not match', () => {
  const found = findDuplicates([machine(1, { serial: 'same' }), machine(2, { machineId: 'same' })]);

  assert.deepEqual(found, []);
});

test('ten thousand machines are compared quickly', () => {
  const many = Array.from({ length: 10_000 }, (_, id) =>
    machine(id, { machineId: `m${id % 9_000}`, serial: 'None', macs: [] }),
  );
  using started = startStopwatch();

  assert.equal(findDuplicates(many).length, 1_000);
  assert.ok(started.ms() < 2_000);
});
