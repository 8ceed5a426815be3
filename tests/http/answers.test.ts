/**
 * How responses are sent: compressed on request, with an ETag where they can be requested again, and safe to
 * cache.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { TestAccount } from '../kit/server/account.ts';
import { startService, type TestService } from '../kit/server/service.ts';

const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

describe('responses', () => {
  let service: TestService;
  let account: TestAccount;
  before(async () => {
    service = await startService();
    account = await service.account();
    for (let count = 0; count < 20; count += 1) await account.agent();
  });
  after(() => service[Symbol.asyncDispose]());

  const ask = (headers: Record<string, string> = {}, path = '/v1/agents/list', method = 'GET') =>
    service.testClient.send({ method, path, headers: { 'X-Api-Key': account.owner.apiKey, ...headers } });

  for (const [coding, decode] of Object.entries(decoders))
    test(`a long response is sent in ${coding} on request, with the same content`, async () => {
      const [plain, small] = [await ask(), await ask({ 'Accept-Encoding': coding })];

      assert.equal(small.headers['content-encoding'], coding);
      assert.equal(Number(small.headers['content-length']), small.bytes.length);
      assert.ok(small.bytes.length < plain.bytes.length / 2);
      assert.deepEqual(decode(small.bytes), plain.bytes);
      assert.match(String(small.headers['vary']), /Accept-Encoding/);
    });

  test('a response is uncompressed if no coding, or no known one, is accepted', async () => {
    for (const accepted of [undefined, '', 'identity', 'deflate', 'gzip;q=0', '*;q=0', 'nonsense']) {
      const { headers } = await ask(accepted === undefined ? {} : { 'Accept-Encoding': accepted });
      assert.equal(headers['content-encoding'], undefined, String(accepted));
      assert.match(String(headers['vary']), /Accept-Encoding/, 'others would get another form');
    }
  });

  test('a short response is not compressed', async () => {
    const { headers, text } = await ask({ 'Accept-Encoding': 'gzip' }, '/v1/groups/list');

    assert.deepEqual([headers['content-encoding'], text], [undefined, '{"data":[]}']);
  });

  test('the list of devices has an ETag; a request with it gets only 304', async () => {
    const first = await ask();
    const tag = String(first.headers['etag']);
    const again = await ask({ 'If-None-Match': tag });

    // Weak: the bytes differ by compression, the content does not.
    assert.match(tag, /^W\/"[\w-]+"$/);
    assert.match(String(again.headers['vary']), /Accept-Encoding/);
    assert.deepEqual([again.http, again.text, again.headers['etag']], [304, '', tag]);
    assert.equal(again.headers['content-length'], undefined);
  });

  test('an ETag matches in a list, in its weak form, and the star matches any', async () => {
    const tag = String((await ask()).headers['etag']);
    const opaque = tag.replace(/^W\//, '');

    for (const known of [opaque, `W/${opaque}`, `"other", ${opaque}`, `W/"a",W/${opaque}`, '*'])
      assert.equal((await ask({ 'If-None-Match': known })).http, 304, known);
    for (const unknown of ['"other"', opaque.slice(0, -2) + '"', opaque.replaceAll('"', ''), '""', 'W/*'])
      assert.equal((await ask({ 'If-None-Match': unknown })).http, 200, unknown);
  });

  test('an ETag is valid for its own resource and only while nothing changes', async () => {
    const tag = String((await ask()).headers['etag']);
    assert.equal((await ask({ 'If-None-Match': tag }, '/v1/agents/list?limit=1')).http, 200);
    const other = await service.account();
    const outsider = { 'X-Api-Key': other.owner.apiKey, 'If-None-Match': tag };
    assert.equal((await ask(outsider)).http, 200);
    assert.equal((await ask({ 'X-Api-Key': 'wrong', 'If-None-Match': tag })).http, 403);

    await account.agent();

    assert.equal((await ask({ 'If-None-Match': tag })).http, 200);
  });

  test('an ETag is the same whether the response was compressed or not', async () => {
    const [plain, small] = [await ask(), await ask({ 'Accept-Encoding': 'gzip' })];
    const again = await ask({ 'Accept-Encoding': 'gzip', 'If-None-Match': String(plain.headers['etag']) });

    assert.equal(small.headers['etag'], plain.headers['etag']);
    assert.equal(again.http, 304);
  });

  test('a list that was sent before shows a change at once, compressed or not', async () => {
    const gzip = { 'Accept-Encoding': 'gzip' };
    const lists = async (): Promise<string[]> => [
      (await ask()).text,
      gunzipSync((await ask(gzip)).bytes).toString(),
    ];
    await lists();

    await account.agent({ name: 'the newest device' });

    for (const list of await lists()) assert.match(list, /the newest device/);
  });

  test('no response of the API may be cached, sniffed or fetched without TLS', async () => {
    const answers = [
      await ask({}, '/v1/groups/list'),
      await ask({}, '/v1/agents/info?agent_id=1'),
      await ask({}, '/v1/agents/info'),
      await ask({}, '/v1/nothing'),
      await ask({}, '/v1/support/close?connection_id=1', 'POST'),
      await ask({ 'X-Api-Key': '' }),
      await ask({}, '/v1/agents/list', 'OPTIONS'),
      await ask({}, '/healthz'),
    ];
    for (const { headers } of answers) {
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['strict-transport-security'], 'max-age=31536000');
      assert.equal(headers['server'], undefined);
      assert.equal(headers['x-powered-by'], undefined);
    }
    const { headers } = await ask();
    assert.equal(headers['cache-control'], 'private, no-cache');
    assert.equal(headers['x-content-type-options'], 'nosniff');
  });

  test('an address with an overlong name is answered like an unknown one', async () => {
    const long = 'x'.repeat(5_000);
    const nowhere = await ask({}, '/v1/nothing');

    for (const path of ['/p/*', '/t/*', '/o/*', '/app/*', '/recording/*/index', '/download/*']) {
      const { http, headers, text } = await ask({}, path.replace('*', long));
      assert.deepEqual([http, text], [nowhere.http, nowhere.text], path);
      for (const name of ['cache-control', 'x-content-type-options', 'strict-transport-security'])
        assert.equal(headers[name], nowhere.headers[name], `${name} of ${path}`);
    }
    assert.equal(service.logged.filter((line) => line.includes('unknown_url')).length >= 6, true);
  });

  test('responses are JSON in UTF-8, except for the empty one', async () => {
    const type = async (path: string, method = 'GET') =>
      (await ask({}, path, method)).headers['content-type'];

    for (const path of ['/v1/agents/list', '/v1/agents/info', '/v1/nothing'])
      assert.equal(await type(path), 'application/json; charset=utf-8');
    assert.equal(await type('/v1/support/close?connection_id=1', 'POST'), undefined);
  });

  test('pages for people run no foreign code, in no foreign frame, and send no referrer', async () => {
    for (const path of ['/download', '/docs/']) {
      const { http, headers } = await ask({}, path);
      assert.equal(http, 200);
      const policy = String(headers['content-security-policy']);
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.doesNotMatch(policy, /unsafe|\*/);
      assert.equal(headers['referrer-policy'], 'no-referrer');
    }
  });
});
