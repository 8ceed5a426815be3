/** What the log says of requests: one line of JSON each, and no secret in any line, error or metric. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestAccount } from '../kit/server/account.ts';
import type { PlainResponse, PlainRequest } from '../kit/server/test-client.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { freePort } from '../kit/free-port.ts';
import { openRawClient } from '../kit/server/raw-client.ts';

interface Line {
  level: string;
  time: string;
  msg: string;
  request?: Record<string, unknown>;
}

describe('the log', () => {
  let service: TestService;
  let account: TestAccount;
  let metrics: string;
  before(async () => {
    const port = await freePort();
    metrics = `http://127.0.0.1:${port}/metrics`;
    service = await startService({
      env: { DRAWBRIDGE_METRICS_LISTEN: `127.0.0.1:${port}`, DRAWBRIDGE_LEGACY_API: 'true' },
    });
    account = await service.account();
  });
  after(() => service[Symbol.asyncDispose]());

  const parsed = (lines: string[]): Line[] => lines.map((line) => JSON.parse(line) as Line);
  const since = (start: number): Line[] => parsed(service.logged.slice(start));

  test('each request leaves one line of JSON with its outcome', async () => {
    const start = service.logged.length;
    const { id, owner } = account;

    await owner.call('groups/create', { name: 'attic' });
    const [line, ...more] = since(start);

    assert.deepEqual(more, []);
    assert.deepEqual([line!.level, line!.msg], ['info', 'request']);
    assert.ok(Math.abs(Date.parse(line!.time) - Date.now()) < 60_000);
    const { ms, ...request } = line!.request!;
    assert.ok(typeof ms === 'number' && ms >= 0);
    assert.deepEqual(request, {
      method: 'POST',
      path: '/v1/groups/create',
      status: 200,
      address: '127.0.0.1',
      account: id,
      member: owner.id,
      operation: 'groups/create',
    });
  });

  test('requests of every kind are counted: refused, unknown, for pages, preflights, and without TLS', async () => {
    const start = service.logged.length;
    const requests: PlainRequest[] = [
      { path: '/v1/groups/list' },
      { path: '/v1/nothing' },
      { path: '/v1/%67roups/list' },
      { path: '/healthz' },
      { path: '/readyz' },
      { path: '/docs/' },
      { path: '/docs/openapi.json' },
      { method: 'HEAD', path: '/v1/groups/list' },
      { method: 'OPTIONS', path: '/v1/groups/list' },
      { method: 'OPTIONS', path: '/v1/nothing' },
      { method: 'POST', path: '/v1/groups/create', body: 'x'.repeat(70_000) },
      { method: 'DELETE', path: '/v1/groups/create' },
    ];

    for (const request of requests) await service.testClient.send(request);
    await using plain = await openRawClient(service.server.config.listen.port);
    plain.send('GET /v1/groups/list HTTP/1.0\r\n\r\n');
    await plain.ended();

    const codes = since(start).map((line) => line.request?.['status']);
    assert.deepEqual(codes, [403, 404, 404, 200, 200, 200, 200, 403, 204, 404, 403, 404, 400]);
  });

  test('a name with line breaks or quotes does not create another line', async () => {
    const start = service.logged.length;
    const forged = '\n{"level":"info","msg":"request","request":{"status":200}}\n';

    await account.owner.call('agents/list', { search: forged.slice(0, 50) });
    await service.testClient.send({ path: `/v1/${encodeURIComponent(forged)}` });
    await service.testClient.send({ path: '/v1/"},"status":200' });

    assert.equal(since(start).length, 3);
  });

  /** Requests with a secret at every possible position; the responses that refuse them. */
  async function useSecrets(): Promise<{ secrets: Record<string, string>; refusals: PlainResponse[] }> {
    const { owner } = account;
    const { id } = await account.agent();
    const made = (await owner.call('keys/create', { name: 'a key' })).body;
    const password = 'Canary-1-Password';
    const path = 'canary-path-of-a-link';
    const device = (
      await owner.call('agents/update', { id, permanent_url: { enable: true, url: path, password } })
    ).body['data'] as Record<string, string>;
    const invitation = (await owner.call('support/create', { client_name: 'Canary Two' })).body['data'];
    const connect = (await owner.call('agents/connect', { agent_id: id })).body['data'].url as string;
    const invite = (await owner.call('team/member/invite', { email: 'guest@example.com' })).body[
      'url'
    ] as string;
    const last = (url: string): string => url.split('/').at(-1)!;
    const secrets = {
      'the key in use': owner.apiKey,
      'a new key': made['api_key'] as string,
      'a wrong key': 'Canary3WrongKey',
      'the password of a link': password,
      'the name of a client': 'Canary Two',
      'the path of a permanent link': path,
      'a one-time link': last(device['onetime_url']!),
      'an address of a preview': last(device['preview_url']!),
      'a link to a device': last(connect),
      'a link to the operator': last(invitation.connect_url as string),
      'a code of an invitation': invitation.invite_code as string,
      'a link of a technician': last(invite),
      'what was searched for': 'Canary-4-Search',
      'a cookie': 'Canary-5-Cookie',
      'a password of another kind': 'Canary-6-Basic',
      'a name nobody asked for': 'Canary-7-Field',
    };
    const headers = {
      'X-Api-Key': 'Canary3WrongKey',
      Cookie: 'session=Canary-5-Cookie',
      Authorization: `Basic Canary-6-Basic`,
      Referer: connect,
      'User-Agent': password,
    };
    const paths = [
      ...[connect, invite, invitation.connect_url, invitation.invite_url].map(
        (url: string) => new URL(url).pathname,
      ),
      ...['permanent_url', 'onetime_url', 'preview_url'].map((name) => new URL(device[name]!).pathname),
      ...Object.values(secrets)
        .filter((secret) => /^[\w.-]{43,}$/.test(secret))
        .flatMap((secret) => [`/${secret}`, `/v1/agents/list/${secret}`, `/v1/${secret}/list`]),
      `/v1/agents/list?apikey=${owner.apiKey}x`,
      `/v1/agents/list?apikey=Canary3WrongKey&search=Canary-4-Search`,
      `/c/${last(connect)}/more?and=Canary-7-Field`,
      `//c//${last(connect)}`,
      `/%63/${last(connect)}`,
      `/C/${last(connect)}`,
      `/p/${path};x`,
      `https://user:Canary-6-Basic@localhost/p/${path}`,
    ];
    const asked: PlainRequest[] = [
      ...paths.map((each) => ({ path: each, headers })),
      ...paths.map((each) => ({ path: each, method: 'OPTIONS', headers })),
      { method: 'POST', path: '/v1/keys/create', headers, body: `{"name":"Canary-7-Field"}` },
    ];
    const own = { ...headers, 'X-Api-Key': owner.apiKey };
    const bodies = [
      { id, permanent_url: { enable: true, url: 'admin', password } },
      { id, permanent_url: { enable: true, url: 'NO', password } },
      { id, permanent_url: { enable: 'Canary-7-Field', password } },
      { id: 'Canary-7-Field', api_key: owner.apiKey },
      { id: 987_654_321, name: 'Canary-7-Field', permanent_url: { password } },
    ];
    for (const body of bodies)
      asked.push({ method: 'POST', path: '/v1/agents/update', headers: own, body: JSON.stringify(body) });
    asked.push({
      method: 'POST',
      path: '/v1/agents/update',
      headers: own,
      body: `{"password":"${password}",`,
    });
    asked.push({ path: `/v1/agents/list?search=Canary-4-Search&limit=Canary-7-Field`, headers: own });
    asked.push({
      method: 'POST',
      path: `/v1/support/create?client_name=Canary%20Two&client_name=1`,
      headers: own,
    });
    asked.push({ path: `/v1/agents/list?apikey=${owner.apiKey}&limit=0` });
    const answers: PlainResponse[] = [];
    for (const each of asked) answers.push(await service.testClient.send(each));
    await using plain = await openRawClient(service.server.config.listen.port);
    plain.send(
      `GET /c/${last(connect)}?apikey=${owner.apiKey} HTTP/1.0\r\nX-Api-Key: ${owner.apiKey}\r\n\r\n`,
    );
    await plain.ended();
    return { secrets, refusals: answers.filter((answer) => answer.http >= 400) };
  }

  test('no secret that was ever sent or generated is in a log line, an error or the metrics', async () => {
    const { secrets, refusals } = await useSecrets();
    const places: Record<string, string> = {
      'the log': service.logged.join(''),
      errors: refusals.map((answer) => answer.text).join('\n'),
      metrics: await (await fetch(metrics)).text(),
    };

    assert.ok(refusals.length > 40);
    for (const [place, text] of Object.entries(places)) {
      assert.ok(text.length > 1_000, place);
      for (const [name, secret] of Object.entries(secrets))
        assert.equal(text.includes(secret), false, `${name} stands in ${place}`);
    }
    assert.ok(parsed(service.logged).every((line) => line.msg !== 'a request failed'));
  });
});
