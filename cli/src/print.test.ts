/** Tests how replies are printed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toSafeJson, formatReply } from './print.ts';
import { truncateToWidth, widthOf } from './text.ts';

test('a record has one line per field, with formatted times, booleans and lists', () => {
  const data = {
    id: 7,
    link_time: 1790000000,
    online: false,
    geo: { ip: '', city: 'Ulm' },
    tags: ['a', 'b'],
  };

  assert.equal(
    formatReply({ status: 0, data }, { width: 80 }),
    [
      'id         7',
      'link_time  2026-09-21 14:13:20Z',
      'online     no',
      'geo.ip     -',
      'geo.city   Ulm',
      'tags       a, b',
    ].join('\n'),
  );
});

test('a list inside a record is printed as a table below its name', () => {
  const data = {
    id: 7,
    hardware: {
      CPU: 'x',
      HDD: [
        { Model: 'A', Size: 1 },
        { Model: 'B', Size: 2 },
      ],
    },
  };

  assert.equal(
    formatReply({ data }, { width: 80 }),
    'id            7\nhardware.CPU  x\n\nhardware.HDD:\nMODEL  SIZE\nA      1\nB      2',
  );
});

test('fields beside a list are printed after it', () => {
  assert.equal(formatReply({ remain: 4, data: [{ id: 1 }] }, { width: 80 }), 'ID\n1\n\nremain  4');
  assert.equal(formatReply({ remain: 4, data: [] }, { width: 80 }), 'none\n\nremain  4');
});

test('a created id is printed, and an empty reply prints done', () => {
  assert.equal(formatReply({ status: 0, id: 5 }, { width: 80 }), 'id  5');
  assert.equal(formatReply({ status: 0 }, { width: 80 }), 'done');
  assert.equal(formatReply({}, { width: 80 }), 'done');
});

test('lines fit the terminal, important columns stay, and the number of hidden columns is shown', () => {
  const row = { id: 1, name: 'n'.repeat(60), geo: { country: 'c'.repeat(30) }, os_user: 'u', online: true };

  const text = formatReply({ data: [row] }, { width: 62 });

  for (const line of text.split('\n')) assert.ok(widthOf(line) <= 62, line);
  assert.match(
    text,
    /^ID +NAME +OS_USER +ONLINE\n1 +n{39}… +u +yes\n\(1 more column: see --columns and --json\)$/,
  );
});

test('chosen columns become narrow, and are hidden only if they do not fit even then', () => {
  const columns = Array.from({ length: 30 }, (_, at) => `field${at}`);
  const row = Object.fromEntries(columns.map((name) => [name, 'value']));
  const print = (count: number) =>
    formatReply({ data: [row] }, { width: 60, columns: columns.slice(0, count) });

  for (const line of [...print(10).split('\n'), ...print(30).split('\n')])
    assert.ok(widthOf(line) <= 60, line);
  assert.doesNotMatch(print(10), /more columns/);
  assert.match(print(30), /\(10 more columns: see --columns and --json\)$/);
});

test('nothing is cut if the output is not a terminal', () => {
  const row = { id: 1, name: 'n'.repeat(600), url: 'u'.repeat(600) };

  assert.ok(formatReply({ data: [row] }, { width: Infinity }).includes(`${row.name}  ${row.url}`));
});

test('a device name cannot send control sequences to the terminal', () => {
  const hostile = '\x1b]0;owned\x07\u009b31m\u202Eevil\nnext';

  const text = formatReply({ data: [{ name: hostile }] }, { width: 80 });

  assert.doesNotMatch(text, /[\x1b\x07\u009b\u202E]/);
  assert.equal(text.split('\n').length, 2);
  assert.doesNotMatch(toSafeJson({ name: hostile }), /[\x1b\x07\u009b\u202E]/);
  assert.deepEqual(JSON.parse(toSafeJson({ name: hostile })), { name: hostile });
});

test('columns align in any script', () => {
  assert.equal(widthOf('日本'), 4);
  assert.equal(widthOf('e\u0301'), 1);
  assert.equal(truncateToWidth('日本語', 5), '日本…');
});
