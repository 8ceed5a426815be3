/**
 * What is read of a request and what is refused: always with 400 and the offending field, never as a server
 * error.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { TestAccount } from '../kit/server/account.ts';
import type { PlainRequest } from '../kit/server/test-client.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { openRawClient } from '../kit/server/raw-client.ts';

const kib64 = 64 * 1_024;
const deep = (levels: number): string =>
  '{"name":"x","more":' + '['.repeat(levels) + ']'.repeat(levels) + '}';

describe('input', () => {
  let service: TestService;
  let account: TestAccount;
  before(async () => {
    service = await startService();
    account = await service.account();
  });
  after(() => service[Symbol.asyncDispose]());

  const send = async ({ headers, ...plain }: PlainRequest) => {
    const own = { 'X-Api-Key': account.owner.apiKey };
    const { http, text } = await service.testClient.send({ ...plain, headers: { ...own, ...headers } });
    const body =
      text === ''
        ? undefined
        : (JSON.parse(text) as { status?: number; error?: { code: string; field?: string } });
    return { http, body, text };
  };
  const post = (body: string | Buffer, path = 'groups/create', headers: Record<string, string> = {}) =>
    send({ method: 'POST', path: `/v1/${path}`, body, headers });
  const get = (path: string) => send({ path: `/v1/${path}` });
  const groups = async (): Promise<string[]> =>
    (await account.owner.call('groups/list')).body['data'].map((each: { name: string }) => each.name);

  test('a body of 64 KiB is read, one of a byte more is not', async () => {
    const sized = (bytes: number, name: string): string => {
      const bare = JSON.stringify({ name, more: '' });
      return bare.slice(0, -2) + 'x'.repeat(bytes - bare.length) + bare.slice(-2);
    };

    assert.equal((await post(sized(kib64, 'exactly'))).http, 200);
    const large = await post(sized(kib64 + 1, 'too large'));

    assert.deepEqual([large.http, large.body?.status, large.body?.error?.code], [400, 1, 'invalid_request']);
    assert.deepEqual(await groups(), ['exactly']);
    const silent = await post('x'.repeat(kib64 + 1), 'support/close?connection_id=1');
    assert.deepEqual([silent.http, silent.text], [400, '']);
  });

  test('a body that grows too large in transit is cut off', async () => {
    await using client = await openRawClient(service.server.config.listen.port, {});
    const head = ['POST /v1/groups/create HTTP/1.1', 'Host: localhost', `X-Api-Key: ${account.owner.apiKey}`];

    client.send([...head, 'Transfer-Encoding: chunked', '', ''].join('\r\n'));
    for (let sent = 0; sent <= kib64; sent += 4_096) client.send('1000\r\n', 'x'.repeat(4_096), '\r\n');

    const received = await client.until(/\r\n\r\n\{/);
    assert.match(received, /^HTTP\/1\.1 400 /);
    assert.match(received, /"status":1/);
  });

  test('a huge declared length is refused at once', async () => {
    await using client = await openRawClient(service.server.config.listen.port, {});
    const head = ['POST /v1/groups/create HTTP/1.1', 'Host: localhost', `X-Api-Key: ${account.owner.apiKey}`];

    client.send([...head, 'Content-Length: 10000000000', '', '{'].join('\r\n'));

    assert.match(await client.until(/\r\n\r\n\{/), /^HTTP\/1\.1 400 /);
  });

  test('a request that is refused for its size leaves a row in the audit log too', async () => {
    await post('x'.repeat(kib64 + 1), 'groups/edit');

    const { data } = (await account.owner.call('audit/list', { limit: 1 })).body as unknown as {
      data: { operation: string; outcome: string }[];
    };
    assert.deepEqual([data[0]!.operation, data[0]!.outcome], ['groups/edit', 'invalid_request']);
  });

  test('an overlong address and overlong headers are refused by the protocol', async () => {
    const long = 'x'.repeat(20_000);

    const [url, header] = [
      await send({ path: `/v1/agents/list?search=${long}` }),
      await send({ path: '/v1/agents/list', headers: { 'X-Long': long } }),
    ];

    assert.deepEqual([url.http, url.body?.error?.code], [431, 'headers_too_large']);
    assert.deepEqual([header.http, header.body?.error?.code], [431, 'headers_too_large']);
    const [search, many] = [
      await get(`agents/list?search=${'x'.repeat(10_000)}`),
      await get(`agents/list?${Array.from({ length: 101 }, (_, at) => `a${at}=1`).join('&')}`),
    ];
    assert.deepEqual([search.http, search.body?.error?.field, many.http], [400, 'search', 400]);
  });

  /** Bodies that are no valid request to create a group, with the offending field. */
  const badBodies: [name: string, body: string | Buffer, field: string | undefined][] = [
    ['nothing', '', 'name'],
    ['an empty object', '{}', 'name'],
    ['no JSON', 'name=attic', undefined],
    ['half of JSON', '{"name":"x"', undefined],
    ['two objects', '{"name":"x"}{"name":"y"}', undefined],
    ['a list', '[{"name":"x"}]', undefined],
    ['a text', '"name"', undefined],
    ['a number', '7', undefined],
    ['null', 'null', undefined],
    ['a field of another type', '{"name":7}', 'name'],
    ['a field that is null', '{"name":null}', 'name'],
    ['a list for a text', '{"name":["x"]}', 'name'],
    ['an object for a text', '{"name":{"toString":"x"}}', 'name'],
    ['a text for a number', '{"name":"x","order":"1"}', 'order'],
    ['a boolean for a number', '{"name":"x","order":true}', 'order'],
    ['a fraction', '{"name":"x","order":1.5}', 'order'],
    ['a position before all counting', '{"name":"x","order":-2147483649}', 'order'],
    ['a position past all counting', '{"name":"x","order":2147483648}', 'order'],
    ['a number that is not kept exactly', '{"name":"x","order":9007199254740993}', 'order'],
    ['a number without end', '{"name":"x","order":1e400}', 'order'],
    ['an empty name', '{"name":"  "}', 'name'],
    ['a name that is too long', `{"name":"${'x'.repeat(129)}"}`, 'name'],
    ['a control character', '{"name":"a\\u0007b"}', 'name'],
    ['a line break in a name', '{"name":"a\\nb"}', 'name'],
    ['NUL, escaped', '{"name":"a\\u0000b"}', 'name'],
    ['NUL, as it is', '{"name":"a\u0000b"}', undefined],
    ['half a surrogate pair', '{"name":"\\ud800"}', 'name'],
    ['a key given twice', '{"name":"x","name":"y"}', 'name'],
    ['a key given twice in two spellings', '{"name":"x","\\u006eame":"y"}', 'name'],
    ['__proto__', '{"name":"x","__proto__":{"owner":true}}', '__proto__'],
    ['__proto__, escaped', '{"name":"x","\\u005f_proto__":{}}', '__proto__'],
    ['JSON as deep as a well', deep(17), undefined],
    ['JSON as deep as the sea', deep(20_000), undefined],
    ['invalid UTF-8', Buffer.from('{"name":"\xff\xfe"}', 'latin1'), undefined],
    ['overlong UTF-8', Buffer.from('{"name":"\xc0\xaf"}', 'latin1'), undefined],
    ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le'), undefined],
    ['a byte order mark', '\ufeff{"name":"x"}', undefined],
    ['a gzipped body', gzipSync('{"name":"x"}'), undefined],
    ['a comment', '{"name":"x"} // attic', undefined],
    ['a trailing comma', '{"name":"x",}', undefined],
    ['single quotes', "{'name':'x'}", undefined],
    ['NaN', '{"name":"x","order":NaN}', undefined],
  ];

  test('a body that is no valid request is refused with the row’s number and the offending field', async () => {
    const was = await groups();
    for (const [name, body, field] of badBodies) {
      const headers: Record<string, string> = name.includes('gzip') ? { 'Content-Encoding': 'gzip' } : {};
      const answer = await post(body, 'groups/create', headers);

      const { status, error } = answer.body!;
      assert.deepEqual([answer.http, status, error?.code], [400, 1, 'invalid_request'], name);
      if (field !== undefined) assert.equal(error?.field, field, name);
    }
    assert.deepEqual(await groups(), was);
    assert.equal(({} as { owner?: boolean }).owner, undefined);
  });

  test('unknown fields are ignored, also those that name parts of an object', async () => {
    const body = '{"name":"odd","constructor":{"prototype":{"x":1}},"toString":1,"hasOwnProperty":null,"":0}';

    assert.equal((await post(body)).http, 200);
  });

  test('a body is JSON whatever its type says', async () => {
    for (const type of [
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'nonsense',
      '@@;;',
      'application/json; charset=latin1',
      '',
    ]) {
      const answer = await post('{"name":"typed"}', 'groups/create', { 'Content-Type': type });
      assert.equal(answer.http, 200, type);
    }
  });

  test('operations with parameters in the query accept any body, of any type, and do not read it', async () => {
    for (const [body, type] of [
      ['', 'application/json'],
      ['{', 'application/json'],
      ['client_name=Eve', 'application/x-www-form-urlencoded'],
      ['\0', ''],
    ] as const) {
      const answer = await post(body, 'support/create?client_name=Ann', { 'Content-Type': type });
      assert.equal(answer.http, 200);
      assert.equal((answer.body as unknown as { data: { client_name: string } }).data.client_name, 'Ann');
    }
  });

  test('a GET with a body is answered as if it had none', async () => {
    const { http } = await send({ path: '/v1/groups/list', body: '{"broken' });

    assert.equal(http, 200);
  });

  /** Queries that name no device, with the offending field. */
  const badQueries: [query: string, field: string | undefined][] = [
    ['', 'agent_id'],
    ['agent_id', 'agent_id'],
    ['agent_id=', 'agent_id'],
    ['agent_id=0', 'agent_id'],
    ['agent_id=-1', 'agent_id'],
    ['agent_id=01', 'agent_id'],
    ['agent_id=1.0', 'agent_id'],
    ['agent_id=1e2', 'agent_id'],
    ['agent_id=0x10', 'agent_id'],
    ['agent_id=%201', 'agent_id'],
    ['agent_id=1+', 'agent_id'],
    ['agent_id=one', 'agent_id'],
    ['agent_id=true', 'agent_id'],
    ['agent_id=NaN', 'agent_id'],
    ['agent_id=Infinity', 'agent_id'],
    ['agent_id=9007199254740992', 'agent_id'],
    ['agent_id=9007199254740993', 'agent_id'],
    ['agent_id=18446744073709551617', 'agent_id'],
    [`agent_id=${'9'.repeat(400)}`, 'agent_id'],
    ['agent_id=%D9%A1', 'agent_id'],
    ['agent_id=1&agent_id=1', 'agent_id'],
    ['agent_id=1&agent%5Fid=2', 'agent_id'],
    ['agent_id[]=1', 'agent_id'],
    ['agent_id=1%00', 'agent_id'],
    ['agent_id=%', 'agent_id'],
    ['agent_id=%zz', 'agent_id'],
    ['agent_id=%ff', 'agent_id'],
    ['agent_id=%c0%af', 'agent_id'],
    ['%ff=1', undefined],
    ['__proto__=1', 'agent_id'],
    ['__proto__[agent_id]=1', 'agent_id'],
    ['constructor=1&x=1&x=2', 'x'],
    ['?agent_id=1', 'agent_id'],
  ];

  test('a query that is no valid request is refused with the offending field', async () => {
    for (const [query, field] of badQueries) {
      const { http, body } = await get(`agents/info?${query}`);
      assert.deepEqual([http, body?.error?.code], [400, 'invalid_request'], query);
      if (field !== undefined) assert.equal(body?.error?.field, field, query);
    }
  });

  test('NUL and invalid UTF-8 are refused as search text', async () => {
    for (const search of ['a%00b', '%00', '%ff', '%ed%a0%80', '%']) {
      const { http, body } = await get(`agents/list?search=${search}`);
      assert.deepEqual([http, body?.error?.field], [400, 'search'], search);
    }
  });

  test('numbers up to the largest exact one are ids; nobody has such an id', async () => {
    for (const id of [1, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
      assert.equal((await get(`agents/info?agent_id=${id}`)).http, 403);
      assert.equal((await post(`{"id":${id}}`, 'agents/logout')).body?.status, 6);
    }
    for (const id of [
      '9007199254740992',
      '9007199254740993',
      '1e16',
      '-1',
      '0',
      '1.5',
      '"1"',
      'true',
      '[1]',
      'null',
    ]) {
      const { http, body } = await post(`{"id":${id}}`, 'agents/logout');
      assert.deepEqual([http, body?.status, body?.error?.field], [400, 1, 'id'], id);
    }
    assert.equal((await post('{"id":1.0}', 'agents/logout')).body?.status, 6);
  });

  test('booleans in a query are true, false, 1 and 0, and nothing else', async () => {
    const { id } = await account.agent();
    for (const video of ['true', 'false', '1', '0'])
      assert.equal((await post('', `agents/connect?agent_id=${id}&video=${video}`)).http, 200, video);
    for (const video of ['', 'yes', 'TRUE', 'True', '2', 'null', 'on']) {
      const { http, body } = await post('', `agents/connect?agent_id=${id}&video=${video}`);
      assert.deepEqual([http, body?.error?.field], [400, 'video'], video);
    }
  });

  test('text that looks like SQL or like a pattern is text', async () => {
    for (const search of [
      "'; drop table agent; --",
      '%',
      '_',
      '\\',
      '%%%',
      "' or '1'='1",
      '$1',
      '?',
      ':x',
      '\u202e',
    ])
      assert.deepEqual(
        (await get(`agents/list?search=${encodeURIComponent(search)}&group_id=1`)).http,
        200,
        search,
      );
    const name = `Robert'); drop table agent_group; --`;
    await post(JSON.stringify({ name }));
    assert.ok((await groups()).includes(name));
  });

  test('none of these requests was a server error', () => {
    const failed = service.logged.filter(
      (line) => line.includes('"status":5') || line.includes('a request failed'),
    );

    assert.deepEqual(failed, []);
  });
});
