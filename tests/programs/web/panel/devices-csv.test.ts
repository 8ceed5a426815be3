/** The list as CSV for spreadsheets, and bulk actions on many devices. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runForEach, movedBefore } from '@drawbridge/web/panel/devices/actions/bulk';
import { devicesCsv } from '@drawbridge/web/panel/devices/list/csv';
import { toDevices } from '@drawbridge/web/panel/devices/device';

const listed = {
  id: 1,
  device_id: 123_456_789,
  name: 'desk',
  os: 'linux',
  os_user: 'ann',
  group_id: 5,
  online: true,
  last_time: 1_700_000_000,
  link_time: 0,
  favorite: false,
  disabled: false,
  limited: false,
  ip: '10.0.0.1',
  country: 'DE',
  version: '1.0.0',
  rights: 0,
};
const texts = { head: ['Name', 'ID'], stateOf: () => 'Online' };
const lineOf = (some: Partial<typeof listed>): string =>
  devicesCsv(
    toDevices({ rights: [[]], data: [{ ...listed, ...some }] }),
    [{ id: 5, name: 'Office' }],
    texts,
  ).split('\r\n')[1]!;

test('a device is a row with its group, system, state and times', () => {
  assert.equal(
    lineOf({}),
    'desk,123 456 789,Office,Linux,ann,Online,2023-11-14T22:13:20.000Z,,10.0.0.1,DE,1.0.0',
  );
});

test('a name that a spreadsheet would take for a formula is marked as text', () => {
  for (const name of ['=1+1', '+1', '-1', '@sum(a1)', '\t=1', '＝1', '"=1', 'x;=1', 'x\n=1']) {
    const line = lineOf({ name, os_user: name });
    assert.ok(!/(^|[,;\t\r\n])"*[=+\-@＝]/.test(line), JSON.stringify(line));
  }
});

test('quotes, commas and line ends in a name stay in its cell', () => {
  assert.ok(lineOf({ name: 'a "b", c' }).startsWith('"a ""b"", c",123'));
});

test('a bulk action continues past devices that refuse, and lists each of them with its reason', async () => {
  const no = new Error('no');
  const seen: number[] = [];
  let [under, most] = [0, 0];

  const end = await runForEach(
    [1, 2, 3, 4, 5, 6],
    async (item) => {
      most = Math.max(most, (under += 1));
      await Promise.resolve();
      under -= 1;
      if (item % 3 === 0) throw no;
    },
    { concurrency: 2, onProgress: ({ done }) => seen.push(done) },
  );

  assert.deepEqual(end, {
    done: 6,
    total: 6,
    refused: [
      { item: 3, error: no },
      { item: 6, error: no },
    ],
  });
  assert.deepEqual(seen, [1, 2, 3, 4, 5, 6]);
  assert.equal(most, 2);
});

test('a bulk action that is stopped starts nothing more', async () => {
  const stop = new AbortController();
  const begun: number[] = [];

  const end = await runForEach(
    [1, 2, 3, 4],
    async (item) => {
      begun.push(item);
      if (item === 2) stop.abort();
    },
    { concurrency: 1, signal: stop.signal },
  );

  assert.deepEqual([begun, end.done], [[1, 2], 2]);
});

test('a group that is moved is placed before the one it was dropped on', () => {
  const [a, b, c] = ['a', 'b', 'c'] as const;

  assert.deepEqual(movedBefore([a, b, c], c, a), [c, a, b]);
  assert.deepEqual(movedBefore([a, b, c], a, c), [b, a, c]);
  assert.deepEqual(movedBefore([a, b, c], a, undefined), [b, c, a]);
  assert.deepEqual(movedBefore([a, b, c], b, b), [a, b, c]);
});
