/** Calls from web pages of other origins: none by default, and then only those the settings name. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestAccount } from '../kit/server/account.ts';
import type { PlainResponse } from '../kit/server/test-client.ts';
import { startService, type TestService } from '../kit/server/service.ts';

const tools = 'https://tools.example.com';
const preflight = { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-api-key' };

/** The CORS headers. */
const corsOf = ({ headers }: PlainResponse): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('access-control-') || name === 'vary'),
  );

describe('other origins, with no setting', () => {
  let service: TestService;
  let account: TestAccount;
  before(async () => {
    service = await startService();
    account = await service.account();
  });
  after(() => service[Symbol.asyncDispose]());

  test('no response names an origin', async () => {
    for (const origin of [tools, service.testClient.baseUrl, 'null', '*'])
      for (const [method, path] of [
        ['GET', '/v1/groups/list'],
        ['OPTIONS', '/v1/groups/list'],
        ['GET', '/healthz'],
        ['GET', '/v1/nothing'],
      ] as const) {
        const headers = { Origin: origin, 'X-Api-Key': account.owner.apiKey, ...preflight };
        assert.deepEqual(
          corsOf(await service.testClient.send({ method, path, headers })),
          {},
          `${method} ${path}`,
        );
      }
  });

  test('OPTIONS lists the methods, without a key and without a body', async () => {
    const ask = async (path: string) => {
      const { http, headers, text } = await service.testClient.send({ method: 'OPTIONS', path });
      return [http, headers['allow'], text, headers['content-length']];
    };

    assert.deepEqual(await ask('/v1/agents/list'), [204, 'GET, HEAD, OPTIONS', '', undefined]);
    assert.deepEqual(await ask('/v1/agents/reboot'), [204, 'POST, OPTIONS', '', undefined]);
    assert.equal((await ask('/v1/nothing'))[0], 404);
  });
});

describe('other origins, with two allowed', () => {
  let service: TestService;
  let account: TestAccount;
  before(async () => {
    service = await startService({
      env: { DRAWBRIDGE_CORS_ORIGINS: `${tools}, https://panel.example.com:8443` },
    });
    account = await service.account();
    for (let count = 0; count < 10; count += 1) await account.agent();
  });
  after(() => service[Symbol.asyncDispose]());

  const ask = (origin: string | undefined, more: Record<string, string> = {}, path = '/v1/agents/list') =>
    service.testClient.send({
      path,
      headers: {
        'X-Api-Key': account.owner.apiKey,
        ...(origin !== undefined && { Origin: origin }),
        ...more,
      },
    });

  test('a page of an allowed origin may read responses and the headers it needs', async () => {
    for (const origin of [tools, 'https://panel.example.com:8443'])
      assert.deepEqual(corsOf(await ask(origin)), {
        vary: 'Origin, Accept-Encoding',
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'ETag, RateLimit, RateLimit-Policy, Retry-After',
      });
  });

  test('refusals can be read too, and cookies are never allowed', async () => {
    const answer = await ask(tools, { 'X-Api-Key': 'wrong' });

    assert.equal(answer.http, 403);
    assert.equal(corsOf(answer)['access-control-allow-origin'], tools);
    assert.equal(answer.headers['access-control-allow-credentials'], undefined);
  });

  test('an origin is compared exactly', async () => {
    const outsiders = [
      'http://tools.example.com',
      'https://tools.example.com:443',
      'https://tools.example.com:8443',
      'https://tools.example.com/',
      'https://tools.example.com.evil.test',
      'https://eviltools.example.com',
      'https://a.tools.example.com',
      'https://TOOLS.example.com',
      'https://tools.example.com, https://evil.test',
      'https://panel.example.com',
      'null',
      '*',
      '',
    ];
    const unnamed = { vary: 'Origin, Accept-Encoding' };
    for (const origin of outsiders) assert.deepEqual(corsOf(await ask(origin)), unnamed, origin);
    assert.deepEqual(corsOf(await ask(undefined)), unnamed);
  });

  test('a compressed response varies by origin and by coding', async () => {
    const answer = await ask(tools, { 'Accept-Encoding': 'gzip' });

    assert.equal(answer.headers['content-encoding'], 'gzip');
    assert.deepEqual(
      String(answer.headers['vary'])
        .split(',')
        .map((each) => each.trim())
        .toSorted(),
      ['Accept-Encoding', 'Origin'],
    );
    assert.equal(answer.headers['access-control-allow-origin'], tools);
  });

  test('a preflight is told what it may send, and for how long', async () => {
    const { http, headers, text } = await service.testClient.send({
      method: 'OPTIONS',
      path: '/v1/agents/list',
      headers: { Origin: tools, ...preflight },
    });

    assert.deepEqual([http, text], [204, '']);
    assert.equal(headers['access-control-allow-origin'], tools);
    assert.equal(headers['access-control-allow-methods'], 'GET, HEAD, OPTIONS');
    assert.equal(headers['access-control-allow-headers'], 'X-Api-Key, Content-Type, If-None-Match');
    assert.equal(headers['access-control-max-age'], '600');
    assert.equal(headers['vary'], 'Origin');
  });

  test('a preflight of another origin is told nothing', async () => {
    const answer = await service.testClient.send({
      method: 'OPTIONS',
      path: '/v1/agents/list',
      headers: { Origin: 'https://evil.test', ...preflight },
    });

    assert.deepEqual([answer.http, corsOf(answer)], [204, { vary: 'Origin' }]);
  });
});

for (const [given, allowed] of [
  ['*', '*'],
  ['http://intranet.example.com', 'http://intranet.example.com'],
] as const)
  test(`with the older form of the API, ${given} is allowed for the API alone, with a warning`, async () => {
    await using service = await startService({
      env: { DRAWBRIDGE_LEGACY_API: 'true', DRAWBRIDGE_CORS_ORIGINS: given },
    });
    const { owner } = await service.account();
    const headers = { Origin: 'http://intranet.example.com', 'X-Api-Key': owner.apiKey };
    const originOf = async (method: string, path: string) =>
      (await service.testClient.send({ method, path, headers })).headers['access-control-allow-origin'];

    assert.equal(await originOf('GET', '/v1/groups/list'), allowed);
    assert.equal(await originOf('OPTIONS', '/v1/groups/list'), allowed);
    for (const path of ['/panel/api/me', '/panel/api/v1/groups/list', '/healthz', '/panel', '/docs'])
      for (const method of ['GET', 'OPTIONS'])
        assert.equal(await originOf(method, path), undefined, `${method} ${path}`);
    const warning = service.logged.find((line) => line.includes('DRAWBRIDGE_CORS_ORIGINS'));
    assert.match(warning ?? '', /"level":("warn"|40)/);
  });
