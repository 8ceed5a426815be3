/**
 * What a client sees of our own bugs: a response, or a cut connection if one had begun; never silence, never
 * a dead server.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { parseNetworks } from '@drawbridge/server/http/connection/client-address';
import type { Route } from '@drawbridge/server/http/route';
import { serve, type ServeOptions } from '@drawbridge/server/http/serve';
import { apiTable } from '@drawbridge/server/http/operations/served-table';
import { openRawClient } from '../kit/server/raw-client.ts';

const bug = new Error('planted');
const fail = (): never => {
  throw bug;
};

/** The server with a bug in it, on its own port. */
async function openBroken(broken: Partial<ServeOptions>) {
  const reported: [string, unknown][] = [];
  const parsed = parseNetworks(['127.0.0.1']);
  const options = {
    tables: [apiTable({ now: () => 0 } as never)],
    store: {},
    trustedProxies: 'networks' in parsed ? parsed.networks : undefined,
    corsOrigins: [],
    legacy: undefined,
    routes: [],
    onBug: (operation: string, error: unknown) => void reported.push([operation, error]),
    onAnswer: () => {},
    onKeyUsed: () => {},
  };
  Object.defineProperties(options, Object.getOwnPropertyDescriptors(broken));
  const server = createServer(serve(options as unknown as ServeOptions)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    reported,
    async ask(line: string, body = ''): Promise<string> {
      await using client = await openRawClient((server.address() as AddressInfo).port);
      const headers = ['Host: a', 'X-Forwarded-Proto: https', 'Connection: close'];
      client.send([`${line} HTTP/1.1`, ...headers, `Content-Length: ${body.length}`, '', body].join('\r\n'));
      return await client.ended();
    },
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const internal = /^HTTP\/1\.1 500 .*"error":\{"code":"internal_error"/s;
const badOrigins = {
  get corsOrigins(): string[] {
    return fail();
  },
};

const routesTo = (handle: Route['handle']): Route[] => [{ method: 'GET', path: '/page', handle }];

const mistakes: [string, Partial<ServeOptions>, string, string, string][] = [
  ['a page', { routes: routesTo(async () => fail()) }, 'GET /page', '', '/page'],
  ['an operation', badOrigins, 'GET /v1/groups/list', '', 'groups/list'],
  ['the refusal of a body', badOrigins, 'POST /v1/groups/create', 'x'.repeat(70_000), 'groups/create'],
  ['a preflight', badOrigins, 'OPTIONS /v1/groups/list', '', 'groups/list'],
];
for (const [what, broken, line, body, operation] of mistakes)
  test(`a bug in ${what} is answered with 500 in JSON and reported`, async () => {
    await using service = await openBroken(broken);

    assert.match(await service.ask(line, body), internal);
    assert.deepEqual(service.reported.at(-1), [operation, bug]);
  });

test('a bug after a response has begun cuts the connection, so that half a response is not taken for a whole', async () => {
  const page = { http: 200, type: 'text/plain', body: 5 } as never;
  await using service = await openBroken({ routes: routesTo(async () => page) });

  assert.doesNotMatch(await service.ask('GET /page'), /500/);
  assert.equal(service.reported.length, 1);
});

test('a bug in logging a response leaves the response complete and the server alive', async () => {
  const page = { http: 200, type: 'text/plain', body: 'all of it' };
  await using service = await openBroken({ routes: routesTo(async () => page), onAnswer: fail });

  assert.match(await service.ask('GET /page'), /^HTTP\/1\.1 200 .*all of it$/s);
  assert.match(await service.ask('GET /nowhere'), /^HTTP\/1\.1 404 /);
  assert.deepEqual(
    service.reported.map(([, error]) => error),
    [bug, bug],
  );
});
