/**
 * The rules of the history page: its filter in the address, its pages, and what it shows and offers for a
 * connection.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deviceIdsOf,
  mayRemoveVideo,
  mayChangeConnection,
  describeOrigin,
  describeLocation,
  toRightsByDevice,
  sessionTarget,
  operatorLabel,
  type HistoryConnection,
} from '@drawbridge/web/panel/history/connection';
import {
  toConnectionParams,
  toConnectionFilter,
  isRangeReversed,
  isConnectionFiltered,
  toConnectionQuery,
  type ConnectionFilter,
} from '@drawbridge/web/panel/history/filter';
import { toPageRange } from '@drawbridge/web/panel/page-range';

const read = (query: string): ConnectionFilter => toConnectionFilter(new URLSearchParams(query));
const geo = { ip: '192.0.2.7', country: 'Germany', region: 'Bremen', city: 'Bremen' };
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

const connection = (some: Partial<HistoryConnection>): HistoryConnection => ({
  id: 1,
  start: 100,
  stop: 200,
  client: [{ user_agent: firefox, login: 'ann@example.com', geo }],
  bytes: 0,
  ...some,
});
const agent = { id: 7, name: 'desk', group: '', geo, os: 'linux', version: '1', owner: 'o@example.com' };
const video = { url: 'https://drawbridge.example/play/x', size: 5 };

test('a filter is the same after it was written into the address and read again', () => {
  const address = 'kind=agent&device=7&invitation=8&person=ann%40example.com&from=2026-02-01&to=2026-02-28';
  const filter = read(`${address}&recording=yes&page=3`);

  assert.deepEqual(toConnectionFilter(new URLSearchParams(toConnectionQuery(filter))), filter);
  assert.deepEqual(
    [filter.device, filter.person, filter.video, filter.page],
    [7, 'ann@example.com', true, 3],
  );
});

test('malformed parts of the address are ignored', () => {
  const filter = read('kind=cat&device=-1&person=ann&from=2026-02-30&to=tomorrow&recording=1&page=0');

  assert.deepEqual(filter, read(''));
  assert.equal(isConnectionFiltered(filter), false);
  assert.deepEqual(toConnectionParams(filter), {});
});

test('another page of everything is not a filter, any selection is', () => {
  assert.equal(isConnectionFiltered(read('page=9')), false);
  for (const one of [
    'kind=support',
    'device=1',
    'invitation=1',
    'person=a@b',
    'from=2026-01-01',
    'recording=yes',
  ])
    assert.equal(isConnectionFiltered(read(one)), true, one);
});

test('the first and the last day are included completely, also when daylight saving time changes', (fixture) => {
  const before = process.env['TZ'];
  fixture.after(() => (before === undefined ? delete process.env['TZ'] : (process.env['TZ'] = before)));
  process.env['TZ'] = 'Europe/Berlin';
  for (const day of ['2026-11-15', '2026-03-29', '2026-10-25', '2024-02-29']) {
    const { date_from: from, date_to: to } = toConnectionParams(read(`from=${day}&to=${day}`));
    const [first, last] = [new Date(from! * 1_000), new Date(to! * 1_000)];

    assert.deepEqual([first.getHours(), first.getMinutes(), first.getSeconds()], [0, 0, 0]);
    assert.deepEqual([last.getHours(), last.getMinutes(), last.getSeconds()], [23, 59, 59]);
    assert.equal(first.getDate(), last.getDate());
  }
});

test('a range of days in the wrong order is detected', () => {
  assert.equal(isRangeReversed(read('from=2026-02-02&to=2026-02-01')), true);
  assert.equal(isRangeReversed(read('from=2026-02-01&to=2026-02-01')), false);
  assert.equal(isRangeReversed(read('to=2026-02-01')), false);
});

test('the pages of a list begin at 1 and never lead past its end', () => {
  assert.deepEqual(toPageRange(0, 50, 1), { first: 0, last: 0, page: 1, pages: 1 });
  assert.deepEqual(toPageRange(50, 50, 1), { first: 1, last: 50, page: 1, pages: 1 });
  assert.deepEqual(toPageRange(51, 50, 2), { first: 51, last: 51, page: 2, pages: 2 });
  assert.deepEqual(toPageRange(10_000, 50, 999), { first: 9_951, last: 10_000, page: 200, pages: 200 });
});

test('the origin of a connection is described in words, without repetition', () => {
  assert.equal(describeOrigin(connection({})), 'Bremen, Germany · Firefox on Windows · 192.0.2.7');
  assert.equal(describeLocation({ ...geo, city: '', region: '' }), 'Germany');
  assert.equal(describeLocation({ ...geo, city: 'Singapore', country: 'Singapore' }), 'Singapore');
  assert.equal(describeOrigin({ client: [] }), '');
});

test('operators without an account and unnamed devices are described in words', () => {
  const names = new Map([['ann@example.com', 'Ann']]);
  assert.equal(operatorLabel('', names), 'Somebody without an account');
  assert.equal(operatorLabel('Ann@example.com', names), 'Ann (Ann@example.com)');
  assert.equal(sessionTarget({ name: 'desk' }), 'desk');
  assert.equal(sessionTarget({ name: '', support_id: 12 }), 'Invitation 12');
});

test('the offered actions follow the permissions on the device of the connection', () => {
  const rights = toRightsByDevice({
    rights: [['agent_connect'], ['agent_sessions', 'agent_remove_video']],
    data: [
      { id: 7, rights: 1 },
      { id: 8, rights: 0 },
    ],
  });

  assert.deepEqual(
    [8, 7, 9, undefined].map((id) => mayChangeConnection(id, rights)),
    [true, false, false, true],
  );
  assert.equal(mayRemoveVideo(connection({ agent, video }), rights, false), true);
  assert.equal(mayRemoveVideo(connection({ agent: { ...agent, id: 8 }, video }), rights, true), false);
  assert.equal(mayRemoveVideo(connection({ support_id: 1, video }), rights, true), true);
  assert.equal(mayRemoveVideo(connection({ support_id: 1, video }), rights, false), false);
});

test('a recording cannot be removed if there is none, or while it is made', () => {
  const { stop: _stop, ...running } = connection({ support_id: 1, video });

  assert.equal(mayRemoveVideo(connection({ support_id: 1 }), new Map(), true), false);
  assert.equal(mayRemoveVideo(running, new Map(), true), false);
});

test('each device is requested once', () => {
  assert.deepEqual(deviceIdsOf([{ agent_id: 3 }, {}, { agent_id: 1 }, { agent_id: 3 }]), [3, 1]);
});
