/** One spelling per address: whatever looks almost like a path of the API is unknown, with every method. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { v1 } from '@drawbridge/contract/v1/index';
import type { TestAccount } from '../kit/server/account.ts';
import { startService, type TestService } from '../kit/server/service.ts';

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
const paths = [
  '/v1/agents/list',
  '/v1/groups/create',
  '/v1/keys/create',
  '/v1/team/member/invite',
  '/healthz',
];
/** Paths where other products have let strangers set them up. */
const setups = [
  '/setup',
  '/setup/',
  '/SetupWizard.aspx/x',
  '/install',
  '/admin',
  '/admin/setup',
  '/init',
  '/register',
  '/v1/setup',
  '/v1/accounts/create',
  '/v1/account/create',
  '/v1/users',
  '/api/v1/setup',
  '/first-run',
  '/bootstrap',
  '/onboarding',
  '/sign-up',
  '/metrics',
  '/.env',
  '/.git/config',
  '/drawbridge.db',
  '/data/drawbridge.db',
  '/server-status',
  '/debug/pprof',
];

/** A path in every spelling that is not exactly its own. */
const almost = (path: string): string[] => {
  const last = path.split('/').at(-1)!;
  const start = path.slice(0, -last.length);
  const hex = (letter: string): string => `%${letter.charCodeAt(0).toString(16)}`;
  return [
    `${path}/`,
    `${path}//`,
    `/${path}`,
    `//${path}`,
    path.replaceAll('/', '//'),
    path.toUpperCase(),
    path.replace('/v1', '/V1'),
    start + last[0]!.toUpperCase() + last.slice(1),
    path.slice(0, -1),
    `${path}s`,
    `${path}x`,
    path.slice(1),
    path.replaceAll('/', '\\'),
    `${start}\\${last}`,
    path.replaceAll('/', '%2f'),
    path.replaceAll('/', '%2F'),
    path.replaceAll('/', '%252f'),
    path.replaceAll('/', '%5c'),
    `${start}%2f${last}`,
    `${path}%2f`,
    `%2f${path.slice(1)}`,
    start + hex(last[0]!) + last.slice(1),
    start + [...last].map(hex).join(''),
    start + hex(last[0]!).toUpperCase() + last.slice(1),
    `${start}%25${last}`,
    `${path};x`,
    `${path};x=1`,
    `${path};`,
    `${path}%3bx`,
    `${path}%3f`,
    `${path}%3fa=1`,
    `${path}%23`,
    `${path}%00`,
    `${path}%00.json`,
    `${path}%20`,
    `%20${path}`,
    `${path}%09`,
    `${path}%0a`,
    `${path}%0d%0a`,
    `${path}+`,
    `${path}.`,
    `${path}..`,
    `${path}.json`,
    `${path}.html`,
    `${path}~`,
    `${path}*`,
    `${path}:80`,
    `${path}@`,
    `${path}!`,
    `${path}/.`,
    `${path}/..`,
    `${path}/../${last}`,
    `/.${path}`,
    `/..${path}`,
    `/x/..${path}`,
    `/./${path.slice(1)}`,
    `${start}./${last}`,
    `${start}../${last}`,
    `${start}x/../${last}`,
    `${start}%2e/${last}`,
    `${start}%2e%2e/${last}`,
    `${start}x/%2e%2e/${last}`,
    `${start}..;/${last}`,
    `${start}.;/${last}`,
    `${start}..%2f${last}`,
    `${start}..%5c${last}`,
    `${start}%c0%ae%c0%ae/${last}`,
    `${start}%c0%af${last}`,
    `${start}%ef%bc%8f${last}`,
    `${start}%e2%80%8b${last}`,
    `${path}%e2%80%8b`,
    `${path}%ff`,
    `${path}%`,
    `${path}%zz`,
    `${path}%u002f`,
    `${path}\xff`,
    `${path}/x`,
    `${path}/index.html`,
    `/api${path}`,
    `/v2${path}`,
    path.replace('/v1/', '/v01/'),
    path.replace('/v1/', '/v1.0/'),
    path.replace('/v1/', '/'),
    `${path}&a=1`,
    `${path}=`,
    `${path}|`,
    `${path}^`,
    `${path}"`,
    `${path}<`,
    `/v1/../v1${path}`,
  ];
};

