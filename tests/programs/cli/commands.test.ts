/** Whole commands: what is sent, what is printed, how they end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCliFixture } from './fixture.ts';

const desk = { id: 7, name: 'Desk', online: true, geo: { ip: '10.0.0.1' } };

test('a list becomes a table', async () => {
  await using fixture = await startCliFixture({
    'agents/list': { body: { data: [desk, { ...desk, id: 12 }] } },
  });

  const { exit, out, err } = await fixture.type(['agents', 'list', '--search', 'de sk']);

  assert.deepEqual([exit, err], [0, '']);
  assert.equal(out, 'ID  NAME  ONLINE  GEO.IP\n7   Desk  yes     10.0.0.1\n12  Desk  yes     10.0.0.1\n');
  assert.deepEqual(fixture.received, [
    { method: 'GET', url: '/v1/agents/list?search=de+sk', key: 'secret-key', body: '' },
  ]);
});

test('--json prints the reply as one JSON object, wherever the flag is', async () => {
  await using fixture = await startCliFixture({ 'agents/info': { body: { data: desk } } });

  const { exit, out } = await fixture.type(['--json', 'agents', 'info', '--agent-id=7']);

  assert.equal(exit, 0);
  assert.deepEqual(JSON.parse(out), { data: desk });
});

test('a device is --id or --agent_id in every command, and the operation gets its own name of it', async () => {
  await using fixture = await startCliFixture({
    'agents/info': { body: { data: desk } },
    'agents/reboot': { body: { status: 0 } },
  });

  for (const name of ['--id', '--agent_id', '--agent-id']) {
    await fixture.type(['agents', 'info', name, '7']);
    await fixture.type(['agents', 'reboot', name, '7']);
  }
  const twice = await fixture.type(['agents', 'reboot', '--id', '7', '--agent_id', '8']);
  const other = await fixture.type(['groups', 'remove', '--agent_id', '7']);

  const sent = fixture.received.map(({ url, body }) => `${url} ${body}`.trim());
  assert.deepEqual([...new Set(sent)], ['/v1/agents/info?agent_id=7', '/v1/agents/reboot {"id":7}']);
  assert.deepEqual([twice.exit, twice.err], [2, 'drawbridge: --id is given 2 times.\n']);
  assert.match(other.err, /groups remove has no --agent_id/);
});

test('--columns selects columns in this order, and makes them as narrow as the terminal needs', async () => {
  const long = { ...desk, name: 'n'.repeat(60), geo: { ip: 'i'.repeat(60) } };
  await using fixture = await startCliFixture({ 'agents/list': { body: { data: [long] } } });
  const line = ['agents', 'list', '--columns', 'geo.ip,NAME, id'];

  const { out } = await fixture.type(line);
  const wide = await fixture.type(line, fixture.env, { columns: Infinity });
  const json = await fixture.type([...line, '--json']);

  assert.equal(out.split('\n')[0]?.replaceAll(/ +/g, ' '), 'GEO.IP NAME ID');
  assert.equal(Math.max(...out.split('\n').map(({ length }) => length)), 80);
  assert.ok(wide.out.includes(`${long.geo.ip}  ${long.name}  7\n`));
  assert.deepEqual(JSON.parse(json.out), { data: [long] });
});

test('a column that does not exist is refused before anything is sent', async () => {
  await using fixture = await startCliFixture({ 'agents/update': { body: { status: 0, data: desk } } });

  const { exit, err } = await fixture.type(['agents', 'update', '--id', '7', '--columns', 'nmae']);

  assert.equal(exit, 2);
  assert.match(
    err,
    /^drawbridge: --columns: there is no column "nmae"\. Did you mean name\? The columns are id, /,
  );
  assert.deepEqual(fixture.received, []);
});

test('a change that returns nothing prints done', async () => {
  await using fixture = await startCliFixture({
    'agents/reboot': { body: { status: 0 } },
    'support/close': {},
  });

  assert.equal((await fixture.type(['agents', 'reboot', '--id', '7', '--safe'])).out, 'done\n');
  assert.equal((await fixture.type(['support', 'close', '--connection_id', '3'])).out, 'done\n');
  assert.deepEqual(
    fixture.received.map(({ url, body }) => [url, body]),
    [
      ['/v1/agents/reboot', '{"id":7,"safe":true}'],
      ['/v1/support/close?connection_id=3', ''],
    ],
  );
});

test('parameters may come as JSON from standard input, so that a password stays off the command line', async () => {
  await using fixture = await startCliFixture({ 'agents/update': { body: { status: 0, data: desk } } });
  const line = ['agents', 'update', '--id', '7', '--permanent_url.enable', 'true', '--params', '-'];

  await fixture.type(line, fixture.env, { stdin: '{"permanent_url":{"password":"letters1"}}' });

  assert.deepEqual(JSON.parse(fixture.received[0]?.body ?? ''), {
    id: 7,
    permanent_url: { password: 'letters1', enable: true },
  });
});

test('a refusal is one sentence with its code and field, and exit code 1', async () => {
  const error = { code: 'invalid_request', message: 'agent_id must be positive.', field: 'agent_id' };
  await using fixture = await startCliFixture({ 'agents/info': { http: 400, body: { error } } });

  const plain = await fixture.type(['agents', 'info', '--agent_id', '-1']);
  const json = await fixture.type(['agents', 'info', '--agent_id', '-1', '--json']);

  const sentence = 'drawbridge: agent_id must be positive (invalid_request, field agent_id).\n';
  assert.deepEqual(plain, { exit: 1, out: '', err: sentence });
  assert.deepEqual(json, { exit: 1, out: `${JSON.stringify({ error })}\n`, err: sentence });
});

test('an empty refusal names the HTTP status code', async () => {
  await using fixture = await startCliFixture({ 'support/close': { http: 403 } });

  const line = ['support', 'close', '--connection_id', '3'];

  const message = 'The server refused this (HTTP 403).';
  const [plain, json] = [await fixture.type(line), await fixture.type([...line, '--json'])];

  assert.deepEqual(plain, { exit: 1, out: '', err: `drawbridge: ${message}\n` });
  assert.deepEqual(json, { ...plain, out: `${JSON.stringify({ error: { message } })}\n` });
});

test('with --json every failure is one JSON object too, and the sentence stays where it was', async () => {
  await using fixture = await startCliFixture();
  const lines = [
    ['agnets', 'list'],
    ['agents', 'info'],
    ['agents', 'list', '--profile', 'nowhere'],
    ['groups', 'list', '--server', 'https://localhost:1'],
  ];

  for (const line of lines) {
    const [plain, json] = [await fixture.type(line), await fixture.type([...line, '--json'])];
    const message = plain.err.replace('drawbridge: ', '').trimEnd();

    assert.deepEqual([json.exit, json.err, plain.out], [plain.exit, plain.err, '']);
    assert.deepEqual(JSON.parse(json.out), { error: { message } });
  }
});

test('another kind of server that answers 200 does not pass for success', async () => {
  await using fixture = await startCliFixture({ 'agents/reboot': { body: '<html>welcome</html>' } });

  const { exit, out, err } = await fixture.type(['agents', 'reboot', '--id', '7']);

  assert.deepEqual([exit, out], [1, '']);
  assert.match(err, /did not come from a Drawbridge server/);
});

test('wrong usage is refused before anything is sent, and the message suggests the nearest command', async () => {
  await using fixture = await startCliFixture();
  const lines: [string[], RegExp][] = [
    [['agents', 'list', '--serach', 'x'], /agents list has no --serach. Did you mean --search\?/],
    [['agnets', 'list'], /There is no command agnets list. Did you mean agents list\?/],
    [['agents', 'info'], /agents info needs --agent_id/],
    [['agents', 'info', '--agent_id', 'seven'], /--agent_id must be a whole number, not "seven"/],
    [['agents', 'list', '--search', 'a', 'b'], /agents list does not take b/],
    [['agents', 'list', '--server', 'http://localhost'], /such as https/],
    [['agents', 'list', '--profile', 'nowhere'], /There is no profile nowhere/],
    [['agents'], /Usage: drawbridge agents <verb>/],
    [[], /Usage: drawbridge <area> <verb>/],
  ];

  for (const [line, sentence] of lines) {
    const { exit, out, err } = await fixture.type(line);
    assert.deepEqual([exit, out], [2, ''], line.join(' '));
    assert.match(err, sentence);
  }
  assert.deepEqual(fixture.received, []);
});

test('a server that cannot be reached is exit code 3', async () => {
  await using fixture = await startCliFixture();

  const { exit, err } = await fixture.type([
    'groups',
    'remove',
    '--id',
    '1',
    '--server',
    'https://localhost:1',
  ]);

  assert.equal(exit, 3);
  assert.match(err, /could not be reached \(ECONNREFUSED\)/);
});
