/** What is accepted as an API key, and that everything else gets the same response. */
import assert from 'node:assert/strict';
import { BlockList, isIPv6 } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { must, type TestAccount } from '../kit/server/account.ts';
import type { PlainResponse, PlainRequest } from '../kit/server/test-client.ts';
import { openRawClient } from '../kit/server/raw-client.ts';
import { startService, type TestService } from '../kit/server/service.ts';

/** All of a response except its time. */
const comparable = ({ http, headers: { date: _moment, ...headers }, bytes }: PlainResponse) => ({
  http,
  headers,
  text: bytes.toString('latin1'),
});
/** Text as the bytes of a header, which Node takes as one character each. */
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');

/** Everything that could be taken for a key and is none, derived from a valid one. */
const wrongKeys = (key: string): Record<string, PlainRequest['headers']> => ({
  nothing: {},
  empty: { 'X-Api-Key': '' },
  space: { 'X-Api-Key': '   ' },
  'one letter': { 'X-Api-Key': 'x' },
  'one letter less': { 'X-Api-Key': key.slice(0, -1) },
  'one letter more': { 'X-Api-Key': `${key}x` },
  'another last letter': { 'X-Api-Key': key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A') },
  'small letters': { 'X-Api-Key': `a${key.slice(1)}`.toLowerCase() },
  backwards: { 'X-Api-Key': [...key].toReversed().join('') },
  'as long as a key': { 'X-Api-Key': 'A'.repeat(64) },
  twice: { 'X-Api-Key': key + key },
  'two headers': { 'X-Api-Key': [key, key] },
  'right, then wrong': { 'X-Api-Key': [key, 'x'] },
  'wrong, then right': { 'X-Api-Key': ['x', key] },
  'right, then empty': { 'X-Api-Key': [key, ''] },
  'two in one': { 'X-Api-Key': `${key},${key}` },
  '8 KiB': { 'X-Api-Key': 'A'.repeat(8_192) },
  '12 KiB of keys': { 'X-Api-Key': key.repeat(192) },
  'a tab inside': { 'X-Api-Key': `${key.slice(0, 32)}\t${key.slice(32)}` },
  'a space inside': { 'X-Api-Key': `${key.slice(0, 32)} ${key.slice(32)}` },
  quoted: { 'X-Api-Key': `"${key}"` },
  'another script': { 'X-Api-Key': bytesOf('ключ') },
  'a picture': { 'X-Api-Key': bytesOf(`${key}🔑`) },
  'an invisible letter': { 'X-Api-Key': bytesOf(`${key}\u200b`) },
  'Latin-1': { 'X-Api-Key': `${key}ÿ` },
  'broken UTF-8': { 'X-Api-Key': '\xff\xfe' },
  escaped: { 'X-Api-Key': `${key}%00` },
  null: { 'X-Api-Key': 'null' },
  __proto__x: { 'X-Api-Key': '__proto__' },
  SQL: { 'X-Api-Key': `' or '1'='1` },
  bearer: { Authorization: `Bearer ${key}` },
  'bearer in the key': { 'X-Api-Key': `Bearer ${key}` },
  basic: { Authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
  cookie: { Cookie: `X-Api-Key=${key}; apikey=${key}; session=${key}` },
  'another header': { 'X-Api-Keys': key, 'Api-Key': key, X_Api_Key: key },
});

const read: PlainRequest = { path: '/v1/agents/list' };
const write: PlainRequest = { method: 'POST', path: '/v1/groups/create', body: '{"name":"attic"}' };
const silent: PlainRequest = { method: 'POST', path: '/v1/support/close?connection_id=1' };

describe('the API key of a request', () => {
  let service: TestService;
  let account: TestAccount;
  before(async () => {
    service = await startService();
    account = await service.account();
  });
  after(() => service[Symbol.asyncDispose]());

  test('a key works in its header, whatever the case of the header’s name', async () => {
    for (const name of ['X-Api-Key', 'x-api-key', 'X-API-KEY'])
      assert.equal(
        (await service.testClient.send({ ...read, headers: { [name]: account.owner.apiKey } })).http,
        200,
      );
  });

  for (const [kind, request] of Object.entries({ read, write, silent }))
    test(`anything that is no key gets the same bytes (${kind})`, async () => {
      const wrong = Object.entries(wrongKeys(account.owner.apiKey));
      const expected = comparable(await service.testClient.send(request));
      const error = {
        code: 'invalid_api_key',
        message: 'The API key is missing, unknown, expired or revoked.',
      };
      const texts = { read: { error }, write: { status: 8, error }, silent: undefined };
      const wanted = texts[kind as keyof typeof texts];

      assert.deepEqual([expected.http, expected.text], [403, wanted ? JSON.stringify(wanted) : '']);
      assert.ok(wrong.length > 30);
      for (const [name, headers] of wrong)
        assert.deepEqual(
          comparable(await service.testClient.send({ ...request, headers: headers! })),
          expected,
          name,
        );
      assert.deepEqual((await account.owner.call('groups/list')).body, { data: [] });
    });

  test('a key in the query or in the body is not accepted', async () => {
    const { apiKey } = account.owner;
    const expected = comparable(await service.testClient.send(read));

    for (const name of ['apikey', 'api_key', 'key', 'X-Api-Key', 'x-api-key'])
      assert.deepEqual(
        comparable(await service.testClient.send({ path: `/v1/agents/list?${name}=${apiKey}` })),
        expected,
        name,
      );
    const body = JSON.stringify({ name: 'attic', apikey: apiKey, 'X-Api-Key': apiKey });
    assert.equal((await service.testClient.send({ ...write, body })).http, 403);
  });

  test('without a key nothing is revealed about the request: neither what is missing nor what is too large', async () => {
    const expected = comparable(await service.testClient.send(write));
    for (const body of ['', '{', '[]', '{"name":1}', `"${'x'.repeat(70_000)}"`])
      assert.deepEqual(
        comparable(await service.testClient.send({ ...write, body })),
        expected,
        body.slice(0, 20),
      );
  });

  test('each request of a connection counts with its own key, and a revoked one is refused from the next request on', async () => {
    const [key, stranger] = [await account.key(account.owner), (await service.account()).owner];
    const group = await account.group('attic');
    await using client = await openRawClient(service.server.config.listen.port, {});
    const ask = async (apiKey: string): Promise<string> => {
      const seen = client.received().length;
      client.send(`GET /v1/groups/list HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${apiKey}\r\n\r\n`);
      const text = await client.until(new RegExp(`^[^]{${seen}}HTTP[^]*\\r\\n\\r\\n\\{.*\\}$`));
      return /\{.*\}$/.exec(text)![0];
    };
    const own = JSON.stringify({ data: [{ id: group, name: 'attic' }] });

    assert.deepEqual([await ask(key.apiKey), await ask(key.apiKey)], [own, own]);
    assert.equal(await ask(stranger.apiKey), '{"data":[]}');
    assert.equal(await ask(key.apiKey), own);
    assert.match(await ask(`${key.apiKey}x`), /invalid_api_key/);
    assert.equal((await account.owner.call('keys/revoke', { id: key.keyId })).http, 200);
    assert.match(await ask(key.apiKey), /invalid_api_key/);
    assert.equal(await ask(account.owner.apiKey), own);
    await account.owner.call('groups/remove', { id: group });
  });

  test('a cookie changes nothing, and none is ever set', async () => {
    const headers = { 'X-Api-Key': account.owner.apiKey };
    const [plain, withCookie] = [
      await service.testClient.send({ ...read, headers }),
      await service.testClient.send({ ...read, headers: { ...headers, Cookie: 'session=1; apikey=2' } }),
    ];

    assert.deepEqual(comparable(withCookie), comparable(plain));
    assert.equal(plain.headers['set-cookie'], undefined);
  });
});

describe('the older form of the API', () => {
  let service: TestService;
  let account: TestAccount;
  before(async () => {
    service = await startService({ env: { DRAWBRIDGE_LEGACY_API: 'true' } });
    account = await service.account();
    await account.agent({ name: 'desk' });
  });
  after(() => service[Symbol.asyncDispose]());
  const json = async (plain: PlainRequest) =>
    JSON.parse((await service.testClient.send(plain)).text) as unknown;

  test('takes the key from the query, and lists devices as a bare array', async () => {
    const { apiKey } = account.owner;
    const { data } = (await account.owner.call('agents/list')).body as unknown as {
      data: { name: string; geo: object }[];
    };

    const old = await json({ path: `/v1/agents/list?apikey=${apiKey}` });

    const unknown = { ip_from: '', ip_to: '' };
    assert.deepEqual(
      old,
      data.map((device) => ({ ...device, geo: { ...device.geo, ...unknown } })),
    );
    assert.equal(data[0]!.name, 'desk');
    assert.deepEqual(await json({ path: `/v1/agents/list?apikey=${apiKey}&search=nothing` }), []);
  });

  test('answers everything else the same', async () => {
    const { apiKey } = account.owner;
    const made = await json({
      method: 'POST',
      path: `/v1/groups/create?apikey=${apiKey}`,
      body: '{"name":"attic"}',
    });
    const { id } = made as { id: number };

    assert.deepEqual(made, { status: 0, id });
    assert.deepEqual(await json({ path: `/v1/groups/list?apikey=${apiKey}` }), {
      data: [{ id, name: 'attic' }],
    });
    const [agent] = (await account.owner.call('agents/list')).body['data'] as { id: number }[];
    const shown = await json({ path: `/v1/agents/info?apikey=${apiKey}&agent_id=${agent!.id}` });
    assert.deepEqual(Object.keys(shown as object), ['data']);
    const invited = await json({
      method: 'POST',
      path: `/v1/support/create?client_name=Ann&apikey=${apiKey}`,
    });
    assert.equal((invited as { data: { client_name: string } }).data.client_name, 'Ann');
  });

  test('names the network of every location that the database knows, after the four keys', async () => {
    const { apiKey, id: memberId } = account.owner;
    const geo = { ip: '8.8.8.8', country: 'United "States" \\ {}', region: '', city: '"geo":{"ip":"x"}' };
    const { id } = await account.agent({ name: '"geo":{"ip":"1.1.1.1"}', geo });
    await must(service.server.store, 'sessions/start', {
      accountId: account.id,
      memberId,
      agentId: id,
      invitationId: null,
      start: service.server.store.now(),
      login: account.owner.email,
      userAgent: 'test',
      geo: { ip: '2001:4860:4860::8888', country: '', region: '', city: '' },
    });
    const listed = async (operation: string) => {
      const { data } = (await json({ path: `/v1/${operation}&apikey=${apiKey}` })) as { data: never };
      return data;
    };

    const device = (await listed(`agents/info?agent_id=${id}`)) as {
      name: string;
      geo: Record<string, string>;
    };
    const [past] = (await listed(`history/list?agent_id=${id}`)) as {
      client: { geo: Record<string, string> }[];
      agent: { geo: object };
    }[];

    assert.deepEqual(Object.keys(device.geo), [...Object.keys(geo), 'ip_from', 'ip_to']);
    assert.equal(device.name, '"geo":{"ip":"1.1.1.1"}');
    assert.deepEqual(past!.agent.geo, device.geo);
    for (const { ip, ip_from, ip_to } of [device.geo, past!.client[0]!.geo]) {
      const network = new BlockList();
      const family = isIPv6(ip!) ? 'ipv6' : 'ipv4';
      network.addRange(ip_from!, ip_to!, family);
      assert.ok(network.check(ip!, family) && ip_from !== ip_to, `${ip_from} ${ip_to}`);
    }
    const modern = (await account.owner.call('agents/info', { agent_id: id })).body['data'];
    assert.deepEqual(modern.geo, geo);
  });

  test('refuses with an empty data beside the error', async () => {
    const { apiKey } = account.owner;
    const path = '/v1/agents/reboot';
    const body = '{"id":987654321}';
    const headers = { 'X-Api-Key': apiKey };
    const modern = (await json({ method: 'POST', path, body, headers })) as object;

    const old = (await json({ method: 'POST', path: `${path}?apikey=${apiKey}`, body })) as object;

    assert.deepEqual(Object.entries(old), [...Object.entries(modern), ['data', null]]);
    const closed = await service.testClient.send({
      method: 'POST',
      path: `/v1/support/close?connection_id=987654321&apikey=${apiKey}`,
    });
    assert.deepEqual([closed.http, closed.text], [403, '']);
    const unknown = (await json({ path: `/v1/nothing?apikey=${apiKey}` })) as object;
    assert.deepEqual(Object.entries(unknown), [
      ...Object.entries((await json({ path: '/v1/nothing' })) as object),
      ['data', null],
    ]);
  });

  test('says what is wrong with another parameter, and not that the key is', async () => {
    const { apiKey } = account.owner;
    for (const [query, message] of [
      ['search=%00', 'search must not contain the character NUL (U+0000).'],
      ['search=a&search=b', 'The parameter is given twice.'],
      ['search=%ff', 'The value is not valid percent-encoded UTF-8 text.'],
    ] as const) {
      const { http, text } = await service.testClient.send({
        path: `/v1/agents/list?${query}&apikey=${apiKey}`,
      });

      const { error } = JSON.parse(text) as { error: object };
      assert.deepEqual([http, error], [400, { code: 'invalid_request', message, field: 'search' }]);
    }
  });

  test('still takes the key from the header, which then takes precedence', async () => {
    const headers = { 'X-Api-Key': account.owner.apiKey };

    const body = (await json({ path: '/v1/agents/list?apikey=wrong', headers })) as object;

    assert.deepEqual(Object.keys(body), ['data']);
    const wrong = {
      path: `/v1/agents/list?apikey=${account.owner.apiKey}`,
      headers: { 'X-Api-Key': 'wrong' },
    };
    assert.equal((await service.testClient.send(wrong)).http, 403);
  });

  test('refuses a wrong key in the query like any other', async () => {
    const { http, text } = await service.testClient.send(read);
    const expected = [http, { ...(JSON.parse(text) as object), data: null }];
    const { apiKey } = account.owner;

    for (const query of [
      'apikey=',
      'apikey=wrong',
      `apikey=${apiKey}x`,
      `apikey=${apiKey}&apikey=${apiKey}`,
      'apikey=%ff',
    ]) {
      const answer = await service.testClient.send({ path: `/v1/agents/list?${query}` });
      assert.deepEqual([answer.http, JSON.parse(answer.text)], expected, query);
    }
  });
});