describe('spellings', () => {
  let service: TestService;
  let account: TestAccount;
  before(async () => {
    service = await startService();
    account = await service.account();
  });
  after(() => service[Symbol.asyncDispose]());

  const known = new Set([...Object.keys(v1).map((id) => `/v1/${id}`), '/healthz']);
  const ask = (method: string, path: string) =>
    service.testClient.send({
      method,
      path,
      headers: { 'X-Api-Key': account.owner.apiKey },
      ...(method === 'POST' && { body: '{"name":"x","email":"x@example.com"}' }),
    });
  const state = async () =>
    [
      (await account.owner.call('groups/list')).body,
      (await account.owner.call('keys/list')).body['data'].length,
      (await account.owner.call('team/member/list')).body['total'],
      (await service.server.store.accounts.list()).length,
    ] as unknown[];

  test('400 spellings with four methods each: all unknown, nothing done, no server error', async () => {
    const was = await state();
    const spellings = [...new Set([...paths.flatMap(almost), ...setups])].filter((path) => !known.has(path));
    assert.ok(spellings.length >= 400, `${spellings.length} spellings`);
    const wrong: string[] = [];

    for (let at = 0; at < spellings.length; at += 25)
      await Promise.all(
        spellings.slice(at, at + 25).flatMap((path) =>
          methods.map(async (method) => {
            const { http } = await ask(method, path);
            if (http !== 404 && http !== 400) wrong.push(`${method} ${path}: ${http}`);
          }),
        ),
      );

    assert.deepEqual(wrong, []);
    assert.deepEqual(await state(), was);
  });

  test('an operation exists with its own method alone', async () => {
    for (const [id, row] of Object.entries(v1))
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'HEAD']) {
        const { http } = await service.testClient.send({ method, path: `/v1/${id}` });
        const own = method === row.method || (method === 'HEAD' && row.method === 'GET');
        assert.equal(http, own ? 403 : 404, `${method} ${id}`);
      }
  });

  test('an unknown address says so in JSON, the same with and without a key', async () => {
    const [withKey, without] = [
      await ask('GET', '/v1/nothing'),
      await service.testClient.send({ path: '/v1/nothing' }),
    ];

    assert.equal(withKey.http, 404);
    assert.deepEqual(JSON.parse(withKey.text), {
      error: {
        code: 'unknown_url',
        message: 'Nothing exists at this address, or it does not support this method.',
      },
    });
    assert.equal(without.text, withKey.text);
  });

  test('unusual addresses get our own 404, with our headers, and each is in the log', async () => {
    const long = (length: number): string => 'x'.repeat(length);
    const parts = [100, 101, 500, 5_000, 15_000].map(long);
    const prefixes = [
      '/p/',
      '/c/',
      '/o/',
      '/preview/',
      '/app/',
      '/brand/',
      '/download/',
      '/i/',
      '/recording/',
    ];
    const odd = [
      '%00',
      '%2f',
      '%2F..',
      '%',
      '%zz',
      '%e0%a4',
      '//',
      '.',
      '..',
      '../..',
      ';',
      ';a=b',
      '*',
      ':',
      '@',
      '|',
    ];
    const ends = [...parts, ...odd].flatMap((part) => [part, `${part}/x`, `x/${part}`]);
    const all = [...prefixes, '/', '/v1/', '/panel/api/', '/docs/'].flatMap((prefix) =>
      ends.map((end) => prefix + end),
    );
    const wrong: string[] = [];
    const logged = service.logged.length;

    for (let at = 0; at < all.length; at += 25)
      await Promise.all(
        all.slice(at, at + 25).map(async (path) => {
          const { http, headers, text } = await service.testClient.send({ path });
          const isOurs =
            headers['cache-control'] !== undefined &&
            headers['x-content-type-options'] === 'nosniff' &&
            headers['strict-transport-security'] !== undefined;
          const isPage = /^<!doctype html>|^<svg/.test(text);
          const code = isPage ? 'page' : (JSON.parse(text).error?.code as unknown);
          const isFit = code === 'page' || code === 'not_built' || http === 404 || http === 429;
          if (!isOurs || typeof code !== 'string' || !isFit)
            wrong.push(`${path.slice(0, 60)}: ${http} ${text.slice(0, 99)}`);
        }),
      );

    assert.deepEqual(wrong, []);
    assert.equal(service.logged.length - logged, all.length);
  });

  test('a query after the path is accepted, and so is an absolute URL as a proxy sends it', async () => {
    assert.equal((await ask('GET', '/v1/groups/list?')).http, 200);
    assert.equal((await ask('GET', '/v1/groups/list?unknown=1')).http, 200);
    assert.equal((await ask('GET', `${service.testClient.baseUrl}/v1/groups/list`)).http, 200);
    assert.equal((await ask('GET', `${service.testClient.baseUrl}/v1/groups/list/`)).http, 404);
  });
});
